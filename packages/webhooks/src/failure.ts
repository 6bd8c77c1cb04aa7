import { errors } from 'undici';

/** Every way in which an attempt fails. */
export type SendErrorCode =
  | 'blocked_address'
  | 'dns'
  | 'connection_refused'
  | 'connection_failed'
  | 'connection_closed'
  | 'tls'
  | 'timeout'
  | 'redirect'
  | 'unsuccessful_status'
  | 'invalid_response';

export interface SendError {
  readonly code: SendErrorCode;
  /** The exact cause, in a sentence. */
  readonly message: string;
}

/** An attempt's failure on its way up through the HTTP client. */
export class SendFailure extends Error {
  readonly error: SendError;

  constructor(code: SendErrorCode, message: string) {
    super(message);
    this.name = 'SendFailure';
    this.error = { code, message };
  }

  /** Determines the cause from whatever the HTTP client threw. */
  static from(cause: unknown): SendFailure {
    if (cause instanceof SendFailure) return cause;
    const code = errorCode(cause);
    const message = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof errors.HTTPParserError || cause instanceof errors.HeadersOverflowError) {
      return new SendFailure(
        'invalid_response',
        `The receiver's response is not valid HTTP: ${message}${suffix(code)}.`,
      );
    }
    return new SendFailure(
      'connection_closed',
      `The connection closed before the response was complete: ${message}${suffix(code)}.`,
    );
  }

  /** A failure to open the TCP connection. */
  static connecting(cause: unknown): SendFailure {
    const code = errorCode(cause);
    if (code === 'ECONNREFUSED')
      return new SendFailure('connection_refused', 'The receiver refused the connection (ECONNREFUSED).');
    return new SendFailure('connection_failed', `No connection could be opened${suffix(code)}.`);
  }

  /** A failure of the TLS handshake, the certificate's verification included. */
  static securing(cause: unknown): SendFailure {
    const message = cause instanceof Error ? cause.message : String(cause);
    return new SendFailure(
      'tls',
      `The TLS handshake failed: ${message.trim().slice(0, 500)}${suffix(errorCode(cause))}.`,
    );
  }

  static resolving(host: string, cause: unknown): SendFailure {
    return new SendFailure('dns', `The name ${host} could not be resolved${suffix(errorCode(cause))}.`);
  }
}

function errorCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

function suffix(code: string): string {
  return code === '' ? '' : ` (${code})`;
}
