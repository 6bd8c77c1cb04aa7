import * as z from 'zod';
import { isProviderUrl, providerKinds, providerModes } from '../provider-choices.ts';
import { flag, integer, setting, url } from '../settings.ts';

/** The settings of the model provider for every account that doesn't choose one. */
export const providerDeclarations = {
  providerMode: setting(
    'MILLRACE_PROVIDER_MODE',
    z
      .enum(providerModes)
      .meta({ expected: `one of ${providerModes.join(', ')}` })
      .default('engine'),
    'engine',
    'Extraction method for accounts that don’t choose one: `engine` only; `provider`, a model for every field; `escalate`, a model for fields the engine is unsure of. See [providers.md](providers.md).',
  ),
  providerKind: setting(
    'MILLRACE_PROVIDER_KIND',
    z
      .enum(providerKinds)
      .meta({ expected: `one of ${providerKinds.join(', ')}` })
      .nullable()
      .default(null),
    'none',
    'Protocol of the provider: `openai`, `openai-compatible`, `anthropic`, `google` or `ollama`.',
  ),
  providerModel: setting(
    'MILLRACE_PROVIDER_MODEL',
    z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .meta({ expected: 'up to 200 printable characters without white space' })
      .nullable()
      .default(null),
    'none',
    'Name of the model, as the provider spells it.',
  ),
  providerUrl: setting(
    'MILLRACE_PROVIDER_URL',
    url('http://host:port/path or https://host/path', isProviderUrl).nullable().default(null),
    "the provider's own",
    'Base URL of the provider, such as `http://10.0.0.8:8000/v1`. Any address is allowed, including private networks.',
  ),
  providerApiKey: setting(
    'MILLRACE_PROVIDER_API_KEY',
    z
      .string()
      .regex(/^[\x21-\x7e]{1,1000}$/)
      .meta({ expected: 'printable characters without white space' })
      .nullable()
      .default(null),
    'none',
    'API key of the provider.',
    { secret: true },
  ),
  providerSendsPictures: setting(
    'MILLRACE_PROVIDER_PICTURES',
    flag.default(false),
    '0',
    '1 sends images of scanned pages with the text. Vision models only.',
  ),
  providerOnFailure: setting(
    'MILLRACE_PROVIDER_ON_FAILURE',
    z.enum(['engine', 'error']).meta({ expected: 'engine or error' }).default('engine'),
    'engine',
    "What happens to a document when the provider fails: it gets the engine's result (`engine`) or the error `provider_error` (`error`).",
  ),
  providerTimeoutMs: setting(
    'MILLRACE_PROVIDER_TIMEOUT_MS',
    integer(1000, 600_000).default(60_000),
    '60000',
    'Maximum time of one call to a provider, in milliseconds.',
  ),
  providerDeadlineMs: setting(
    'MILLRACE_PROVIDER_DEADLINE_MS',
    integer(1000, 1_800_000).default(120_000),
    '120000',
    'Maximum time of all calls for one document, including the pauses between them, in milliseconds.',
  ),
  providerConcurrency: setting(
    'MILLRACE_PROVIDER_CONCURRENCY',
    integer(1, 1000).default(4),
    '4',
    'Concurrent calls of one process to a provider; the same number may wait, plus one for each of `MILLRACE_WORKERS`; further calls fail.',
  ),
  allowPrivateProviders: setting(
    'MILLRACE_ALLOW_PRIVATE_PROVIDERS',
    flag.default(false),
    '0',
    '1 lets accounts use base URLs in private networks, and plain HTTP; otherwise they must be public HTTPS.',
  ),
} as const;
