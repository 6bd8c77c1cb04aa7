import type { ErrorTable } from '@millrace/operations';
import { serverErrors } from '@millrace/operations/errors';

/** Every error of the API: its status, and a text that says what to do. A more specific text may replace it. */
export const errors = {
  missing_document: {
    status: 400,
    message: 'Send the request as multipart/form-data with the file in the field "document".',
  },
  unsupported_file_type: {
    status: 400,
    message: 'Send a PDF, PNG, JPG or TIFF file. The type is detected from the content.',
  },
  invalid_doc_type: { status: 400, message: 'Use a supported document type, or omit strict.' },
  too_many_pages: { status: 400, message: 'Split the document, or send it with async=true, which allows more pages.' },
  encrypted_document: { status: 400, message: 'Remove the password from the document and send it again.' },
  corrupt_document: { status: 400, message: 'The file is damaged. Export or scan it again.' },
  empty_document: { status: 400, message: 'No text was found. Send a sharper scan or a document with text.' },
  document_too_complex: {
    status: 400,
    message: 'The document is too complex to process. Print it to a new PDF or scan it at 300 dpi, and send that.',
  },
  invalid_callback_url: { status: 400, message: 'callback_url must be a public HTTPS URL.' },
  invalid_request: serverErrors.invalid_request,
  invalid_api_key: {
    status: 401,
    message: 'Send a valid API key in the header X-API-Key or as Authorization: Bearer.',
  },
  expired_api_key: { status: 401, message: 'Create a new API key in the dashboard: this one has expired.' },
  insufficient_scope: {
    status: 403,
    message: 'Use an API key with a scope that allows this call, or add the scope to this key in the dashboard.',
  },
  not_found: serverErrors.not_found,
  method_not_allowed: serverErrors.method_not_allowed,
  request_timeout: serverErrors.request_timeout,
  conflict: { status: 409, message: 'This has changed in the meantime. Fetch it again.' },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is in progress. Try again after the time in Retry-After.',
  },
  file_too_large: { status: 413, message: 'Send a smaller file, or split the document.' },
  idempotency_conflict: {
    status: 422,
    message: 'This Idempotency-Key was used with a different request. Use a new key for a new request.',
  },
  rate_limited: { status: 429, message: 'Wait until the time in X-RateLimit-Reset, then send the request again.' },
  extraction_failed: { status: 500, message: 'The document could not be extracted. Send the same request again.' },
  internal_error: serverErrors.internal_error,
  provider_error: { status: 502, message: 'The model provider failed. Send the same request again.' },
  unavailable: serverErrors.unavailable,
} as const satisfies ErrorTable;

export type ErrorCode = keyof typeof errors;
