import type { Extraction } from '@millrace/document-model';
import type { Sealer } from '@millrace/encryption';
import type { EnginePool } from '@millrace/engine';
import { EngineError } from '@millrace/engine/errors';
import type { Question } from '@millrace/engine/model-reading';
import { tenantTransaction } from '@millrace/postgres';
import { openProvider, type PagePicture, type Provider, ProviderFailure } from '@millrace/providers';
import type { Logger } from 'pino';
import type { ExtractionDatabase } from '../../database/schema.ts';
import { type Traces, untraced } from '../../traces.ts';
import { findTypesToExtract } from '../document-types/store.ts';
import type { Processing } from '../documents/rules.ts';
import { type AskingChoice, choiceOfSettings, isAsking, type ProviderSettings } from '../provider/rules.ts';
import { findChoice } from '../provider/store.ts';
import { findKnownSenders } from '../senders/store.ts';

type ExtractOptions = Parameters<EnginePool['extract']>[1];

/** An extraction, and who made it. */
interface Extracted {
  readonly extraction: Extraction;
  readonly by: Pick<Processing, 'provider' | 'model' | 'totalTokens'>;
}

/** Extracts documents by the engine, or together with the model that the account or the service has chosen. */
export interface Extractor {
  /** Who extracts where no model is asked, or none answers. */
  readonly engine: Extracted['by'];
  /**
   * @throws EngineError as the engine does; ProviderFailure where the model fails and the account takes no result
   * without it; the signal's reason; or what `onAsking` throws.
   */
  extract(
    bytes: Uint8Array,
    options: ExtractOptions,
    control: {
      readonly accountId: string;
      readonly documentId: string;
      readonly signal: AbortSignal;
      /** Called before a document that a model is to be asked about is read; what it throws ends the extraction. */
      readonly onAsking?: () => void;
      /** Called with the model that the extraction starts to wait for, and with null once it stops waiting. */
      readonly onWaiting?: (provider: Provider | null) => void;
    },
  ): Promise<Extracted>;
  /** Ends the connections to providers. */
  close(): Promise<void>;
}

export interface ExtractorParts {
  readonly database: ExtractionDatabase;
  readonly engine: EnginePool;
  readonly settings: ProviderSettings;
  /** Of providers' API keys. */
  readonly providerKeys: Sealer;
  readonly logger: Logger;
  /** By default nothing is traced. */
  readonly traces?: Traces;
}

export function createExtractor(parts: ExtractorParts): Extractor {
  const { database, engine, logger, providerKeys, settings, traces = untraced } = parts;
  const bySettings = choiceOfSettings(settings);
  const reach = settings.allowPrivateProviders ? 'anywhere' : 'public';
  const providers = keepProviders(settings);
  const own = { provider: 'millrace', model: engine.model, totalTokens: 0 };

  return {
    engine: own,
    extract: async (bytes, asked, { accountId, documentId, onAsking, onWaiting, signal }) => {
      const { chosen, ownTypes, senders } = await tenantTransaction(
        database,
        accountId,
        async (transaction) => ({
          chosen: await findChoice(transaction, providerKeys, reach),
          ownTypes: await findTypesToExtract(transaction, asked.docType),
          senders: await findKnownSenders(transaction, asked.docType === 'detect' ? null : asked.docType),
        }),
        { access: 'read only' },
      );
      const options = { ...asked, ownTypes, senders };
      const choice = chosen ?? bySettings;
      if (!isAsking(choice)) return { extraction: await engine.extract(bytes, options, { signal }), by: own };

      onAsking?.();
      const scope = choice.mode === 'provider' ? 'all' : 'doubtful';
      const { document, extraction, question } = await engine.consult(bytes, options, scope, { signal });
      if (!question) return { extraction, by: own };
      const about = { account: accountId, document: documentId, provider: choice.kind };
      try {
        const pictures = choice.sendsPictures ? await drawPages(engine, bytes, options, question) : [];
        const provider = providers.of(choice);
        onWaiting?.(provider);
        const ask = () =>
          provider.ask(question, {
            pictures,
            signal,
            onFailedAttempt: ({ attempt, failure, pauseMs }) =>
              logger.info(
                { ...about, ...loggedOf(failure), attempt, pauseMs: Math.round(pauseMs) },
                'the provider is asked again',
              ),
          });
        const describe = (answered: Awaited<ReturnType<typeof ask>> | null) => ({
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': choice.kind,
            'millrace.document.id': documentId,
            ...(answered === null
              ? { 'error.type': 'provider_error' }
              : { 'gen_ai.response.model': answered.model, 'millrace.tokens': answered.totalTokens }),
          },
          isFailed: answered === null,
        });
        const asking = traces.run({ name: `chat ${choice.kind}`, kind: 'client', describe }, ask);
        const { answer, model, totalTokens } = await asking.finally(() => onWaiting?.(null));
        const { docType } = extraction;
        const weighed = await engine.weigh(document, { docType, fields: options.fields, ownTypes, senders }, answer, {
          signal,
        });
        return { extraction: weighed, by: { provider: choice.kind, model, totalTokens } };
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureOf(error);
        logger.warn({ ...about, ...loggedOf(failure), instead: choice.onFailure }, 'the provider failed');
        if (choice.onFailure === 'error') throw failure;
        return { extraction, by: own };
      }
    },
    close: () => providers.close(),
  };
}

/** What is logged of a failure: nothing of the document, the key or the response. */
function loggedOf({ reason, status, totalTokens }: ProviderFailure) {
  return { reason, ...(status !== null && { status }), ...(totalTokens > 0 && { spentTokens: totalTokens }) };
}

/** @throws what is neither the provider's fault nor that of its answer */
function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof EngineError) return new ProviderFailure('invalid_answer', { cause: error });
  throw error;
}

/** Pages whose pictures are sent, and how wide: what models see no more detail of is not worth its tokens. */
const pictureLimit = 4;
const pictureWidthPixels = 1400;

async function drawPages(
  engine: EnginePool,
  bytes: Uint8Array,
  { limits }: ExtractOptions,
  { scannedPages }: Question,
): Promise<readonly PagePicture[]> {
  return await Promise.all(
    scannedPages.slice(0, pictureLimit).map(async (page): Promise<PagePicture> => {
      const picture = { page, widthPixels: pictureWidthPixels, format: 'jpeg' } as const;
      return { page, mediaType: 'image/jpeg', bytes: await engine.draw(bytes, picture, limits) };
    }),
  );
}

/** Providers that are kept open, across accounts. */
const providerLimit = 200;

/** Keeps the way to each provider open, so that its failures are known to the next document; the longest unused goes. */
function keepProviders(settings: ProviderSettings): { of(choice: AskingChoice): Provider; close(): Promise<void> } {
  const kept = new Map<string, Provider>();
  const options = {
    timeoutMs: settings.providerTimeoutMs,
    deadlineMs: settings.providerDeadlineMs,
    concurrency: settings.providerConcurrency,
    // Jobs that wait beyond the workers are as many as the calls at once.
    waitingLimit: settings.providerConcurrency + settings.workers,
  };
  return {
    of: ({ apiKey, baseUrl, kind, model, reach }) => {
      const configuration = { kind, model, baseUrl, apiKey, reach };
      const name = JSON.stringify(configuration);
      const provider = kept.get(name) ?? openProvider(configuration, options);
      kept.delete(name);
      kept.set(name, provider);
      const [oldest] = kept;
      if (kept.size > providerLimit && oldest) {
        kept.delete(oldest[0]);
        void oldest[1].close();
      }
      return provider;
    },
    close: async () => {
      await Promise.all([...kept.values()].map((provider) => provider.close()));
    },
  };
}
