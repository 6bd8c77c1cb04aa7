import type { BuiltInRoleId } from '../frame/permissions.ts';

/** The organization that the first start shows. */
export const organization = { name: 'acme', displayName: 'Acme GmbH' } as const;

interface Person {
  readonly email: string;
  readonly name: string;
  readonly roleId: BuiltInRoleId;
}

/** One user of every role that an organization gives; Super Admins belong to the platform’s own. */
export const people = {
  administrator: { email: 'admin@acme.example', name: 'Amara Diallo', roleId: 'organization_administrator' },
  developer: { email: 'developer@acme.example', name: 'Daniel Brandt', roleId: 'developer' },
  engineer: { email: 'operations@acme.example', name: 'Oksana Kovalenko', roleId: 'operations_engineer' },
  auditor: { email: 'auditor@acme.example', name: 'Aiko Tanaka', roleId: 'auditor' },
  consumer: { email: 'consumer@acme.example', name: 'Carlos Mendes', roleId: 'api_consumer' },
} as const satisfies Readonly<Record<string, Person>>;

export const environments = [
  {
    name: 'test',
    displayName: 'Test',
    description: 'Where developers deploy what they build',
    production: false,
    // None: the gateway of this machine answers under any name.
    hostNames: [],
    targetServers: [
      { name: 'orders-backend', scheme: 'https', host: 'orders.test.acme.example', port: 443, healthPath: '/health' },
      { name: 'customers-backend', scheme: 'http', host: 'customers.test.acme.example', port: 8080, healthPath: null },
      // Where the extraction API of this very installation listens by default.
      {
        name: 'extraction',
        scheme: 'http',
        host: '127.0.0.1',
        port: 4100,
        healthPath: '/healthz',
      },
    ],
  },
  {
    name: 'production',
    displayName: 'Production',
    description: 'What callers rely on: approved revisions alone',
    production: true,
    hostNames: ['api.acme.example'],
    targetServers: [
      { name: 'orders-backend', scheme: 'https', host: 'orders.acme.example', port: 443, healthPath: '/health' },
      // Without TLS, which governance finds.
      { name: 'customers-backend', scheme: 'http', host: 'customers.acme.example', port: 8080, healthPath: null },
      { name: 'extraction', scheme: 'https', host: 'extraction.acme.example', port: 443, healthPath: '/healthz' },
    ],
  },
] as const;

/** A draft that governance stops: anybody may call it, and its production target is reached without TLS. */
export const customers = {
  proxy: {
    name: 'customers',
    displayName: 'Customers',
    description: 'Customers and their addresses',
    basePath: '/v1/customers',
    tags: ['sales'],
  },
  routes: [
    { method: 'GET', pathPattern: '/', targetServer: 'customers-backend', summary: 'List customers' },
    { method: 'GET', pathPattern: '/{customerId}', targetServer: 'customers-backend' },
    { method: 'PATCH', pathPattern: '/{customerId}', targetServer: 'customers-backend', timeoutMs: 10_000 },
  ],
} as const;

/** Complete, reviewed and approved, and deployed nowhere yet. */
export const orders = {
  proxy: {
    name: 'orders',
    displayName: 'Orders',
    description: 'Orders and their lines',
    basePath: '/v1/orders',
    authScheme: 'api_key',
    tags: ['sales'],
  },
  routes: [
    { method: 'GET', pathPattern: '/', targetServer: 'orders-backend', timeoutMs: 5_000, summary: 'List orders' },
    { method: 'POST', pathPattern: '/', targetServer: 'orders-backend', timeoutMs: 10_000, summary: 'Place an order' },
    {
      method: 'GET',
      pathPattern: '/{orderId}',
      targetServer: 'orders-backend',
      timeoutMs: 5_000,
      summary: 'Show an order',
    },
    {
      method: 'GET',
      pathPattern: '/{orderId}/lines',
      targetServer: 'orders-backend',
      timeoutMs: 5_000,
      summary: 'List the lines of an order',
    },
  ],
  policies: [
    { kind: 'verify-api-key' },
    { kind: 'quota', name: 'Daily quota', configuration: { limit: 50_000, window: { unit: 'day', count: 1 } } },
    { kind: 'data-masking' },
  ],
} as const;

/** The extraction API, from the OpenAPI document that it publishes itself. */
export const extraction = {
  name: 'document-extraction',
  targetServer: 'extraction',
  policies: [
    { kind: 'verify-api-key', name: 'Key of the app', configuration: { location: 'header', name: 'x-api-key' } },
    { kind: 'quota', name: 'Monthly quota', configuration: { limit: 10_000, window: { unit: 'month', count: 1 } } },
    { kind: 'spike-arrest', name: 'Smooth bursts', configuration: { ratePerSecond: 20, burst: 10 } },
  ],
  /** The gateway's key for the extraction API; attached if the key is available. */
  targetKey: {
    variable: 'EXTRACTION_API_KEY',
    policy: {
      kind: 'transform-headers',
      name: 'Key of the gateway',
      configuration: { set: [{ name: 'x-api-key', value: '{{variables.EXTRACTION_API_KEY}}' }] },
    },
  },
  tags: ['documents'],
  description: 'Send a PDF, PNG or JPG; get its fields, line items and confidence',
  /** The extraction of a document takes its time. */
  timeoutMs: 60_000,
} as const;

/** The node of this installation. */
export const gatewayNode = { name: 'local', description: 'Started with this installation' } as const;

/** What consumers subscribe to: approved at once, with a quota that is soon used up. */
export const product = {
  name: 'document-extraction-trial',
  displayName: 'Document extraction, trial',
  description: 'Try the extraction of documents: five calls a minute',
  public: true,
  autoApprove: true,
  quota: { limit: 5, window: { unit: 'minute', count: 1 } },
} as const;

/** Somebody outside who calls. */
export const developer = { email: 'lena@books.example', name: 'Lena Fischer', company: 'Books & Co' } as const;
export const app = { name: 'bookkeeping', displayName: 'Bookkeeping' } as const;

/** A template that policies can be made from. */
export const policyTemplate = {
  name: 'partner-quota',
  description: 'What a partner gets in a month',
  kind: 'quota',
  configuration: { limit: 100_000, window: { unit: 'month', count: 1 }, per: 'app' },
} as const;
