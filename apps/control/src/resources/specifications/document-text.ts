import { ImportError, type ImportedDocument, importDocument } from '@millrace/openapi/import';
import { ApiError } from '../../frame/errors.ts';

/** Reads an OpenAPI document of a request; what is wrong with it stands at `document#` and a JSON pointer. */
export async function readDocument(text: string): Promise<ImportedDocument> {
  try {
    return await importDocument(text);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const entries = Object.entries(error.errors).map(([pointer, message]) => [
      pointer === '' ? 'document' : `document#${pointer}`,
      message,
    ]);
    throw new ApiError('invalid_request', {
      message: 'Correct the document as errors says.',
      errors: Object.fromEntries(entries),
      cause: error,
    });
  }
}
