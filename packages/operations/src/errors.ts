import type { ErrorEntry, ErrorTable } from './operation.ts';

/** Errors that every server returns. Each server adds its own codes, and can override these messages. */
export const serverErrors = {
  invalid_request: { status: 400, message: 'Correct the request as described.' },
  not_found: { status: 404, message: 'Not found. Check the id or path.' },
  method_not_allowed: { status: 405, message: 'Use one of the methods in the Allow header.' },
  request_timeout: { status: 408, message: 'The request arrived too slowly. Send it again.' },
  internal_error: { status: 500, message: 'Something failed on our side. Send the same request again.' },
  unavailable: {
    status: 503,
    message: 'The service is busy or starting. Send the same request again after the time in Retry-After.',
  },
} as const satisfies ErrorTable;

/** A server's errors, including the common ones. */
export type ServerErrorTable = Readonly<Record<keyof typeof serverErrors, ErrorEntry>> & ErrorTable;

export interface ErrorDetails {
  /** Replaces the table's message. */
  readonly message?: string;
  /** By field path, if single fields are invalid. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error response. The message is public; the private cause is in `cause` and is only logged. */
export class PublicError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly status: number;
  /** By field path; null if no single field is invalid. */
  readonly errors: Readonly<Record<string, string>> | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: Code, { status, message }: ErrorEntry, details: ErrorDetails = {}) {
    super(details.message ?? message, { cause: details.cause });
    this.name = 'PublicError';
    this.code = code;
    this.status = status;
    this.errors = details.errors ?? null;
    this.headers = details.headers ?? {};
  }
}

/** The class of a server's errors, which accepts only the codes of its table. */
export function errorsOf<Table extends ErrorTable>(table: Table) {
  type Code = keyof Table & string;
  return class extends PublicError<Code> {
    constructor(code: Code, details?: ErrorDetails) {
      super(code, table[code]!, details);
    }
  };
}
