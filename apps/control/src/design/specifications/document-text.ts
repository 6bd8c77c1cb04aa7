import { ImportError, type ImportedDocument, importDocument } from '@millrace/openapi/import';
import { ApiError } from '../../frame/errors.ts';
import { refuseUnstorableText } from '../../frame/unstorable-text.ts';

/** Reads an OpenAPI document of a request; what is wrong with it stands at `document#` and a JSON pointer. */
export async function readDocument(text: string): Promise<ImportedDocument> {
  try {
    const imported = await importDocument(text);
    // What the text wrote as an escape is a character by now.
    refuseUnstorableText(imported);
    return imported;
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
