import { ImportError, type ImportedDocument, importDocument } from '@millrace/openapi/import';
import { ApiError } from '../../frame/errors.ts';
import { refuseUnstorableText } from '../../frame/unstorable-text.ts';

/** Parses an OpenAPI document in a request; errors are reported at `document#` and a JSON pointer. */
export async function readDocument(text: string): Promise<ImportedDocument> {
  try {
    const imported = await importDocument(text);
    // Escapes in the text have been resolved by now.
    refuseUnstorableText(imported);
    return imported;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const entries = Object.entries(error.errors).map(([pointer, message]) => [
      pointer === '' ? 'document' : `document#${pointer}`,
      message,
    ]);
    throw new ApiError('invalid_request', {
      message: 'Correct the document; see errors.',
      errors: Object.fromEntries(entries),
      cause: error,
    });
  }
}
