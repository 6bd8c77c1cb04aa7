/** The protocols that are spoken. */
export const providerKinds = ['openai', 'openai-compatible', 'anthropic', 'google', 'ollama'] as const;

export type ProviderKind = (typeof providerKinds)[number];

/** Which model is asked, and how it is reached. */
export interface ProviderConfiguration {
  readonly kind: ProviderKind;
  /** As its provider writes it. */
  readonly model: string;
  /** Null: the kind's own address, see {@link baseUrlOf}. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** `public`: an account's choice, which leads to public addresses alone; `anywhere`: an operator's. */
  readonly reach: 'public' | 'anywhere';
}

const ownAddresses: Readonly<Record<ProviderKind, string | null>> = {
  openai: 'https://api.openai.com/v1',
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434/api',
};

/** Whether a provider of the kind is of use without an API key. */
export function needsKey(kind: ProviderKind): boolean {
  return kind === 'openai' || kind === 'anthropic' || kind === 'google';
}

/** The one address that a configuration leads to; null where it states none and the kind has none of its own. */
export function baseUrlOf({ baseUrl, kind }: Pick<ProviderConfiguration, 'baseUrl' | 'kind'>): string | null {
  return baseUrl ?? ownAddresses[kind];
}
