import { providerKinds, providerModes } from '@millrace/settings/provider-choices';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
} from '../../http/dashboard-operation.ts';

const Mode = z
  .enum(providerModes)
  .describe(
    '`engine`: no model. `provider`: a model extracts every field. `escalate`: a model extracts the fields that the ' +
      'engine is unsure about, and gets the regions where they may be.',
  );
const Kind = z.enum(providerKinds).describe('The provider’s protocol.');
const Model = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'Enter the model’s name as its provider spells it')
  .describe("The provider's name for the model.");
const SendsPictures = z
  .boolean()
  .describe('Whether images of scanned pages are sent with the text. Vision models only.');
const OnFailure = z
  .enum(['engine', 'error'])
  .describe("What a document gets when the provider fails: the engine's own result, or the error `provider_error`.");

const Provider = z
  .object({
    mode: Mode,
    kind: Kind.nullable(),
    model: z.string().nullable(),
    baseUrl: z.string().nullable().describe("Base URL; null for the provider's own."),
    hasKey: z.boolean().describe('Whether an API key is stored. It is never returned.'),
    sendsPictures: SendsPictures,
    onFailure: OnFailure,
    isBySettings: z
      .boolean()
      .describe("True if the account has no settings of its own, so that the service's default applies."),
  })
  .meta({ id: 'Provider' });

/** An administrator's choice. */
const ProviderChoice = z
  .object({
    mode: Mode,
    kind: Kind.nullable().default(null),
    model: Model.nullable().default(null),
    baseUrl: z.string().trim().max(2000).nullable().default(null),
    apiKey: z
      .string()
      .trim()
      .max(1000)
      .regex(/^[\x21-\x7e]*$/, 'Enter printable characters without spaces')
      .nullable()
      .optional()
      .describe('Absent: keeps the stored key, if provider and host stay the same. Null or empty: no key.'),
    sendsPictures: SendsPictures.default(false),
    onFailure: OnFailure.default('engine'),
  })
  .meta({ id: 'ProviderChoice' });

const ProviderTest = z
  .object({
    ok: z.boolean(),
    message: z.string().describe('What went wrong and what to do, or that it worked.'),
    model: z.string().nullable().describe('The responding model’s own name.'),
    latencyMs: z.int().min(0),
    totalTokens: z.int().min(0),
  })
  .meta({ id: 'ProviderTest' });

export type ProviderAnswer = z.output<typeof Provider>;
export type ProviderChoiceInput = z.output<typeof ProviderChoice>;
export type ProviderTestAnswer = z.output<typeof ProviderTest>;

const exampleProvider = {
  mode: 'escalate',
  kind: 'anthropic',
  model: 'claude-sonnet-4-5',
  baseUrl: null,
  hasKey: true,
  sendsPictures: false,
  onFailure: 'engine',
  isBySettings: false,
} as const satisfies z.input<typeof Provider>;

const exampleChoice = {
  mode: 'escalate',
  kind: 'anthropic',
  model: 'claude-sonnet-4-5',
  apiKey: 'an-api-key-of-the-provider',
} as const satisfies z.input<typeof ProviderChoice>;

const getProvider = defineDashboardOperation({
  ...everyDashboardOperation,
  id: 'getProvider',
  method: 'GET',
  path: '/api/dashboard/v1/provider',
  tag: 'Provider',
  summary: 'Get the extraction method',
  description: 'The account’s model provider, from its own settings or the service’s default.',
  request: {},
  responses: { 200: { description: 'The current settings.', body: Provider } },
  errors: [...anyDashboardErrors],
  examples: [{ summary: 'A chosen provider', request: {}, answer: { status: 200, body: exampleProvider } }],
});

const updateProvider = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'updateProvider',
  method: 'PUT',
  path: '/api/dashboard/v1/provider',
  tag: 'Provider',
  summary: 'Set the extraction method',
  description:
    'Applies from the next document on. The API key is stored encrypted and never returned; it must be entered again ' +
    'if the kind or the host changes. A base URL must be public HTTPS, unless the operator allows others.',
  request: { body: ProviderChoice },
  responses: { 200: { description: 'The current settings.', body: Provider } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A model for low-confidence fields',
      request: { body: exampleChoice },
      answer: { status: 200, body: exampleProvider },
    },
    {
      summary: 'Only the engine',
      request: { body: { mode: 'engine' } },
      answer: {
        status: 200,
        body: { ...exampleProvider, mode: 'engine', kind: null, model: null, hasKey: false },
      },
    },
  ],
});

const removeProvider = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'removeProvider',
  method: 'DELETE',
  path: '/api/dashboard/v1/provider',
  tag: 'Provider',
  summary: "Reset to the service's default",
  description: 'Deletes the account’s own settings, including the API key.',
  request: {},
  responses: { 200: { description: 'The current settings.', body: Provider } },
  errors: [...anyDashboardErrors],
  examples: [
    {
      summary: 'A service without a provider',
      request: {},
      answer: {
        status: 200,
        body: { ...exampleProvider, mode: 'engine', kind: null, model: null, hasKey: false, isBySettings: true },
      },
    },
  ],
});

const testProvider = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'testProvider',
  method: 'POST',
  path: '/api/dashboard/v1/provider/test',
  tag: 'Provider',
  summary: 'Test a provider',
  description: 'Makes one small call with the given settings, saved or not, and returns its outcome.',
  request: { body: ProviderChoice },
  responses: { 200: { description: 'The outcome.', body: ProviderTest } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'It works',
      request: { body: exampleChoice },
      answer: {
        status: 200,
        body: { ok: true, message: 'The model answered.', model: 'claude-sonnet-4-5', latencyMs: 840, totalTokens: 96 },
      },
    },
    {
      summary: 'A wrong key',
      request: { body: exampleChoice },
      answer: {
        status: 200,
        body: {
          ok: false,
          message: 'The provider refused the API key (status 401). Enter a valid one.',
          model: null,
          latencyMs: 130,
          totalTokens: 0,
        },
      },
    },
  ],
});

export const providerOperations = [getProvider, updateProvider, removeProvider, testProvider] as const;
