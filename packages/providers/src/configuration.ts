/** The protocols that are spoken. */
export const providerKinds = ['openai', 'openai-compatible', 'anthropic', 'google', 'ollama'] as const;

export type ProviderKind = (typeof providerKinds)[number];

/** Which model to use, and how to reach it. */
export interface ProviderConfiguration {
  readonly kind: ProviderKind;
  /** As its provider writes it. */
  readonly model: string;
  /** Null: the kind's default address, see {@link baseUrlOf}. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** `public`: an account's choice, limited to public addresses; `anywhere`: an operator's. */
  readonly reach: 'public' | 'anywhere';
}

const ownAddresses: Readonly<Record<ProviderKind, string | null>> = {
  openai: 'https://api.openai.com/v1',
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434/api',
};

/** Whether a provider of the kind is usable without an API key. */
export function needsKey(kind: ProviderKind): boolean {
  return kind === 'openai' || kind === 'anthropic' || kind === 'google';
}

/** The only address that a configuration uses; null if it has none and the kind has no default. */
export function baseUrlOf({ baseUrl, kind }: Pick<ProviderConfiguration, 'baseUrl' | 'kind'>): string | null {
  return baseUrl ?? ownAddresses[kind];
}
