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
  description: 'Send a PDF, PNG, JPG or TIFF; get its fields, line items and confidence',
  /** The extraction of a document takes its time. */
  timeoutMs: 60_000,
} as const;

/** The node of this installation. */
export const gatewayNode = { name: 'local', description: 'Started with this installation' } as const;

/** What consumers subscribe to: approved at once, with a quota that is soon used up, and paid by the page. */
export const product = {
  name: 'document-extraction',
  displayName: 'Document extraction',
  description: 'Fields and line items of documents, paid by the page: five calls a minute',
  public: true,
  autoApprove: true,
  quota: { limit: 5, window: { unit: 'minute', count: 1 } },
  unitsHeader: 'x-millrace-pages',
  // Callers see what they are charged for.
  passUnitsHeader: true,
} as const;

/** What the product costs. */
export const ratePlan = {
  name: 'by-the-page',
  displayName: 'By the page',
  description: '100 pages a month are included; the more pages, the less each costs',
  type: 'tiered',
  currency: 'EUR',
  recurringFee: '29',
  proration: 'day',
  charges: [
    {
      name: 'pages',
      meter: 'units',
      statusClasses: [2],
      allowance: '100',
      model: 'graduated',
      tiers: [
        { upTo: '1000', unitPrice: '0.12' },
        { upTo: '5000', unitPrice: '0.09' },
        { upTo: null, unitPrice: '0.06' },
      ],
    },
  ],
} as const;

/** How the organization bills. The account is a well-known one for tests. */
export const billing = {
  tax: { name: 'VAT', ratePercent: '19', registrationId: null },
  settings: {
    timeZone: 'Europe/Berlin',
    period: 'month',
    paymentTermDays: 14,
    reminders: [7, 21],
    seller: {
      name: organization.displayName,
      registration: 'HRB 12345 B',
      vatId: 'DE123456789',
      email: 'billing@acme.example',
      phone: '+49 30 1234567',
      contactName: people.administrator.name,
      address: { lines: ['Musterstraße 1'], postalCode: '10115', city: 'Berlin', countryCode: 'DE' },
      bank: { iban: 'DE02120300000000202051', bic: 'BYLADEM1001', accountName: organization.displayName },
    },
  },
  /** Day of the month before last on which the subscription begins. */
  firstDay: 10,
  payment: { reference: 'Transfer of Books & Co' },
} as const;

/** Somebody outside who calls, and pays. */
export const developer = {
  email: 'lena@books.example',
  name: 'Lena Fischer',
  company: 'Books & Co',
  billing: {
    name: 'Books & Co KG',
    contactName: 'Lena Fischer',
    address: { lines: ['Speicherstraße 8'], postalCode: '20457', city: 'Hamburg', countryCode: 'DE' },
    reference: 'BC-4711',
  },
} as const;
export const app = { name: 'bookkeeping', displayName: 'Bookkeeping' } as const;

/** What the developer portal says, and how it looks. */
export const portal = {
  title: 'Acme developers',
  registration: 'open',
  texts: {
    en: {
      headline: 'Documents in, data out',
      introduction:
        'Send an invoice, a receipt or a delivery note and get its fields and line items back, with a confidence for each value. Try it without an account, then get your own key in a minute.',
      footer: 'Acme GmbH, Musterstraße 1, 10115 Berlin',
    },
    de: {
      headline: 'Dokumente hinein, Daten heraus',
      introduction:
        'Senden Sie eine Rechnung, einen Beleg oder einen Lieferschein, und Sie erhalten Felder und Positionen zurück, mit einer Konfidenz für jeden Wert. Probieren Sie es ohne Konto aus, und holen Sie sich dann in einer Minute einen eigenen Schlüssel.',
      footer: 'Acme GmbH, Musterstraße 1, 10115 Berlin',
    },
  },
  theme: {
    light: { accent: '#0f766e', background: '#ffffff', surface: '#f1f6f5', text: '#142220' },
    dark: { accent: '#2dd4bf', background: '#0d1514', surface: '#16211f', text: '#e6efed' },
  },
  legal: {
    terms: 'https://acme.example/terms',
    privacy: 'https://acme.example/privacy',
    imprint: 'https://acme.example/imprint',
  },
} as const;

/** A guide of the portal; its text is in `guides`, a file for each language. */
export const guide = {
  slug: 'extract-your-first-invoice',
  translations: [
    {
      language: 'en',
      title: 'Extract your first invoice',
      summary: 'From your key to the fields of an invoice, in ten minutes',
    },
    {
      language: 'de',
      title: 'Die erste Rechnung auslesen',
      summary: 'Vom Schlüssel zu den Feldern einer Rechnung, in zehn Minuten',
    },
  ],
} as const;

/** A template that policies can be made from. */
export const policyTemplate = {
  name: 'partner-quota',
  description: 'What a partner gets in a month',
  kind: 'quota',
  configuration: { limit: 100_000, window: { unit: 'month', count: 1 }, per: 'app' },
} as const;

/** What the operations engineer wants to hear of. */
export const alertRule = {
  name: 'Extraction fails',
  description: 'More than a fifth of the calls are answered with a server error',
  metric: 'error_rate',
  operator: '>',
  threshold: 20,
  durationSeconds: 60,
  keepFiringSeconds: 60,
  minimumRequests: 3,
  severity: 'critical',
} as const;
