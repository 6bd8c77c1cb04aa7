import { baseUrlOf, needsKey, type ProviderConfiguration } from '@millrace/providers';
import type { Settings } from '@millrace/settings/extraction';
import { isProviderUrl } from '@millrace/settings/provider-choices';
import { checkDestination } from '@millrace/webhooks';
import { fieldError } from '../../http/errors.ts';
import type { ProviderAnswer, ProviderChoiceInput } from './contract.ts';

/** Who extracts for an account. */
export interface Choice extends Omit<ProviderConfiguration, 'kind' | 'model'> {
  readonly mode: ProviderAnswer['mode'];
  readonly kind: ProviderConfiguration['kind'] | null;
  readonly model: string | null;
  readonly sendsPictures: boolean;
  readonly onFailure: ProviderAnswer['onFailure'];
}

/** A choice by which a model is asked. */
export type AskingChoice = Choice & { readonly mode: 'provider' | 'escalate' } & ProviderConfiguration;

export function isAsking(choice: Choice): choice is AskingChoice {
  return choice.mode !== 'engine' && choice.kind !== null && choice.model !== null;
}

export type ProviderSettings = Pick<
  Settings,
  | 'providerMode'
  | 'providerKind'
  | 'providerModel'
  | 'providerUrl'
  | 'providerApiKey'
  | 'providerSendsPictures'
  | 'providerOnFailure'
  | 'providerTimeoutMs'
  | 'providerDeadlineMs'
  | 'providerConcurrency'
  | 'workers'
  | 'allowPrivateProviders'
>;

/**
 * What holds for accounts that choose nothing.
 *
 * @throws Error that names the setting which is missing.
 */
export function choiceOfSettings(settings: ProviderSettings): Choice {
  const { providerApiKey: apiKey, providerKind: kind, providerMode: mode, providerModel: model } = settings;
  const { providerUrl: baseUrl, providerSendsPictures: sendsPictures, providerOnFailure: onFailure } = settings;
  const missing = (name: string) => {
    throw new Error(`${name} must be set, since MILLRACE_PROVIDER_MODE is ${mode}.`);
  };
  if (mode !== 'engine') {
    if (kind === null) return missing('MILLRACE_PROVIDER_KIND');
    if (model === null) return missing('MILLRACE_PROVIDER_MODEL');
    if (baseUrlOf({ baseUrl, kind }) === null) return missing('MILLRACE_PROVIDER_URL');
    if (needsKey(kind) && apiKey === null) return missing('MILLRACE_PROVIDER_API_KEY');
  }
  return { mode, kind, model, baseUrl, apiKey, sendsPictures, onFailure, reach: 'anywhere' };
}

/**
 * An account's choice, complete. The stored key is only kept for the same destination: who changes the URL must not be
 * able to have the key sent to their own server.
 *
 * @param stored what the account chose before.
 * @throws ApiError `invalid_request` with the invalid fields.
 */
export function checkChoice(
  given: ProviderChoiceInput,
  stored: Choice | null,
  { allowPrivateProviders }: Pick<ProviderSettings, 'allowPrivateProviders'>,
): Choice {
  const { kind, mode, model, onFailure, sendsPictures } = given;
  const reach = allowPrivateProviders ? 'anywhere' : 'public';
  const baseUrl = given.baseUrl === null || given.baseUrl === '' ? null : readBaseUrl(given.baseUrl, reach);
  const address = kind && baseUrlOf({ baseUrl, kind });
  const isSameDestination =
    stored?.kind === kind &&
    kind !== null &&
    originOf(address) === originOf(baseUrlOf({ baseUrl: stored.baseUrl, kind }));
  const apiKey = given.apiKey === undefined ? (isSameDestination ? stored.apiKey : null) : given.apiKey || null;
  if (mode !== 'engine') {
    if (kind === null) throw fieldError('kind', 'Choose a provider.');
    if (model === null) throw fieldError('model', 'Enter the model’s name.');
    if (address === null) throw fieldError('baseUrl', 'Enter the server’s base URL.');
    if (needsKey(kind) && apiKey === null) throw fieldError('apiKey', "Enter the provider's API key.");
  }
  // The address that a kind has of its own may be this very machine.
  if (kind !== null && baseUrl === null && address !== null) readBaseUrl(address, reach);
  return { mode, kind, model, baseUrl, apiKey, sendsPictures, onFailure, reach };
}

function readBaseUrl(text: string, reach: Choice['reach']): string {
  const url = URL.parse(text);
  if (!url || !isProviderUrl(url)) {
    throw fieldError('baseUrl', 'Enter an http or https URL without user name, password, query or fragment.');
  }
  if (reach === 'public') {
    const destination = checkDestination(text, { allowLoopback: false });
    if (!destination.ok) throw fieldError('baseUrl', destination.reason);
  }
  return url.href.replace(/\/+$/, '');
}

function originOf(address: string | null): string | null {
  return address === null ? null : new URL(address).origin;
}

/** A choice as it is shown. The key never is, nor is the address that an operator chose. */
export function providerAnswer(choice: Choice, isBySettings: boolean): ProviderAnswer {
  const { apiKey, baseUrl, kind, mode, model, onFailure, sendsPictures } = choice;
  const hasKey = apiKey !== null;
  return { mode, kind, model, baseUrl: isBySettings ? null : baseUrl, hasKey, sendsPictures, onFailure, isBySettings };
}
