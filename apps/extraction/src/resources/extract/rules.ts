import { createHash } from 'node:crypto';
import { docTypes, isDocType } from '@millrace/document-model';
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
  readonly doc_type: string | null;
  readonly mode: 'sync' | 'async';
}

/** Limits of the requested field names: how many, and how long. */
const fieldLimits = { names: 200, characters: 64 };

/**
 * Reads what a request asks for. A parameter of the address goes before the form field of its name.
 *
 * @param ownType the account's own type that the request names; null where it names none.
 * @throws ApiError `invalid_doc_type` (only in strict mode), `invalid_request` or
 * `invalid_callback_url`.
 */
export function readAsked(
  query: Query,
  form: Form,
  policy: { readonly allowPrivateWebhooks: boolean },
  ownType: string | null,
): AskedExtraction {
  const strict = query.strict ?? form.strict ?? false;
  return {
    mode: (query.async ?? form.async ?? false) ? 'async' : 'sync',
    doc_type: readDocType(form.doc_type ?? '', strict, ownType),
    fields: readFieldNames([form.fields, form.custom_fields]),
    callback_url: readCallbackUrl(form.callback_url?.trim() ?? '', policy.allowPrivateWebhooks),
  };
}

/** The name of a document type as requests write it. */
export function typeNameIn(text: string | undefined): string {
  return (text ?? '').trim().toLowerCase();
}

function readDocType(text: string, strict: boolean, ownType: string | null): string | null {
  const name = typeNameIn(text);
  if (isDocType(name) || name === ownType) return name;
  if (name === '' || !strict) return null;
  throw new ApiError('invalid_doc_type', {
    message: `"${text.slice(0, 64)}" isn’t a document type. Use one of ${docTypes.join(', ')}, one of your own, or leave out strict.`,
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
