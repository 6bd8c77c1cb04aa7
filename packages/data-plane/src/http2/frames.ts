/** The frames of HTTP/2 (RFC 9113, section 6). */

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flag = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const errorCode = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
} as const;

export const frameHeaderBytes = 9;
/** Of a frame's payload, in both directions: the least that a peer may allow is the most that is ever sent. */
export const maxFrameBytes = 16_384;
export const initialWindowBytes = 65_535;
export const maxWindowBytes = 0x7fff_ffff;
/** How a client begins (RFC 9113, section 3.4). */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
