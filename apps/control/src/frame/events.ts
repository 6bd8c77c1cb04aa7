import type { TenantTransaction } from '../database/schema.ts';
import type { Caller } from './caller.ts';

/** What a write of one domain means to others. */
export interface DomainEvent<Payload> {
  readonly name: string;
  /** What it is about: of several with the same key, subscribers get the last one. */
  keyOf(payload: Payload): string;
}

/** Declares an event, beside the stores that emit it. */
export function defineEvent<Payload>(name: string, keyOf: (payload: Payload) => string): DomainEvent<Payload> {
  return { name, keyOf };
}

interface Emitted {
  readonly event: DomainEvent<never>;
  readonly payload: unknown;
}

/** Events of open transactions that are not processed yet. */
const pending = new WeakMap<TenantTransaction, Emitted[]>();

/**
 * Emits an event in the transaction of the write that it follows from: its subscribers run before the commit.
 *
 * @throws Error in a transaction that carries out no events
 */
export function emit<Payload>(transaction: TenantTransaction, event: DomainEvent<Payload>, payload: Payload): void {
  const emitted = pending.get(transaction);
  if (emitted === undefined) throw new Error(`${event.name} was emitted in a transaction that carries out no events`);
  emitted.push({ event, payload });
}

/** Runs when events were emitted. */
export interface Subscriber {
  readonly events: readonly DomainEvent<never>[];
  run(transaction: TenantTransaction, payloads: readonly unknown[], caller: Caller | null): Promise<void>;
}

/**
 * Subscribes to events with the same payload.
 *
 * @param run gets the emitted events, each key once; the caller is null if the service acts on its own
 */
export function subscribe<Payload>(
  events: readonly DomainEvent<Payload>[],
  run: (transaction: TenantTransaction, payloads: readonly Payload[], caller: Caller | null) => Promise<void>,
): Subscriber {
  // It only gets payloads of these events.
  return { events, run: (transaction, payloads, caller) => run(transaction, payloads as readonly Payload[], caller) };
}

/**
 * Runs the work of a transaction that emits events.
 *
 * @throws Error where it leaves some that were not carried out
 */
export async function collectEvents<Result>(
  transaction: TenantTransaction,
  work: () => Promise<Result>,
): Promise<Result> {
  const emitted: Emitted[] = [];
  pending.set(transaction, emitted);
  try {
    const result = await work();
    if (emitted.length > 0) throw new Error(`${emitted[0]!.event.name} was emitted and not carried out`);
    return result;
  } finally {
    // The same object serves the connection's next transaction.
    pending.delete(transaction);
  }
}

/**
 * Runs the subscribers of the events emitted so far, each at most once, in order. Events emitted by one of them reach
 * later ones.
 *
 * @throws Error if a subscriber emits what an earlier one subscribes to
 */
export async function carryOutEvents(
  subscribers: readonly Subscriber[],
  transaction: TenantTransaction,
  caller: Caller | null,
): Promise<void> {
  const emitted = pending.get(transaction);
  if (emitted === undefined || emitted.length === 0) return;
  const wasRun = new Set<DomainEvent<never>>();
  for (const { events, run } of subscribers) {
    const before = emitted.length;
    const payloads = new Map<string, unknown>();
    for (const { event, payload } of emitted) {
      if (events.includes(event)) payloads.set(event.keyOf(payload as never), payload);
    }
    for (const event of events) wasRun.add(event);
    if (payloads.size === 0) continue;
    await run(transaction, [...payloads.values()], caller);
    const late = emitted.slice(before).find(({ event }) => wasRun.has(event));
    if (late !== undefined) throw new Error(`${late.event.name} was emitted after its subscribers had run`);
  }
  emitted.length = 0;
}

/** Drops the events since the last {@link carryOutEvents}, whose writes were rolled back. */
export function dropEvents(transaction: TenantTransaction): void {
  const emitted = pending.get(transaction);
  if (emitted !== undefined) emitted.length = 0;
}
