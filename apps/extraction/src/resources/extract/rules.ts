import { createHash } from 'node:crypto';
import { type DocType, docTypes } from '@millrace/document-model';
import type { extractOperations } from '@millrace/extraction-contract/extract';
import { checkDestination } from '@millrace/webhooks';
import type * as z from 'zod';
import type { JobOptions } from '../../database/schema.ts';
import { ApiError } from '../../http/errors.ts';

type ExtractRequest = (typeof extractOperations)[0]['request'];
type Query = z.output<ExtractRequest['query']>;
type Form = z.output<ExtractRequest['multipart']['fields']>;

/** What a request asks to be done with its document. */
export interface AskedExtraction extends JobOptions {
  /** Null: none is named. */
  readonly doc_type: DocType | null;
  readonly mode: 'sync' | 'async';
}

/** Limits of the requested field names: how many, and how long. */
const fieldLimits = { names: 200, characters: 64 };

/**
 * Reads what a request asks for. A parameter of the address goes before the form field of its name.
 *
 * @throws ApiError `invalid_doc_type` (only in strict mode), `invalid_request` or
 * `invalid_callback_url`.
 */
export function readAsked(
  query: Query,
  form: Form,
  policy: { readonly allowPrivateWebhooks: boolean },
): AskedExtraction {
  const strict = query.strict ?? form.strict ?? false;
  return {
    mode: (query.async ?? form.async ?? false) ? 'async' : 'sync',
    doc_type: readDocType(form.doc_type ?? '', strict),
    fields: readFieldNames([form.fields, form.custom_fields]),
    callback_url: readCallbackUrl(form.callback_url?.trim() ?? '', policy.allowPrivateWebhooks),
  };
}

function readDocType(text: string, strict: boolean): DocType | null {
  const name = text.trim().toLowerCase();
  const docType = docTypes.find((known) => known === name);
  if (docType || name === '' || !strict) return docType ?? null;
  throw new ApiError('invalid_doc_type', {
    message: `"${text.slice(0, 64)}" isn’t a document type. Use one of ${docTypes.join(', ')}, or leave out strict.`,
  });
}

/** @returns null where no name is given: the extraction is not restricted. */
function readFieldNames(lists: readonly (string | undefined)[]): string[] | null {
  const names = new Set(
    lists
      .flatMap((list) => list?.split(',') ?? [])
      .map((name) => name.trim())
      .filter(Boolean),
  );
  if (names.size > fieldLimits.names || [...names].some((name) => name.length > fieldLimits.characters)) {
    throw new ApiError('invalid_request', {
      message: `Ask for at most ${fieldLimits.names} fields, each named in at most ${fieldLimits.characters} characters.`,
    });
  }
  return names.size > 0 ? [...names] : null;
}

function readCallbackUrl(text: string, allowPrivateWebhooks: boolean): string | null {
  if (text === '') return null;
  const destination = checkDestination(text, { allowLoopback: allowPrivateWebhooks });
  if (destination.ok) return destination.url.href;
  throw new ApiError('invalid_callback_url', { message: `The callback_url is not accepted. ${destination.reason}` });
}

/** SHA-256 of all that makes two requests the same extraction. */
export function fingerprint(asked: AskedExtraction, fileSha256: Buffer): Buffer {
  const { mode, doc_type, fields, callback_url } = asked;
  return createHash('sha256')
    .update(JSON.stringify([mode, doc_type, fields && [...fields].sort(), callback_url]))
    .update(fileSha256)
    .digest();
}
