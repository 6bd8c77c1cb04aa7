import { hash, randomUUID } from 'node:crypto';
import type { BlobStore } from '@millrace/blobs';
import { defaultDocType, isDocType } from '@millrace/document-model';
import { ownNamePattern } from '@millrace/document-model/own-type';
import { EngineError } from '@millrace/engine/errors';
import { ingest } from '@millrace/engine/ingest';
import { type ErrorCode, errors } from '@millrace/extraction-contract/errors';
import { type extractOperations, pagesHeader } from '@millrace/extraction-contract/extract';
import type { Answer, UploadedFile } from '@millrace/operations';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { ProviderFailure } from '@millrace/providers';
import type { Settings } from '@millrace/settings/extraction';
import type { ExtractionDatabase, TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../http/authenticate.ts';
import { ApiError } from '../../http/errors.ts';
import { newId } from '../../identifiers.ts';
import { type Metrics, measuredType } from '../../metrics.ts';
import { findOwnType } from '../document-types/store.ts';
import { keptFileName } from '../documents/file-name.ts';
import { documentAnswer, type FinishedDocument, type Outcome, type Processing } from '../documents/rules.ts';
import { findFinishedDocument, insertDocument, type NewDocument } from '../documents/store.ts';
import { createdJobAnswer } from '../jobs/rules.ts';
import { insertJob } from '../jobs/store.ts';
import type { Lanes } from '../webhooks/notifications.ts';
import type { Extractor } from './extractor.ts';
import { finishExtraction } from './finish.ts';
import type { PageCounter } from './page-counter.ts';
import { type AskedExtraction, fingerprint, readAsked, typeNameIn } from './rules.ts';
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  type Recorded,
  recordIdempotentAnswer,
  releaseIdempotencyKey,
  renewEveryMs,
  renewIdempotencyClaim,
} from './store.ts';

export interface ExtractParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly extractor: Extractor;
  readonly pageCounter: PageCounter;
  readonly settings: Pick<
    Settings,
    'maxFileSizeBytes' | 'maxPages' | 'maxSyncPages' | 'workers' | 'allowPrivateWebhooks'
  >;
  readonly metrics: Pick<Metrics, 'engineSeconds' | 'extractions'>;
  /** Called after a commit that queued a job. */
  readonly onJob: () => void;
  /** Called after a commit that enqueued notifications, with their lanes. */
  readonly onNotifications: (lanes: Lanes) => void;
}

/** Callers that may wait for each engine process; further ones are asked to retry. */
const waitingPerWorker = 8;
/** After this time a caller waits no longer. */
const longestWaitMs = 240_000;

/** What happens to a request: it is answered by a stored document or by a queued job. */
type Handled =
  | { readonly kind: 'document'; readonly document: FinishedDocument }
  | { readonly kind: 'job'; readonly jobId: string };

/** The same, with the pages that the request has read or will have read: what it is charged by. */
type Extracted = Handled & { readonly pages: number };

export function extractHandlers(parts: ExtractParts): Handlers<typeof extractOperations, Caller> {
  let waiting = 0;

  async function extract(request: AcceptedRequest): Promise<Extracted> {
    if (request.asked.mode === 'async') return queueExtraction(parts, request);
    if (waiting >= parts.settings.workers * waitingPerWorker) throw new ApiError('unavailable');
    waiting++;
    try {
      return await extractNow(parts, request);
    } finally {
      waiting--;
    }
  }

  async function extractOnce(request: AcceptedRequest, claim: IdempotencyClaim): Promise<Extracted> {
    const renewing = setInterval(() => {
      // One that fails is made up for by the next; a lost claim shows when the answer is recorded.
      void tenantTransaction(parts.database, request.caller.accountId, (transaction) =>
        renewIdempotencyClaim(transaction, claim),
      ).catch(() => undefined);
    }, renewEveryMs);
    try {
      return await extract(request);
    } catch (error) {
      // Whatever went wrong, a document or job that was stored has settled the claim with it.
      await tenantTransaction(parts.database, request.caller.accountId, (transaction) =>
        releaseIdempotencyKey(transaction, claim),
      ).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  return {
    async extractDocument({ query, headers, form, file }, caller) {
      if (!file) throw new ApiError('missing_document');
      const ownType = await findOwnName(parts.database, caller, typeNameIn(form.doc_type));
      const asked = readAsked(query, form, parts.settings, ownType);
      const request = acceptRequest(parts, caller, asked, file, headers['idempotency-key']);
      const provenance = query.include === 'provenance';
      const { claim } = request;
      if (!claim) return answer(await extract(request), provenance);
      const recorded = await claimOrFindAnswer(parts.database, caller, claim);
      if (!recorded) return answer(await extractOnce(request, claim), provenance);
      const recalled = await recall(parts.database, caller, recorded, provenance);
      const { headers: charged, ...replayed } = answer({ ...recalled, pages: 0 }, provenance);
      return { ...replayed, headers: { ...charged, 'idempotency-replayed': 'true' } };
    },
  };
}

/** The name, if it is that of one of the account's own types. */
async function findOwnName(database: ExtractionDatabase, { accountId }: Caller, name: string): Promise<string | null> {
  if (isDocType(name) || !ownNamePattern.test(name)) return null;
  const found = await tenantTransaction(database, accountId, (transaction) => findOwnType(transaction, name), {
    access: 'read only',
  });
  return found && name;
}

function answer(
  handled: Extracted,
  provenance: boolean,
): Answer<(typeof extractOperations)[0]['responses']> & { readonly headers: Readonly<Record<string, string>> } {
  const headers = { [pagesHeader]: String(handled.pages) };
  if (handled.kind === 'job') return { status: 202, body: createdJobAnswer(handled.jobId), headers };
  return { status: 200, body: documentAnswer(successful(handled.document), { provenance }), headers };
}

/** A request whose file may be extracted. */
interface AcceptedRequest {
  readonly caller: Caller;
  readonly asked: AskedExtraction;
  readonly document: NewDocument;
  readonly bytes: Uint8Array;
  /** Null without an `Idempotency-Key`. */
  readonly claim: IdempotencyClaim | null;
}

/** @throws EngineError where the file is none that the engine takes. */
function acceptRequest(
  { settings }: ExtractParts,
  caller: Caller,
  asked: AskedExtraction,
  file: UploadedFile,
  idempotencyKey: string | undefined,
): AcceptedRequest {
  const { mediaType, bytes } = ingest(file.bytes, { sizeBytes: settings.maxFileSizeBytes, pages: settings.maxPages });
  const sha256 = hash('sha256', bytes, 'buffer');
  const id = newId('doc');
  return {
    caller,
    asked,
    bytes,
    document: {
      id,
      fileName: keptFileName(file.name, mediaType),
      mediaType,
      sizeBytes: bytes.length,
      sha256,
      docType: asked.doc_type ?? defaultDocType,
      blobKey: `${caller.accountId}/${id}`,
      apiKeyId: caller.keyId,
      source: 'api',
      receivedAt: new Date(),
    },
    claim:
      idempotencyKey === undefined
        ? null
        : {
            apiKeyId: caller.keyId,
            key: idempotencyKey,
            requestHash: fingerprint(asked, sha256),
            holder: randomUUID(),
          },
  };
}

/** Stores the original, then the document with its job; the worker does the rest. */
async function queueExtraction(parts: ExtractParts, request: AcceptedRequest): Promise<Extracted> {
  const { bytes, caller, claim, document } = request;
  const { doc_type, fields, callback_url } = request.asked;
  const jobId = newId('job');
  const pages = await parts.pageCounter.count({ mediaType: document.mediaType, bytes }, caller);
  await parts.blobs.put(document.blobKey, bytes);
  await tenantTransaction(parts.database, caller.accountId, async (transaction) => {
    await insertDocument(transaction, document);
    const options = { doc_type, fields, callback_url };
    await insertJob(transaction, { id: jobId, documentId: document.id, options });
    if (claim) await record(transaction, claim, { kind: 'job', jobId }, 202);
  });
  parts.onJob();
  return { kind: 'job', jobId, pages };
}

/** Extracts while the caller waits; then document, result, notifications and idempotent answer commit together. */
async function extractNow(parts: ExtractParts, request: AcceptedRequest): Promise<Extracted> {
  const { blobKey, id: documentId } = request.document;
  const stored = parts.blobs.put(blobKey, request.bytes);
  // It is awaited below; a store that fails sooner than the engine ends must not count as unheeded.
  stored.catch(() => undefined);
  const ended = await runEngine(parts, request).catch(async (error: unknown) => {
    // Refused, or nobody waits any more: nothing is kept.
    await stored.then(() => parts.blobs.delete(blobKey)).catch(() => undefined);
    throw error;
  });
  await stored;
  const { callback_url: callbackUrl } = request.asked;
  const document = await tenantTransaction(parts.database, request.caller.accountId, async (transaction) => {
    await insertDocument(transaction, request.document);
    const finished = await finishExtraction(transaction, { documentId, callbackUrl, ...ended });
    if (!finished) throw new Error('a new document had finished before');
    if (request.claim) await settleClaim(transaction, request.claim, finished);
    return finished;
  });
  parts.metrics.extractions.inc({ state: document.state, mode: 'sync' });
  parts.onNotifications(document.lanes);
  const pages = ended.outcome.state === 'done' ? ended.outcome.extraction.pages.length : 0;
  return { kind: 'document', document, pages };
}

/** Errors that refuse the request; any other is the document's own, which is stored with it. */
const refusals: readonly ErrorCode[] = ['unsupported_file_type', 'file_too_large', 'too_many_pages'];

async function runEngine(
  { extractor, metrics, settings }: ExtractParts,
  { asked, bytes, caller, claim, document }: AcceptedRequest,
): Promise<{ outcome: Outcome; processing: Processing }> {
  const limits = { sizeBytes: settings.maxFileSizeBytes, pages: Math.min(settings.maxSyncPages, settings.maxPages) };
  // A response that its key can fetch later is worth finishing even if the caller has hung up.
  const patience = AbortSignal.timeout(longestWaitMs);
  const signal = claim ? patience : AbortSignal.any([patience, caller.signal]);
  const startedMs = performance.now();
  const ended = (outcome: Outcome, by = extractor.engine) => {
    const processTimeMs = performance.now() - startedMs;
    const code = outcome.state === 'done' ? 'ok' : outcome.code;
    metrics.engineSeconds.observe({ doc_type: measuredType(document.docType), outcome: code }, processTimeMs / 1000);
    return { outcome, processing: { ...by, processTimeMs } };
  };
  try {
    const options = { docType: document.docType, fields: asked.fields, limits };
    const control = { accountId: caller.accountId, documentId: document.id, signal };
    const { by, extraction } = await extractor.extract(bytes, options, control);
    return ended({ state: 'done', extraction }, by);
  } catch (error) {
    if (error instanceof ProviderFailure) {
      return ended({ state: 'error', code: 'provider_error', message: errors.provider_error.message });
    }
    if (patience.aborted) {
      throw new ApiError('unavailable', {
        message: 'The extraction took too long to wait for. Send it with async=true.',
      });
    }
    if (!(error instanceof EngineError) || signal.aborted) throw error;
    if (error.code === 'too_many_pages') throw new ApiError('too_many_pages', { message: tooManyPages(settings) });
    if (refusals.includes(error.code)) throw error;
    return ended({ state: 'error', code: error.code, message: error.message });
  }
}

function tooManyPages({ maxPages, maxSyncPages }: ExtractParts['settings']) {
  const limit = `The document has more than ${Math.min(maxSyncPages, maxPages)} pages.`;
  if (maxSyncPages >= maxPages) return `${limit} Split it.`;
  return `${limit} Send it with async=true, which takes up to ${maxPages} pages, or split it.`;
}

/** @returns null where the key is the request's own now, otherwise what the same request led to. */
async function claimOrFindAnswer(
  database: ExtractionDatabase,
  caller: Caller,
  claim: IdempotencyClaim,
): Promise<Recorded | null> {
  const result = await tenantTransaction(database, caller.accountId, (transaction) =>
    claimIdempotencyKey(transaction, claim),
  );
  if (result.kind === 'conflict') throw new ApiError('idempotency_conflict');
  if (result.kind === 'in_progress') throw inProgress();
  return result.kind === 'recorded' ? result.recorded : null;
}

function inProgress() {
  return new ApiError('idempotency_in_progress', { headers: { 'retry-after': '2' } });
}

/** Records the answer; one that invites to send the same request again gives the key free instead. */
async function settleClaim(transaction: TenantTransaction, claim: IdempotencyClaim, document: FinishedDocument) {
  const status = document.state === 'done' ? 200 : errors[errorCodeOf(document)].status;
  if (status >= 500) return releaseIdempotencyKey(transaction, claim);
  return record(transaction, claim, { kind: 'document', documentId: document.id }, status);
}

/** @throws ApiError, which rolls back, if the same request is in progress elsewhere by now: that one is the answer */
async function record(transaction: TenantTransaction, claim: IdempotencyClaim, recorded: Recorded, status: number) {
  if (!(await recordIdempotentAnswer(transaction, claim, recorded, status))) throw inProgress();
}

async function recall(
  database: ExtractionDatabase,
  caller: Caller,
  recorded: Recorded,
  provenance: boolean,
): Promise<Handled> {
  if (recorded.kind === 'job') return recorded;
  const document = await tenantTransaction(database, caller.accountId, (transaction) =>
    findFinishedDocument(transaction, recorded.documentId, { provenance }),
  );
  if (!document) throw new ApiError('not_found');
  return { kind: 'document', document };
}

/** @throws ApiError where the document could not be extracted */
function successful(document: FinishedDocument): FinishedDocument {
  if (document.state === 'done') return document;
  const message = document.error_message;
  throw new ApiError(errorCodeOf(document), message ? { message } : {});
}

function errorCodeOf({ error_code }: FinishedDocument): ErrorCode {
  return error_code !== null && error_code in errors ? (error_code as ErrorCode) : 'extraction_failed';
}
