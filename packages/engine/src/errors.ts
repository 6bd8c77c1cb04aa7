/** Every way in which an extraction fails for a reason that its caller can understand. */
export const engineErrorCodes = [
  'unsupported_file_type',
  'file_too_large',
  'too_many_pages',
  'encrypted_document',
  'corrupt_document',
  'empty_document',
  'document_too_complex',
  'extraction_failed',
] as const;

export type EngineErrorCode = (typeof engineErrorCodes)[number];

/** A failure whose message may be shown to the caller: it says what is wrong and what to do, and no document text. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}

/** The error for a file that unfolds to more than its reading may cost. Sent again, it costs the same. */
export function documentTooComplex(options?: ErrorOptions): EngineError {
  return new EngineError(
    'document_too_complex',
    'Reading the document takes more memory or processor time than is allowed. Print it to a new PDF, or scan it at 300 dpi, and send that.',
    options,
  );
}
