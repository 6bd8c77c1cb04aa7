/** Every way in which an extraction fails for a reason that its caller can understand. */
export const engineErrorCodes = [
  'unsupported_file_type',
  'file_too_large',
  'too_many_pages',
  'encrypted_document',
  'corrupt_document',
  'empty_document',
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
