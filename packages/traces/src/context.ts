import { AsyncLocalStorage } from 'node:async_hooks';

/** A span's place in a trace, as W3C Trace Context (https://www.w3.org/TR/trace-context/) passes it on. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** 1 if the trace is recorded. */
  readonly traceFlags: number;
}

const sampledFlag = 1;

/** Whether the trace is recorded. */
export function isSampled({ traceFlags }: TraceContext): boolean {
  return (traceFlags & sampledFlag) !== 0;
}

/** The header `traceparent`. */
export function traceparentOf(context: TraceContext): string {
  return `00-${context.traceId}-${context.spanId}-${isSampled(context) ? '01' : '00'}`;
}

/** Null if invalid; of a later version, the known parts are used. */
export function parseTraceparent(text: string | null): TraceContext | null {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text ?? '');
  if (parts === null) return null;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = parts;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampledFlag };
}

const current = new AsyncLocalStorage<TraceContext>();

/** Runs work, with everything that it waits for, as part of a span. */
export function inTrace<Result>(context: TraceContext, work: () => Result): Result {
  return current.run(context, work);
}

/** The `traceparent` for a call that is made as part of the current span; null outside of any. */
export function currentTraceparent(): string | null {
  const context = current.getStore();
  return context === undefined ? null : traceparentOf(context);
}
