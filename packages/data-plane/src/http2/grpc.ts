/** gRPC over HTTP/2 (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md), as far as a gateway takes part in it. */
import type { HeaderList } from '@millrace/policies/headers';

/** What a call of gRPC has beyond any other request. */
export interface GrpcCall {
  /** Of the response; null until it is known. */
  status: number | null;
  /** How long the caller waits for the end of the response; null: it doesn't say. */
  readonly timeoutMs: number | null;
  /** The response has ended with this status; null: it names none. */
  ended(status: number | null): void;
  /** Ends the response, with trailers only where it has not begun. */
  end(status: number, message: string, headers: readonly string[]): void;
}

export const unknown = 2;

/**
 * Statuses of HTTP that stand for gRPC's, by their numbers (google/rpc/code.proto). Calls are counted, logged and billed by
 * them.
 */
const httpStatuses = [200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401];

/** The statuses of the gateway's own errors: the same the other way round, where a path without a route is an unimplemented method. */
const grpcStatuses: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [402, 8],
  [403, 7],
  [404, 12],
  [405, 12],
  [408, 4],
  [413, 8],
  [414, 3],
  [415, 3],
  [417, 3],
  [429, 8],
  [431, 8],
  [500, 13],
  [502, 14],
  [503, 14],
  [504, 4],
]);

/** The status of gRPC for an error of the gateway. */
export function grpcStatusOf(status: number): number {
  return grpcStatuses.get(status) ?? unknown;
}

/** The status of HTTP that a call counts as. */
export function httpStatusOf(grpcStatus: number): number {
  return httpStatuses[grpcStatus] ?? 500;
}

/** Whether the content type is gRPC's. gRPC-Web is another protocol, without trailers. */
export function isGrpc(contentType: string | null): boolean {
  return contentType !== null && /^application\/grpc(?:$|[+;])/i.test(contentType);
}

const unitsMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The time of a `grpc-timeout` field, in milliseconds; null if it is invalid. */
export function timeoutMsOf(value: string): number | null {
  const [, number, unit] = /^(\d{1,8})([HMSmun])$/.exec(value) ?? [];
  return number === undefined || unit === undefined ? null : Number(number) * unitsMs[unit]!;
}

/** A time for a `grpc-timeout` field, rounded up. */
export function timeoutOf(timeMs: number): string {
  const ms = Math.ceil(timeMs);
  return ms < 100_000_000 ? `${ms}m` : `${Math.ceil(ms / 1_000)}S`;
}

/** The status in the trailers of a response, or in the head of one that consists of trailers only; null: there is none. */
export function statusIn(fields: HeaderList): number | null {
  const value = fields.get('grpc-status');
  return value === null || !/^\d{1,4}$/.test(value) ? null : Number(value);
}

/** The trailers of a call that the gateway ends. */
export function trailersOf(status: number, message: string): readonly string[] {
  return ['grpc-status', String(status), 'grpc-message', percentEncoded(message)];
}

/** Bytes of UTF-8 that are not printable ASCII are escaped, and so is the percent sign. */
function percentEncoded(message: string): string {
  let text = '';
  for (const byte of Buffer.from(message)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    text += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}
