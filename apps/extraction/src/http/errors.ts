import type { ErrorTable } from '@millrace/operations';
import { type DashboardErrorCode, dashboardErrors } from './dashboard-errors.ts';

/** Every error of the API: its status, and the text of a caller's way out. A more exact text may take its place. */
export const errors = {
  missing_document: {
    status: 400,
    message: 'Send the request as multipart/form-data with the file in the field "document".',
  },
  unsupported_file_type: { status: 400, message: 'Send a PDF, PNG or JPG file; the type is told by its content.' },
  invalid_doc_type: { status: 400, message: 'Give one of the supported document types, or leave strict out.' },
  too_many_pages: { status: 400, message: 'Split the document, or send it with async=true, which takes more pages.' },
  encrypted_document: { status: 400, message: 'Remove the password from the document and send it again.' },
  corrupt_document: { status: 400, message: 'The file is damaged. Export or scan it again.' },
  empty_document: { status: 400, message: 'No text was found. Send a sharper scan, or a document with text.' },
  document_too_complex: {
    status: 400,
    message: 'Reading the document takes too much. Print it to a new PDF, or scan it at 300 dpi, and send that.',
  },
  invalid_callback_url: { status: 400, message: 'Give a public HTTPS URL as callback_url.' },
  invalid_request: { status: 400, message: 'Correct the request as described.' },
  invalid_api_key: {
    status: 401,
    message: 'Send a valid API key in the header X-API-Key or as Authorization: Bearer.',
  },
  not_found: { status: 404, message: 'Nothing of this id or path exists. Check it.' },
  method_not_allowed: { status: 405, message: 'Use a method of the Allow header.' },
  request_timeout: { status: 408, message: 'The request arrived too slowly. Send it again.' },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is under way. Send it again after the time in Retry-After.',
  },
  file_too_large: { status: 413, message: 'Send a smaller file, or split the document.' },
  idempotency_conflict: {
    status: 422,
    message: 'This Idempotency-Key came with another request before. Use a new key for a new request.',
  },
  rate_limited: { status: 429, message: 'Wait until the time in X-RateLimit-Reset, then send the request again.' },
  extraction_failed: { status: 500, message: 'The document could not be extracted. Send the same request again.' },
  internal_error: { status: 500, message: 'Something failed on our side. Send the same request again.' },
  provider_error: { status: 502, message: 'The model provider failed. Send the same request again.' },
  unavailable: {
    status: 503,
    message: 'The service is busy or starting. Send the same request again after the time in Retry-After.',
  },
} as const satisfies ErrorTable;

export type ErrorCode = keyof typeof errors;

/** A field of a request that is wrong, by its path, such as `changes.0.value`. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** Every answer with an error: the API's and the dashboard's. */
export const everyError = { ...errors, ...dashboardErrors } as const;

/** An answer with an error. The message is public; the private cause stands in `cause` and goes to the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode | DashboardErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Which fields of the request are wrong; empty where none is named. Shown to the dashboard. */
  readonly fields: readonly FieldError[];

  constructor(
    code: ErrorCode | DashboardErrorCode,
    options: {
      readonly message?: string;
      readonly fields?: readonly FieldError[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(options.message ?? everyError[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.headers = options.headers ?? {};
    this.fields = options.fields ?? [];
  }
}
