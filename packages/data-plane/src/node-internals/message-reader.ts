/** What a reader finds, as positions in the bytes it was given. A span may come in several parts, one behind the other. */
export interface MessageSink {
  onUrl(start: number, length: number): void;
  /** @returns false to refuse the message */
  onName(start: number, length: number): boolean;
  /** An empty value has the length 0. */
  onValue(start: number, length: number): void;
  /** @param status of an answer; 0 of a request */
  onHead(status: number): void;
  onBody(start: number, length: number): void;
  onEnd(): void;
}

/** The bytes are used up; a head or a chunked body ends at `position`; or the message is malformed. */
export type ReadOutcome = 'more' | 'paused' | 'malformed';

/**
 * Reads the messages of one side of an HTTP/1 connection, strictly. Pauses behind each head. What comes next is taken for a
 * chunked body, unless {@link MessageReader.reset} was called; a body of a stated length is the caller's to count.
 */
export interface MessageReader {
  reset(): void;
  read(bytes: Buffer, start: number, end: number, sink: MessageSink): ReadOutcome;
  /** Behind what was read; set when paused. */
  readonly position: number;
  /** Of a request, once its head is read. */
  readonly method: string;
  /** 10 for HTTP/1.0, 11 for HTTP/1.1; 9 as long as a line has none. */
  readonly version: number;
  /** It must not be used afterwards. */
  close(): void;
}

export type MessageType = 'request' | 'answer';
export type NewMessageReader = (type: MessageType) => MessageReader;
