import type { Sealer } from '@millrace/encryption';
import { documentTypeOf } from '@millrace/engine/types';
import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import { openProvider, ProviderFailure } from '@millrace/providers';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import type { ProviderAnswer, ProviderTestAnswer, providerOperations } from './contract.ts';
import {
  type AskingChoice,
  type Choice,
  checkChoice,
  choiceOfSettings,
  isAsking,
  type ProviderSettings,
  providerAnswer,
} from './rules.ts';
import { findChoice, removeChoice, saveChoice } from './store.ts';

export interface ProviderParts {
  readonly database: ExtractionDatabase;
  readonly settings: ProviderSettings;
  /** Of providers' API keys. */
  readonly providerKeys: Sealer;
}

export function providerHandlers(parts: ProviderParts): Handlers<typeof providerOperations, DashboardCaller> {
  const { database, providerKeys, settings } = parts;
  const bySettings = choiceOfSettings(settings);
  const reach = settings.allowPrivateProviders ? 'anywhere' : 'public';
  const shown = (chosen: Choice | null): ProviderAnswer => providerAnswer(chosen ?? bySettings, chosen === null);

  return {
    async getProvider(_request, { accountId }) {
      const chosen = await tenantTransaction(database, accountId, (transaction) =>
        findChoice(transaction, providerKeys, reach),
      );
      return { status: 200, body: shown(chosen) };
    },

    async updateProvider({ body }, { accountId, userId }) {
      const chosen = await tenantTransaction(database, accountId, async (transaction) => {
        const choice = checkChoice(body, await findChoice(transaction, providerKeys, reach), settings);
        await saveChoice(transaction, providerKeys, choice, userId);
        return choice;
      });
      return { status: 200, body: shown(chosen) };
    },

    async removeProvider(_request, { accountId }) {
      await tenantTransaction(database, accountId, removeChoice);
      return { status: 200, body: shown(null) };
    },

    async testProvider({ body }, { accountId, signal }) {
      const stored = await tenantTransaction(database, accountId, (transaction) =>
        findChoice(transaction, providerKeys, reach),
      );
      const choice = checkChoice({ ...body, mode: 'provider' }, stored, settings);
      if (!isAsking(choice)) throw new ApiError('invalid_request');
      return { status: 200, body: await tryProvider(choice, signal) };
    },
  };
}

/** A till's receipt of one line, which costs next to nothing to ask about. */
const smallQuestion = {
  type: documentTypeOf('receipt'),
  fields: ['total_amount'],
  rows: false,
  transcript: '#1\n100|62 Total|700 12.34',
  scannedPages: [],
} as const;

const testTimeoutMs = 20_000;

async function tryProvider(choice: AskingChoice, signal: AbortSignal): Promise<ProviderTestAnswer> {
  const startedMs = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedMs);
  const provider = openProvider(choice, { timeoutMs: testTimeoutMs, deadlineMs: testTimeoutMs, concurrency: 1 });
  try {
    const { answer, model, totalTokens } = await provider.ask(smallQuestion, { signal });
    const isRight = String(answer.fields.total_amount).includes('12.34');
    const message = isRight
      ? 'The model answered.'
      : 'The model answered, but misread a plain total. Try a larger one.';
    return { ok: isRight, message, model, latencyMs: latencyMs(), totalTokens };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { ok: false, message: error.message, model: null, latencyMs: latencyMs(), totalTokens: error.totalTokens };
  } finally {
    await provider.close();
  }
}
