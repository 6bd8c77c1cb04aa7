/** Limits and time-outs for callers and targets, as far as policies and routes don't set them. */
export interface Limits {
  readonly maxConnections: number;
  /** Requests in flight of one connection of HTTP/2. */
  readonly maxStreams: number;
  /** The longest time that a call of gRPC may ask for. */
  readonly maxGrpcTimeoutMs: number;
  /** Of a request's whole head. */
  readonly maxHeadBytes: number;
  /** Of path and query. */
  readonly maxUrlBytes: number;
  /** Of an answer's whole head. */
  readonly maxAnswerHeadBytes: number;
  /** From the first byte of a head to its last; also for a new connection's first head. */
  readonly headTimeoutMs: number;
  /** Between pieces of a request's body, and for a caller to take more of an answer. */
  readonly bodyTimeoutMs: number;
  /** From a request's head to the last byte of its body, however its pieces come. */
  readonly wholeBodyTimeoutMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** For the head of an answer, where the route does not say. */
  readonly targetTimeoutMs: number;
  /** To connect to a target. */
  readonly connectTimeoutMs: number;
  /** Between pieces of an answer, of server-sent events and of a WebSocket. */
  readonly targetIdleMs: number;
  /** Of an idle connection to a target that does not say how long it keeps it: less than most servers do. */
  readonly keepIdleMs: number;
  /** Connections to one endpoint. */
  readonly maxTargetConnections: number;
  /** What is read of a body that nobody wants, to keep its connection. */
  readonly maxDiscardedBytes: number;
  /** After an answer, for a caller that still sends the body and reads the answer only then. */
  readonly lingerMs: number;
  /** Between two pieces of what such a caller sends. */
  readonly lingerPauseMs: number;
  /** Of what such a caller sends. */
  readonly maxLingerBytes: number;
  /** Such callers at once; any beyond them are let go after 2 s. */
  readonly maxLingering: number;
  /** For policies that hold bodies, over all requests in flight. */
  readonly maxHeldBytes: number;
}

export const defaultLimits: Limits = {
  maxConnections: 20_000,
  maxStreams: 128,
  maxGrpcTimeoutMs: 3_600_000,
  maxHeadBytes: 16_384,
  maxUrlBytes: 8_192,
  maxAnswerHeadBytes: 32_768,
  headTimeoutMs: 15_000,
  bodyTimeoutMs: 60_000,
  wholeBodyTimeoutMs: 300_000,
  keepAliveMs: 75_000,
  targetTimeoutMs: 30_000,
  connectTimeoutMs: 5_000,
  targetIdleMs: 300_000,
  keepIdleMs: 4_000,
  maxTargetConnections: 4_096,
  maxDiscardedBytes: 262_144,
  lingerMs: 30_000,
  lingerPauseMs: 5_000,
  maxLingerBytes: 67_108_864,
  maxLingering: 1_000,
  maxHeldBytes: 268_435_456,
};
