/** What an installation and each account may choose of model providers. Safe for browsers. */

/** Which extracts: the built-in engine, a model provider, or a provider only where the engine is unsure. */
export const providerModes = ['engine', 'provider', 'escalate'] as const;

/** The protocols that are spoken. */
export const providerKinds = ['openai', 'openai-compatible', 'anthropic', 'google', 'ollama'] as const;

/** Whether a text is a base URL: http or https, without credentials, query and fragment. */
export function isProviderUrl({ hash, password, protocol, search, username }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '' && search === '' && hash === '';
}
