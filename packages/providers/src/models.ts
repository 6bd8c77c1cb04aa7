import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOllama } from 'ollama-ai-provider-v2';
import { baseUrlOf, type ProviderConfiguration } from './configuration.ts';

/** A model as the AI SDK's providers offer it. */
export type Model = ReturnType<ReturnType<typeof createOpenAI>['responses']>;

export type ModelCall = Parameters<Model['doGenerate']>[0];

/**
 * The model of a configuration. Address and key are always passed, since the SDK's providers would otherwise look for
 * them in the environment.
 *
 * @param isStructured whether the server accepts a JSON schema for its answer; only OpenAI-compatible servers may not.
 */
export function modelOf(
  configuration: ProviderConfiguration,
  fetch: typeof globalThis.fetch,
  isStructured: boolean,
): Model {
  const { kind, model } = configuration;
  const baseURL = baseUrlOf(configuration);
  if (baseURL === null) throw new Error(`A provider of the kind ${kind} needs a base URL`);
  const apiKey = configuration.apiKey ?? '';
  switch (kind) {
    case 'openai':
      return createOpenAI({ baseURL, apiKey, fetch }).responses(model);
    case 'openai-compatible':
      return createOpenAICompatible({
        name: 'compatible',
        baseURL,
        fetch,
        supportsStructuredOutputs: isStructured,
        ...(apiKey !== '' && { apiKey }),
      }).chatModel(model);
    case 'anthropic':
      return createAnthropic({ baseURL, apiKey, fetch })(model);
    case 'google':
      return createGoogleGenerativeAI({ baseURL, apiKey, fetch })(model);
    case 'ollama':
      return createOllama({
        baseURL,
        fetch,
        ...(apiKey !== '' && { headers: { Authorization: `Bearer ${apiKey}` } }),
      })(model);
  }
}

/** A context that fits the question and its answer; Ollama's default silently truncates longer questions. */
function contextTokens(characters: number): number {
  const needed = Math.ceil(characters / 2.5) + 8192;
  return Math.min(131_072, 2 ** Math.ceil(Math.log2(needed)));
}

/** Options sent to a provider besides the question: store nothing, follow the schema, use the whole input. */
export function providerOptions(questionCharacters: number): NonNullable<ModelCall['providerOptions']> {
  return {
    openai: { store: false, strictJsonSchema: true },
    anthropic: { structuredOutputMode: 'auto' },
    ollama: { options: { num_ctx: contextTokens(questionCharacters) } },
  };
}
