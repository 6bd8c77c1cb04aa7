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
    '`engine`: no model is asked. `provider`: a model is asked for every field. `escalate`: it is asked for the ' +
      'fields that the engine doubts, and sees the regions they may stand in.',
  );
const Kind = z.enum(providerKinds).describe('Whose protocol is spoken.');
const Model = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'Give the name of the model as its provider writes it')
  .describe("The model's name at its provider.");
const SendsPictures = z
  .boolean()
  .describe('Whether pictures of scanned pages are sent beside the text. For models that see.');
const OnFailure = z
  .enum(['engine', 'error'])
  .describe("What a document gets when the provider fails: the engine's own result, or the error `provider_error`.");

const Provider = z
  .object({
    mode: Mode,
    kind: Kind.nullable(),
    model: z.string().nullable(),
    baseUrl: z.string().nullable().describe("Where the provider answers; null is its kind's own address."),
    hasKey: z.boolean().describe('Whether an API key is stored. It is never shown.'),
    sendsPictures: SendsPictures,
    onFailure: OnFailure,
    isBySettings: z
      .boolean()
      .describe("True where the account has chosen nothing, so that the service's own settings hold."),
  })
  .meta({ id: 'Provider' });

/** What an administrator chooses. */
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
      .regex(/^[\x21-\x7e]*$/, 'An API key is printable characters without white space')
      .nullable()
      .optional()
      .describe(
        'Absent: the stored key stays, as long as it goes to the same provider and host. Null or empty: no key.',
      ),
    sendsPictures: SendsPictures.default(false),
    onFailure: OnFailure.default('engine'),
  })
  .meta({ id: 'ProviderChoice' });

const ProviderTest = z
  .object({
    ok: z.boolean(),
    message: z.string().describe('What went wrong and what to do, or that it works.'),
    model: z.string().nullable().describe('The model that answered, as it names itself.'),
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
  summary: 'Show who extracts',
  description: 'The model provider that holds for the account, chosen by it or by the settings of the service.',
  request: {},
  responses: { 200: { description: 'What holds now.', body: Provider } },
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
  summary: 'Choose who extracts',
  description:
    'Holds from the next document on. The API key is stored encrypted and never shown; it has to be given anew when ' +
    'the kind or the host changes. A base URL must be public HTTPS, unless the operator lets accounts use others.',
  request: { body: ProviderChoice },
  responses: { 200: { description: 'What holds now.', body: Provider } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'Ask a model for what the engine doubts',
      request: { body: exampleChoice },
      answer: { status: 200, body: exampleProvider },
    },
    {
      summary: 'The engine alone',
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
  summary: "Go back to the service's settings",
  description: 'Forgets what the account chose, its API key included.',
  request: {},
  responses: { 200: { description: 'What holds now.', body: Provider } },
  errors: [...anyDashboardErrors],
  examples: [
    {
      summary: 'Where the service has no provider of its own',
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
  summary: 'Try a provider',
  description: 'Makes one small call with what is given, which need not be saved, and tells what came of it.',
  request: { body: ProviderChoice },
  responses: { 200: { description: 'What came of the call.', body: ProviderTest } },
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
