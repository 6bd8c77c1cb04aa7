import type { ErrorEntry, ErrorTable } from './operation.ts';

/** Errors that every server answers with. Each adds its own codes, and may word these closer to its callers. */
export const serverErrors = {
  invalid_request: { status: 400, message: 'Correct the request as described.' },
  not_found: { status: 404, message: 'Nothing of this id or path exists. Check it.' },
  method_not_allowed: { status: 405, message: 'Use a method of the Allow header.' },
  request_timeout: { status: 408, message: 'The request arrived too slowly. Send it again.' },
  internal_error: { status: 500, message: 'Something failed on our side. Send the same request again.' },
  unavailable: {
    status: 503,
    message: 'The service is busy or starting. Send the same request again after the time in Retry-After.',
  },
} as const satisfies ErrorTable;

/** A server's own errors, with those that every server has among them. */
export type ServerErrorTable = Readonly<Record<keyof typeof serverErrors, ErrorEntry>> & ErrorTable;

export interface ErrorDetails {
  /** In place of the table's. */
  readonly message?: string;
  /** By field path, where single fields are at fault. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An answer with an error. The message is public; the private cause stands in `cause` and goes to the log alone. */
export class PublicError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly status: number;
  /** By field path; null where no single field is at fault. */
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

/** The class of a server's errors, which takes the codes of its table alone. */
export function errorsOf<Table extends ErrorTable>(table: Table) {
  type Code = keyof Table & string;
  return class extends PublicError<Code> {
    constructor(code: Code, details?: ErrorDetails) {
      super(code, table[code]!, details);
    }
  };
}
