import { operations } from '@millrace/extraction-contract/operations';
import { type Client, createClient, ResponseError } from '@millrace/operations/client';
import { retrying, sleep } from './retry.ts';

type Api = Client<typeof operations>;
type AnswerOf<Id extends keyof Api> = Awaited<ReturnType<Api[Id]>>;

/** An extracted document, as the service returns it. */
export type ExtractedDocument = AnswerOf<'getDocument'>['body'];
/** A job, as polling returns it. */
export type Job = AnswerOf<'getJob'>['body'];
/** A job, as it is created. */
export type CreatedJob = Extract<AnswerOf<'extractDocument'>, { readonly status: 202 }>['body'];

type DocType = ExtractedDocument['meta']['doc_type'];

/** One of the account's own document types. */
export type DocumentType = AnswerOf<'getType'>['body'];
/** What a new document type is defined by; what is left out is empty. */
export type NewDocumentType = NonNullable<Parameters<Api['createType']>[0]['body']>;
/** A changed definition, with the version that was changed. */
export type DocumentTypeChange = NonNullable<Parameters<Api['updateType']>[0]['body']>;
/** A document type as a file, for another account or for safekeeping. */
export type DocumentTypeFile = AnswerOf<'exportType'>['body'];
/** How well a type does, by field and column, over confirmed documents. */
export type DocumentTypeFigures = AnswerOf<'getTypeFigures'>['body'];
/** A type that `docType` takes. */
export type ListedDocumentType = AnswerOf<'listTypes'>['body']['types'][number];

/** A file's content, with its name if it is not a `File`. */
export type FileInput =
  | Blob
  | Uint8Array<ArrayBuffer>
  | { readonly name: string; readonly content: Blob | Uint8Array<ArrayBuffer> };

export interface ExtractOptions {
  /** Default: `general`. */
  readonly docType?: DocType;
  /** Rejects an unknown type instead of falling back to `general`. */
  readonly strict?: boolean;
  /** Restricts the extraction to these fields. */
  readonly fields?: readonly string[];
  /** A public HTTPS address to which the finished document is posted, signed with the account's primary secret. */
  readonly callbackUrl?: string;
  /** Calls with the same key and content are one extraction. Default: a random key. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Pause before the next poll, by the time waited so far. Default: {@link suggestedPollDelayMs}. */
  readonly pollDelayMs?: (waitedMs: number) => number;
}

export interface MillraceClientOptions {
  /** The service's address, such as `https://extract.example.com`. */
  readonly baseUrl: string;
  /** Keep it on a server: anyone with the key can use the account. */
  readonly apiKey: string;
  /** Retries after a temporary failure. Default: 4. */
  readonly retries?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** The job or the document ended in state `error`. */
export class ExtractionError extends Error {
  readonly code: string;
  readonly jobId: string;

  constructor(code: string, message: string, jobId: string) {
    super(message);
    this.name = 'ExtractionError';
    this.code = code;
    this.jobId = jobId;
  }
}

/** The calls of the service. Each rejects with a `ResponseError` that has the service's `status`, `code` and message. */
export interface MillraceClient {
  /** Extracts a file and waits for its document. */
  extract(file: FileInput, options?: ExtractOptions & { readonly include?: 'provenance' }): Promise<ExtractedDocument>;
  /** Queues a file. Pass the `job_id` to {@link MillraceClient.waitForJob}, now or in another process. */
  extractAsync(file: FileInput, options?: ExtractOptions): Promise<CreatedJob>;
  getJob(jobId: string, options?: { readonly signal?: AbortSignal }): Promise<Job>;
  /**
   * Polls a job until it is done, and fetches its document.
   *
   * @throws ExtractionError if the job ends in state `error`
   */
  waitForJob(jobId: string, options?: WaitOptions): Promise<ExtractedDocument>;
  getDocument(
    documentId: string,
    options?: { readonly include?: 'provenance'; readonly signal?: AbortSignal },
  ): Promise<ExtractedDocument>;
  /** The account's own document types. */
  readonly types: DocumentTypes;
  /** Confirms that the key works. */
  health(options?: { readonly signal?: AbortSignal }): Promise<{ readonly ok: true }>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Calls on the account's own document types. The key needs the scope `types` to change them. */
export interface DocumentTypes {
  /** Every type that `docType` takes: the built-in ones, then the account's own. */
  list(options?: CallOptions): Promise<readonly ListedDocumentType[]>;
  get(name: string, options?: CallOptions): Promise<DocumentType>;
  /** Defines a type. Repeated after a broken connection, it may find its own type: `conflict`. */
  create(type: NewDocumentType, options?: CallOptions): Promise<DocumentType>;
  /** Replaces a definition. Rejects with `conflict` if `version` is no longer the newest. */
  update(name: string, change: DocumentTypeChange, options?: CallOptions): Promise<DocumentType>;
  /** Deletes a type; its documents stay readable. */
  delete(name: string, options?: CallOptions): Promise<void>;
  export(name: string, options?: CallOptions): Promise<DocumentTypeFile>;
  /** Creates a file's type, or replaces the one of its name if asked to. */
  import(file: DocumentTypeFile, options?: CallOptions & { readonly replace?: boolean }): Promise<DocumentType>;
  figures(name: string, options?: CallOptions): Promise<DocumentTypeFigures>;
}

/** The suggested cadence of polling: every 3 seconds for the first 30 seconds, then every 10 seconds. */
export function suggestedPollDelayMs(waitedMs: number): number {
  return waitedMs < 30_000 ? 3_000 : 10_000;
}

/**
 * A client of the document extraction service.
 *
 * A rate-limited call waits until the limit resets. After a temporary failure (5xx, a broken connection) a call is
 * retried with increasing pauses. An upload is retried with the same `Idempotency-Key`, so that it is extracted once; while
 * an earlier attempt is still in progress, for up to five minutes, waiting for it uses up no retries.
 */
export function createMillraceClient(options: MillraceClientOptions): MillraceClient {
  const api = createClient(operations, {
    baseUrl: options.baseUrl,
    headers: { 'x-api-key': options.apiKey },
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  const retries = options.retries ?? 4;
  const call = <Result>(attempt: () => Promise<Result>, signal: AbortSignal | undefined) =>
    retrying(attempt, { retries, signal });

  function post(file: FileInput, extraction: ExtractOptions, query: { async?: 'true'; include?: 'provenance' }) {
    const idempotencyKey = extraction.idempotencyKey ?? crypto.randomUUID();
    return call(
      () =>
        api.extractDocument(
          {
            query: { ...query, ...(extraction.strict ? { strict: 'true' } : {}) },
            headers: { 'idempotency-key': idempotencyKey },
            form: {
              ...(extraction.docType ? { doc_type: extraction.docType } : {}),
              ...(extraction.fields ? { fields: extraction.fields.join(',') } : {}),
              ...(extraction.callbackUrl ? { callback_url: extraction.callbackUrl } : {}),
            },
            file: namedFile(file),
          },
          optional(extraction.signal),
        ),
      extraction.signal,
    );
  }

  const getJob: MillraceClient['getJob'] = async (id, { signal } = {}) =>
    (await call(() => api.getJob({ params: { id } }, optional(signal)), signal)).body;

  const types: DocumentTypes = {
    list: async ({ signal } = {}) => (await call(() => api.listTypes({}, optional(signal)), signal)).body.types,
    get: async (name, { signal } = {}) =>
      (await call(() => api.getType({ params: { name } }, optional(signal)), signal)).body,
    create: async (body, { signal } = {}) =>
      (await call(() => api.createType({ body }, optional(signal)), signal)).body,
    update: async (name, body, { signal } = {}) =>
      (await call(() => api.updateType({ params: { name }, body }, optional(signal)), signal)).body,
    async delete(name, { signal } = {}) {
      await call(() => api.deleteType({ params: { name } }, optional(signal)), signal);
    },
    export: async (name, { signal } = {}) =>
      (await call(() => api.exportType({ params: { name } }, optional(signal)), signal)).body,
    async import(body, { replace, signal } = {}) {
      const query = replace ? { replace: 'true' } : {};
      return (await call(() => api.importType({ query, body }, optional(signal)), signal)).body;
    },
    figures: async (name, { signal } = {}) =>
      (await call(() => api.getTypeFigures({ params: { name } }, optional(signal)), signal)).body,
  };

  const getDocument: MillraceClient['getDocument'] = async (id, { include, signal } = {}) => {
    const query = include ? { include } : {};
    return (await call(() => api.getDocument({ params: { id }, query }, optional(signal)), signal)).body;
  };

  return {
    async extract(file, { include, ...extraction } = {}) {
      const answer = await post(file, extraction, include ? { include } : {});
      if (answer.status === 200) return answer.body;
      throw new ResponseError(
        answer.status,
        null,
        'The service queued the extraction, which was not requested.',
        answer.headers,
      );
    },
    async extractAsync(file, extraction = {}) {
      const answer = await post(file, extraction, { async: 'true' });
      if (answer.status === 202) return answer.body;
      throw new ResponseError(answer.status, null, 'The service did not queue the extraction.', answer.headers);
    },
    getJob,
    async waitForJob(jobId, { signal, pollDelayMs = suggestedPollDelayMs } = {}) {
      const startedMs = Date.now();
      for (;;) {
        await sleep(pollDelayMs(Date.now() - startedMs), signal);
        const { state, document_id, error } = await getJob(jobId, optional(signal));
        if (state === 'done' && document_id) return getDocument(document_id, optional(signal));
        if (error) throw new ExtractionError(error.code, error.message, jobId);
      }
    },
    getDocument,
    types,
    async health({ signal } = {}) {
      return (await call(() => api.getHealth({}, optional(signal)), signal)).body;
    },
  };
}

function namedFile(file: FileInput) {
  if (file instanceof Blob) return { name: file instanceof File ? file.name : 'document', content: file };
  return file instanceof Uint8Array ? { name: 'document', content: file } : file;
}

function optional(signal: AbortSignal | undefined) {
  return signal ? { signal } : {};
}
