import { QuotaLimit } from '@millrace/gateway-configuration/consumers';
import { planTermsFields } from '@millrace/pricing';
import { authSchemes, Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, Time } from '../../frame/operation.ts';
import { examplePortalChange, PortalChange } from '../changes/contract.ts';
import { GuideLink } from '../guides/contract.ts';

/** Whether a product can be tried without signing in, and how it is shown. */
const marks = {
  featured: z.boolean().describe('Whether the home page shows it.'),
  sandbox: z.boolean().describe('Whether visitors may try it without an account.'),
};

export const CatalogProduct = z
  .object({
    id: Id,
    name: Name.describe('In the address of its page.'),
    displayName: z.string(),
    description: z.string(),
    public: z.boolean().describe('Whether those who have not signed in see it.'),
    autoApprove: z.boolean().describe('Whether subscriptions are approved automatically.'),
    ...marks,
    tags: z.array(z.string()).describe('Of its APIs, in alphabetical order.'),
    apis: z.array(z.object({ name: Name, displayName: z.string(), version: z.string().nullable() })),
    plans: z
      .array(
        z.object({
          displayName: z.string(),
          type: planTermsFields.type,
          currency: planTermsFields.currency,
          recurringFee: planTermsFields.recurringFee,
        }),
      )
      .describe('Published rate plans; without any, using it costs nothing.'),
    updatedAt: Time,
  })
  .meta({ id: 'CatalogProduct' });
export type CatalogProduct = z.infer<typeof CatalogProduct>;

const CatalogApi = z
  .object({
    id: Id,
    name: Name,
    displayName: z.string(),
    description: z.string(),
    basePath: z.string(),
    authentication: z.enum(authSchemes).describe('How callers authenticate.'),
    deprecated: z.boolean(),
    version: z.string().nullable().describe('Of the published specification; null: there is none.'),
    publishedAt: Time.nullable().describe('When its specification was published.'),
  })
  .meta({ id: 'CatalogApi' });

const CatalogOperation = z
  .object({
    id: z.string().describe('Unique within the product; in the address of its page.'),
    api: Name,
    method: z.string().describe('In upper case.'),
    path: z.string().describe('With the base path.'),
    summary: z.string(),
    deprecated: z.boolean(),
  })
  .meta({ id: 'CatalogOperation' });

const OperationGroup = z.object({
  tag: z.string().describe('Empty for operations without one.'),
  description: z.string(),
  operations: z.array(CatalogOperation),
});

/** A published rate plan with its terms as data; prices are decimals in major units of the currency. */
const PricingCard = z
  .object({
    id: Id,
    name: Name,
    displayName: z.string(),
    description: z.string(),
    planVersion: z.int(),
    ...planTermsFields,
  })
  .meta({ id: 'PricingCard' });

const Server = z.object({
  environment: Name,
  displayName: z.string(),
  production: z.boolean(),
  url: z.string().describe('Address of the gateway, without base path and without a slash at the end.'),
});

export const CatalogProductPage = z
  .object({
    ...CatalogProduct.shape,
    apis: z.array(CatalogApi),
    quota: QuotaLimit.nullable().describe('Calls that a subscription allows; null: no limit of the product’s own.'),
    plans: z.array(PricingCard),
    billingPeriod: z.enum(['week', 'month', 'quarter']).describe('What recurring fees and allowances are for.'),
    servers: z.array(Server).describe('Where the gateway answers, production first.'),
    operations: z.array(OperationGroup).describe('By tag, in the order of the specifications.'),
    guides: z.array(GuideLink).describe('Published guides about it.'),
    changes: z.array(PortalChange).describe('The latest changes, at most five.'),
  })
  .meta({ id: 'CatalogProductPage' });
export type CatalogProductPage = z.infer<typeof CatalogProductPage>;

const SecurityScheme = z
  .object({
    name: z.string(),
    type: z.string().describe('As in OpenAPI: apiKey, http, oauth2 or openIdConnect.'),
    in: z.string().nullable().describe('Of an API key: header, query or cookie.'),
    parameter: z.string().nullable().describe('Of an API key: name of the header or parameter.'),
    scheme: z.string().nullable().describe('Of HTTP authentication, such as bearer.'),
    description: z.string(),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'CatalogSecurityScheme' });

export const CatalogSpecification = z
  .object({
    product: z.object({ id: Id, name: Name, displayName: z.string() }),
    apis: z.array(CatalogApi),
    servers: z.array(Server),
    operations: z.array(OperationGroup),
    total: z.int().describe('How many operations there are.'),
  })
  .meta({ id: 'CatalogSpecification' });
export type CatalogSpecification = z.infer<typeof CatalogSpecification>;

/** A JSON schema with its references resolved, for a page. */
const Schema = z
  .object({
    name: z.string().nullable().describe('Of the component that it stands in; null: none.'),
    type: z.string().describe('In words of JSON Schema, such as `string or null` or `array of Order`.'),
    format: z.string().nullable(),
    description: z.string(),
    deprecated: z.boolean(),
    readOnly: z.boolean(),
    writeOnly: z.boolean(),
    constraints: z
      .array(z.object({ keyword: z.string(), value: z.json() }))
      .describe('By keyword, such as enum, default, minimum, maxLength and pattern.'),
    examples: z.array(z.json()),
    get properties() {
      return z.array(z.object({ name: z.string(), required: z.boolean(), schema: Schema }));
    },
    get items() {
      return Schema.nullable().describe('Of an array; null: anything, or it is no array.');
    },
    get additional() {
      return Schema.nullable().describe('Of properties with any other name; null: none are described.');
    },
    get variants() {
      return z.object({ kind: z.enum(['oneOf', 'anyOf', 'allOf']), schemas: z.array(Schema) }).nullable();
    },
    cut: z
      .enum(['recursive', 'deep'])
      .nullable()
      .describe('Why it is not written out: it contains itself, or it is nested too deeply; null: it is.'),
  })
  .meta({ id: 'CatalogSchema' });

const Content = z.object({
  mediaType: z.string(),
  schema: Schema.nullable(),
  examples: z
    .array(z.object({ name: z.string(), summary: z.string(), value: z.json(), generated: z.boolean() }))
    .describe('Those of the specification, or one that follows from the schema.'),
});

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean(),
  deprecated: z.boolean(),
  description: z.string(),
  schema: Schema.nullable(),
  example: z.json().nullable().describe('A value to try; null: none follows from the specification.'),
});

/** What snippets are made of; `@millrace/openapi/snippets` makes them. */
const SnippetRequest = z
  .object({
    method: z.string(),
    url: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    body: z
      .union([
        z.object({ kind: z.literal('text'), text: z.string() }),
        z.object({
          kind: z.literal('multipart'),
          parts: z.array(
            z.object({ name: z.string(), value: z.string(), fileName: z.string().nullable().describe('Of a file.') }),
          ),
        }),
      ])
      .nullable(),
  })
  .meta({ id: 'SnippetRequest' });

export const CatalogOperationPage = z
  .object({
    ...CatalogOperation.shape,
    product: z.object({ id: Id, name: Name, displayName: z.string(), sandbox: z.boolean() }),
    apiDisplayName: z.string(),
    proxyId: Id,
    description: z.string(),
    tags: z.array(z.string()),
    servers: z.array(Server),
    security: z
      .array(z.array(SecurityScheme))
      .describe('Any of these combinations is enough; empty: no authentication.'),
    parameters: z.array(Parameter),
    requestBody: z.object({ required: z.boolean(), description: z.string(), content: z.array(Content) }).nullable(),
    responses: z.array(
      z.object({
        status: z.string().describe('A status, a range such as 4XX, or default.'),
        description: z.string(),
        headers: z.array(z.object({ name: z.string(), description: z.string(), schema: Schema.nullable() })),
        content: z.array(Content),
      }),
    ),
    request: SnippetRequest.describe('An example, with placeholders for the key and unknown values.'),
    snippets: z.array(z.object({ language: z.string(), label: z.string(), code: z.string() })),
  })
  .meta({ id: 'CatalogOperationPage' });
export type CatalogOperationPage = z.infer<typeof CatalogOperationPage>;

const ProductKey = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Must be the id or the name of an API product.');
const params = z.object({ productId: ProductKey.describe('Its id, or its name.') });
const tag = 'Portal';

const exampleProduct = {
  id: 'prd_00000000000000000000000001',
  name: 'orders',
  displayName: 'Orders',
  description: 'Read orders and their lines',
  public: true,
  autoApprove: true,
  featured: true,
  sandbox: false,
  tags: ['sales'],
  apis: [{ name: 'orders', displayName: 'Orders', version: '1.0.0' }],
  plans: [{ displayName: 'Standard', type: 'pay_as_you_go' as const, currency: 'EUR', recurringFee: null }],
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleApi = {
  id: 'prx_00000000000000000000000001',
  name: 'orders',
  displayName: 'Orders',
  description: 'Orders and their lines',
  basePath: '/v1/orders',
  authentication: 'api_key' as const,
  deprecated: false,
  version: '1.0.0',
  publishedAt: '2026-01-16T09:00:00.000Z',
};
const exampleOperation = {
  id: 'getByOrderId',
  api: 'orders',
  method: 'GET',
  path: '/v1/orders/{orderId}',
  summary: 'Show an order',
  deprecated: false,
};
const exampleGroups = [{ tag: 'orders', description: 'Orders', operations: [exampleOperation] }];
const exampleServers = [
  { environment: 'production', displayName: 'Production', production: true, url: 'https://api.acme.example' },
];
const exampleParams = { productId: 'orders' };
const exampleSchema = {
  name: null,
  type: 'string',
  format: null,
  description: '',
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  constraints: [],
  examples: ['42'],
  properties: [],
  items: null,
  additional: null,
  variants: null,
  cut: null,
};

export const catalogOperations = [
  defineOperation({
    id: 'listCatalog',
    method: 'GET',
    path: '/portal/catalog',
    tag,
    summary: 'List the catalog',
    description: 'Published, active products; private ones only for developers who have signed in.',
    access: 'portal_visitor',
    audit: null,
    request: {
      query: z.strictObject({
        search: z.string().trim().max(200).optional().describe('Text to search for; case-insensitive.'),
        tag: z.string().trim().max(50).optional(),
        featured: z.stringbool().optional().describe('Those that the home page shows.'),
        page: z.coerce.number().int().min(1).max(100_000).default(1).describe('Page, from 1.'),
        pageSize: z.coerce.number().int().min(1).max(100).default(25).describe('Products per page, at most 100.'),
      }),
    },
    data: z.object({
      products: z.array(CatalogProduct),
      total: z.int(),
      tags: z.array(z.object({ tag: z.string(), products: z.int() })).describe('Of all products, the most used first.'),
    }),
    example: {
      request: { query: { tag: 'sales' } },
      data: { products: [exampleProduct], total: 1, tags: [{ tag: 'sales', products: 1 }] },
    },
  }),
  defineOperation({
    id: 'getCatalogProduct',
    method: 'GET',
    path: '/portal/catalog/:productId',
    tag,
    summary: 'Show a product with its prices and APIs',
    access: 'portal_visitor',
    audit: null,
    request: { params },
    data: CatalogProductPage,
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleProduct,
        apis: [exampleApi],
        quota: { limit: 10_000, window: { unit: 'day', count: 1 } },
        plans: [
          {
            id: 'rpl_00000000000000000000000001',
            name: 'standard',
            displayName: 'Standard',
            description: '',
            planVersion: 1,
            type: 'pay_as_you_go',
            currency: 'EUR',
            recurringFee: null,
            feeTiming: 'arrears',
            proration: 'second',
            setupFee: null,
            minimumSpend: null,
            maximumSpend: null,
            trialDays: 0,
            creditExpiry: null,
            charges: [
              {
                name: 'calls',
                meter: 'requests',
                statusClasses: [2, 3],
                proxyIds: null,
                allowance: '1000',
                model: 'per_unit',
                unitPrice: '0.067',
              },
            ],
          },
        ],
        billingPeriod: 'month',
        servers: exampleServers,
        operations: exampleGroups,
        guides: [{ slug: 'first-call', language: 'en', title: 'Your first call', summary: 'From key to answer' }],
        changes: [examplePortalChange],
      },
    },
  }),
  defineOperation({
    id: 'getCatalogSpecification',
    method: 'GET',
    path: '/portal/catalog/:productId/specification',
    tag,
    summary: 'Show the reference of a product’s APIs',
    description: 'Its operations, by tag; each is shown whole by its own address.',
    access: 'portal_visitor',
    audit: null,
    request: { params },
    data: CatalogSpecification,
    example: {
      request: { params: exampleParams },
      data: {
        product: { id: exampleProduct.id, name: 'orders', displayName: 'Orders' },
        apis: [exampleApi],
        servers: exampleServers,
        operations: exampleGroups,
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'downloadCatalogSpecification',
    method: 'GET',
    path: '/portal/catalog/:productId/specification/document',
    tag,
    summary: 'Download a product’s OpenAPI 3.1 document',
    description: 'All of its APIs in one document, with the gateway’s addresses.',
    access: 'portal_visitor',
    audit: null,
    request: { params },
    data: z.string(),
    download: { mediaType: 'application/json' },
    example: { request: { params: exampleParams }, data: '{"openapi":"3.1.0"}' },
  }),
  defineOperation({
    id: 'downloadCatalogCollection',
    method: 'GET',
    path: '/portal/catalog/:productId/specification/postman',
    tag,
    summary: 'Download a product’s Postman collection',
    description: 'In the format 2.1, with variables for the gateway’s address and the key.',
    access: 'portal_visitor',
    audit: null,
    request: { params },
    data: z.string(),
    download: { mediaType: 'application/json' },
    example: { request: { params: exampleParams }, data: '{"info":{"name":"Orders"}}' },
  }),
  defineOperation({
    id: 'getCatalogOperation',
    method: 'GET',
    path: '/portal/catalog/:productId/operations/:operationId',
    tag,
    summary: 'Show one operation of a product’s reference',
    access: 'portal_visitor',
    audit: null,
    request: { params: params.extend({ operationId: z.string().min(1).max(200) }) },
    data: CatalogOperationPage,
    example: {
      request: { params: { ...exampleParams, operationId: exampleOperation.id } },
      data: {
        ...exampleOperation,
        product: { id: exampleProduct.id, name: 'orders', displayName: 'Orders', sandbox: false },
        apiDisplayName: 'Orders',
        proxyId: exampleApi.id,
        description: 'Shows one order with its lines.',
        tags: ['orders'],
        servers: exampleServers,
        security: [
          [
            {
              name: 'apiKey',
              type: 'apiKey',
              in: 'header',
              parameter: 'x-api-key',
              scheme: null,
              description: '',
              scopes: [],
            },
          ],
        ],
        parameters: [
          {
            name: 'orderId',
            in: 'path',
            required: true,
            deprecated: false,
            description: '',
            schema: exampleSchema,
            example: '42',
          },
        ],
        requestBody: null,
        responses: [
          {
            status: '200',
            description: 'The order',
            headers: [],
            content: [
              {
                mediaType: 'application/json',
                schema: { ...exampleSchema, type: 'object', examples: [] },
                examples: [{ name: 'example', summary: '', value: { orderId: '42' }, generated: false }],
              },
            ],
          },
        ],
        request: {
          method: 'GET',
          url: 'https://api.acme.example/v1/orders/42',
          headers: [{ name: 'x-api-key', value: 'YOUR_API_KEY' }],
          body: null,
        },
        snippets: [{ language: 'curl', label: 'curl', code: "curl 'https://api.acme.example/v1/orders/42'" }],
      },
    },
  }),
] as const;
