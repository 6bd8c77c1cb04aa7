import * as z from 'zod';
import { isProviderUrl, providerKinds, providerModes } from '../provider-choices.ts';
import { flag, integer, setting, url } from '../settings.ts';

/** The settings of the model provider that holds for every account which chooses none. */
export const providerDeclarations = {
  providerMode: setting(
    'MILLRACE_PROVIDER_MODE',
    z
      .enum(providerModes)
      .meta({ expected: `one of ${providerModes.join(', ')}` })
      .default('engine'),
    'engine',
    'Who extracts for accounts that choose nothing: `engine` alone; `provider`, a model for every field; `escalate`, a model for what the engine doubts. See [providers.md](providers.md).',
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
    'Name of the model, as its provider writes it.',
  ),
  providerUrl: setting(
    'MILLRACE_PROVIDER_URL',
    url('http://host:port/path or https://host/path', isProviderUrl).nullable().default(null),
    "the provider's own",
    'Base URL of the provider, such as `http://10.0.0.8:8000/v1`. It may lead anywhere, private networks included.',
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
    '1 sends pictures of scanned pages beside the text; for models that see.',
  ),
  providerOnFailure: setting(
    'MILLRACE_PROVIDER_ON_FAILURE',
    z.enum(['engine', 'error']).meta({ expected: 'engine or error' }).default('engine'),
    'engine',
    "What a document gets when the provider fails: the engine's own result (`engine`), or the error `provider_error` (`error`).",
  ),
  providerTimeoutMs: setting(
    'MILLRACE_PROVIDER_TIMEOUT_MS',
    integer(1000, 600_000).default(60_000),
    '60000',
    'Longest time of one call to a provider, in milliseconds.',
  ),
  providerDeadlineMs: setting(
    'MILLRACE_PROVIDER_DEADLINE_MS',
    integer(1000, 1_800_000).default(120_000),
    '120000',
    'Longest time of all calls for one document together, with the pauses between them, in milliseconds.',
  ),
  providerConcurrency: setting(
    'MILLRACE_PROVIDER_CONCURRENCY',
    integer(1, 1000).default(4),
    '4',
    'Calls that one process has under way at one provider at once; as many may wait, and one more for each of `MILLRACE_WORKERS`; any beyond them fail.',
  ),
  allowPrivateProviders: setting(
    'MILLRACE_ALLOW_PRIVATE_PROVIDERS',
    flag.default(false),
    '0',
    '1 lets accounts choose base URLs in private networks, and plain HTTP; otherwise theirs must be public HTTPS.',
  ),
} as const;
