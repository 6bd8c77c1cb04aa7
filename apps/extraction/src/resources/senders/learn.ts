import type { BlobStore } from '@millrace/blobs';
import type { JsonValue } from '@millrace/document-model';
import type { EnginePool } from '@millrace/engine';
import { senderOfLesson } from '@millrace/engine/supplier-memory';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import type { ExtractionDatabase, StoredResult } from '../../database/schema.ts';
import { findTypesToExtract } from '../document-types/store.ts';
import { findDocumentRow } from '../documents/dashboard-store.ts';
import { findKnownSenders, storeLesson } from './store.ts';

export interface LearnParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly engine: Pick<EnginePool, 'teach'>;
  readonly settings: Pick<Settings, 'maxFileSizeBytes' | 'maxPages'>;
  /** Logs why nothing was learned from a confirmed document, without its content. */
  readonly log: { warn(about: object, message: string): void };
}

/** Longest time that confirming a document waits for what is learned from it. */
const longestWaitMs = 60_000;

/** What a confirmed document taught: its sender, and the fields of which something is known now. */
export interface Learned {
  readonly senderId: string;
  readonly senderName: string;
  readonly fields: string[];
}

/**
 * Learns from a confirmed document where its sender prints what. A document that cannot teach is confirmed all the
 * same.
 *
 * @returns null where it does not tell its sender, or could not be read again.
 */
export async function learn(
  parts: LearnParts,
  accountId: string,
  document: {
    readonly id: string;
    readonly blob_key: string;
    readonly version: number;
    readonly result: StoredResult | null;
    readonly extracted_result: StoredResult | null;
  },
  signal: AbortSignal,
): Promise<Learned | null> {
  const { database, settings } = parts;
  const extraction = document.result?.extraction;
  if (!extraction) return null;
  const original = await parts.blobs.get(document.blob_key);
  if (!original) return null;
  const { docType } = extraction;
  const ownTypes = await tenantTransaction(
    database,
    accountId,
    (transaction) => findTypesToExtract(transaction, docType),
    { access: 'read only' },
  );
  const confirmed = {
    docType,
    ownTypes: ownTypes.filter(({ name }) => name === docType),
    fields: valuesOf(extraction.fields),
    extracted: valuesOf((document.extracted_result ?? document.result)?.extraction?.fields ?? {}),
  };
  const limits = { sizeBytes: settings.maxFileSizeBytes, pages: settings.maxPages };
  const patience = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
  const lesson = await parts.engine.teach(original, confirmed, limits, { signal: patience }).catch((error: unknown) => {
    parts.log.warn({ document: document.id, code: codeOf(error) }, 'a confirmed document taught nothing');
    return null;
  });
  if (!lesson) return null;
  return tenantTransaction(database, accountId, async (transaction) => {
    // Deleted or corrected while it was read.
    const row = await findDocumentRow(transaction, document.id, { lock: true });
    if (!row || row.version !== document.version) return null;
    const sender = senderOfLesson(lesson, await findKnownSenders(transaction, lesson.docType));
    const senderId = await storeLesson(transaction, document.id, sender, lesson);
    const fields = new Set([...lesson.fields.map(({ field }) => field), ...Object.keys(lesson.constants)]);
    return { senderId, senderName: lesson.name, fields: [...fields] };
  });
}

function valuesOf(fields: Readonly<Record<string, { readonly value: JsonValue }>>): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'aborted';
}
