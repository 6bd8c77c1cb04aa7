import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appPage } from './app-shell.ts';
import { catalogPage } from './catalog.ts';
import { changesPage } from './changes.ts';
import type { PageContext } from './context.ts';
import type {
  CatalogProduct,
  GuideLink,
  OperationGroup,
  OperationPageData,
  Portal,
  PortalChange,
  PortalGuide,
  PortalStatus,
  PricingCard,
  ProductPageData,
  Schema,
} from './data.ts';
import { pageFiles, readStaticFiles } from './files.ts';
import { guidePage, guidesPage } from './guides.ts';
import { homePage } from './home.ts';
import { html } from './html.ts';
import { type Page, renderPage, withTheme } from './layout.ts';
import { operationPage } from './operation.ts';
import { errorPage, notFoundPage } from './problem.ts';
import { productPage } from './product.ts';
import { statusPage } from './status.ts';
import { type Language, textsByLanguage } from './texts/texts.ts';
import { themeCss } from './theme.ts';

/** Data of a portal for tests. Every text that somebody else writes passes through `text`. */
export type Write = (text: string) => string;

const plain: Write = (text) => text;

export function samplePortal(text: Write = plain): Portal {
  return {
    organization: 'acme',
    organizationName: text('Acme GmbH'),
    title: text('Acme Developers'),
    registration: 'open',
    languages: ['en', 'de'],
    defaultLanguage: 'en',
    texts: {
      en: {
        headline: text('Documents and orders, by API'),
        introduction: text(
          'Turn invoices, receipts and forms into data, and keep your orders in step. One key, clear prices, and answers that you can trust.',
        ),
        footer: text('Acme GmbH, Vienna'),
      },
      de: {
        headline: text('Dokumente und Bestellungen per API'),
        introduction: text('Machen Sie aus Rechnungen, Belegen und Formularen Daten.'),
        footer: text('Acme GmbH, Wien'),
      },
    },
    theme: {
      light: {
        accent: '#0b7285',
        background: '#ffffff',
        surface: '#f6f7f8',
        text: '#18181b',
        accentText: '#ffffff',
        link: '#0a6475',
        mutedText: '#55555e',
        border: '#e2e3e6',
        controlBorder: '#868690',
      },
      dark: {
        accent: '#3bb6cc',
        background: '#101114',
        surface: '#191b1f',
        text: '#e8e8ec',
        accentText: '#000000',
        link: '#53bfd2',
        mutedText: '#a3a3ad',
        border: '#2b2d33',
        controlBorder: '#73757f',
      },
    },
    legal: {
      terms: 'https://acme.example/terms',
      privacy: 'https://acme.example/privacy',
      imprint: 'https://acme.example/imprint',
    },
    logo: { light: null, dark: null },
    stamp: '1',
  };
}

const products = [
  [
    'document-extraction',
    'Document extraction',
    'Reads invoices, receipts, bank statements and 18 other kinds of document, and returns every field with its place on the page and how sure it is.',
    ['documents', 'ai'],
  ],
  ['orders', 'Orders', 'Place orders, follow them and change them until they ship.', ['sales']],
  ['stock', 'Stock', 'What is in which warehouse now, and what arrives when.', ['sales', 'logistics']],
  ['customers', 'Customers', 'Customers, their addresses and contacts.', ['sales']],
  ['shipping', 'Shipping', 'Labels, pickups and tracking with five carriers, behind one interface.', ['logistics']],
  ['payments', 'Payments', 'Card payments, direct debits and refunds.', ['finance']],
  ['tax', 'Tax', 'Tax rates and validation of tax numbers in 34 countries.', ['finance']],
] as const;

export function sampleProducts(text: Write = plain): readonly CatalogProduct[] {
  return products.map(([name, displayName, description, tags], index) => ({
    name,
    displayName: text(displayName),
    description: text(description),
    public: true,
    sandbox: index === 0,
    tags: tags.map((tag) => text(tag)),
    apis: [{ name, displayName: text(displayName), version: text('1.4.0') }],
    plans:
      index === 3
        ? []
        : [{ displayName: text('Standard'), type: 'tiered', currency: 'EUR', recurringFee: index % 2 ? null : '29' }],
    updatedAt: '2026-01-15T09:00:00.000Z',
  }));
}

const terms = {
  description: '',
  currency: 'EUR',
  feeTiming: 'arrears',
  proration: 'second',
  setupFee: null,
  minimumSpend: null,
  maximumSpend: null,
  trialDays: 0,
  creditExpiry: null,
} as const;
const charge = { statusClasses: [2, 3], proxyIds: null, allowance: '0' };

export function samplePlans(text: Write = plain): readonly PricingCard[] {
  return [
    {
      ...terms,
      id: 'rpl_1',
      name: 'starter',
      displayName: text('Starter'),
      description: text('For first steps and small volumes.'),
      type: 'pay_as_you_go',
      recurringFee: null,
      charges: [
        { ...charge, name: 'pages', meter: 'requests', allowance: '100', model: 'per_unit', unitPrice: '0.067' },
      ],
    },
    {
      ...terms,
      id: 'rpl_2',
      name: 'business',
      displayName: text('Business'),
      description: text('Prices that fall as you grow.'),
      type: 'tiered',
      recurringFee: '49',
      trialDays: 14,
      maximumSpend: '2500',
      charges: [
        {
          ...charge,
          name: 'calls',
          meter: 'requests',
          allowance: '1000',
          model: 'graduated',
          tiers: [
            { upTo: '10000', unitPrice: '0.05', flatFee: '0' },
            { upTo: '100000', unitPrice: '0.03', flatFee: '0' },
            { upTo: null, unitPrice: '0.0125', flatFee: '0' },
          ],
        },
        { ...charge, name: 'upload', meter: 'request_bytes', model: 'per_unit', unitPrice: '0.0000000002' },
      ],
    },
    {
      ...terms,
      id: 'rpl_3',
      name: 'prepaid',
      displayName: text('Prepaid'),
      type: 'prepaid',
      recurringFee: null,
      charges: [{ ...charge, name: 'pages', meter: 'units', model: 'per_unit', unitPrice: '0.04' }],
    },
  ];
}

export function sampleGuides(text: Write = plain): readonly GuideLink[] {
  return [
    {
      slug: 'first-call',
      language: 'en',
      title: text('Your first call'),
      summary: text('From a new account to the first extracted invoice in five minutes.'),
    },
    {
      slug: 'errors',
      language: 'en',
      title: text('Errors and retries'),
      summary: text('What to do with 429, 503 and everything between.'),
    },
    {
      slug: 'webhooks',
      language: 'de',
      title: text('Webhooks prüfen'),
      summary: text('Signaturen prüfen, Ereignisse einmal verarbeiten.'),
    },
  ];
}

const operations = [
  ['GET', '/v1/orders', 'List orders', 'listOrders', 'Orders'],
  ['POST', '/v1/orders', 'Place an order', 'placeOrder', 'Orders'],
  ['GET', '/v1/orders/{orderId}', 'Show an order', 'getOrder', 'Orders'],
  ['PATCH', '/v1/orders/{orderId}', 'Change an order', 'changeOrder', 'Orders'],
  ['DELETE', '/v1/orders/{orderId}', 'Cancel an order', 'cancelOrder', 'Orders'],
  ['GET', '/v1/orders/{orderId}/lines', 'List the lines of an order', 'listLines', 'Order lines'],
  ['PUT', '/v1/orders/{orderId}/lines/{lineNumber}', 'Replace a line', 'replaceLine', 'Order lines'],
] as const;

export function sampleGroups(text: Write = plain): readonly OperationGroup[] {
  return ['Orders', 'Order lines'].map((tag) => ({
    tag: text(tag),
    description: text(tag === 'Orders' ? 'What customers bought, until it ships.' : ''),
    operations: operations
      .filter(([, , , , own]) => own === tag)
      .map(([method, path, summary, id]) => ({
        id,
        api: 'orders',
        method,
        path: text(path),
        summary: text(summary),
        deprecated: id === 'replaceLine',
      })),
  }));
}

export function sampleChanges(text: Write = plain): readonly PortalChange[] {
  const at = (day: number) => `2026-01-${day}T09:00:00.000Z`;
  const about = {
    api: { name: 'orders', displayName: text('Orders') },
    products: [{ name: 'orders', displayName: text('Orders') }],
  };
  return [
    {
      ...about,
      id: 'pcg_2',
      at: at(20),
      kind: 'changed',
      apiVersion: text('2.0.0'),
      breaking: true,
      changes: [
        {
          operation: 'GET /v1/orders',
          kind: 'changed',
          breaking: true,
          text: text('GET /v1/orders: the query parameter cursor is now required.'),
        },
        {
          operation: 'DELETE /v1/orders/{orderId}',
          kind: 'added',
          breaking: false,
          text: text('DELETE /v1/orders/{orderId} was added.'),
        },
      ],
      total: 14,
    },
    {
      ...about,
      id: 'pcg_1',
      at: at(12),
      kind: 'published',
      apiVersion: text('1.0.0'),
      breaking: false,
      changes: [],
      total: 0,
    },
  ];
}

export function sampleProduct(text: Write = plain): ProductPageData {
  const [, product] = sampleProducts(text);
  return {
    ...product!,
    id: 'prd_00000000000000000000000001',
    description: text(
      'Place orders, follow them and change them until they ship. Every answer carries a version, so that two of your systems never overwrite each other.',
    ),
    sandbox: true,
    autoApprove: true,
    apis: [
      {
        name: 'orders',
        displayName: text('Orders'),
        description: text('Orders and their lines'),
        basePath: '/v1/orders',
        authentication: 'api_key',
        deprecated: false,
        version: text('2.0.0'),
      },
    ],
    quota: { limit: 10_000, window: { unit: 'day', count: 1 } },
    plans: samplePlans(text),
    billingPeriod: 'month',
    servers: [
      { environment: 'production', displayName: text('Production'), production: true, url: 'https://api.acme.example' },
    ],
    operations: sampleGroups(text),
    guides: sampleGuides(text).slice(0, 2),
    changes: sampleChanges(text),
  };
}

export function sampleSchema(own: Partial<Schema> = {}): Schema {
  return {
    name: null,
    type: 'string',
    format: null,
    description: '',
    deprecated: false,
    readOnly: false,
    writeOnly: false,
    constraints: [],
    examples: [],
    properties: [],
    items: null,
    additional: null,
    variants: null,
    cut: null,
    ...own,
  };
}

export function sampleOperation(text: Write = plain): OperationPageData {
  const [, product] = sampleProducts(text);
  const field = (name: string, required: boolean, schema: Partial<Schema>) => ({
    name: text(name),
    required,
    schema: sampleSchema(schema),
  });
  const line = sampleSchema({
    name: text('OrderLine'),
    type: 'object',
    properties: [
      field('sku', true, { description: text('Article number.'), constraints: [{ keyword: 'maxLength', value: 64 }] }),
      field('quantity', true, { type: 'integer', constraints: [{ keyword: 'minimum', value: 1 }] }),
      field('parent', false, { type: 'OrderLine', name: text('OrderLine'), cut: 'recursive' }),
    ],
  });
  const order = sampleSchema({
    name: text('NewOrder'),
    type: 'object',
    properties: [
      field('customerId', true, { description: text('Who ordered.') }),
      field('currency', false, {
        description: text('ISO 4217.'),
        constraints: [
          { keyword: 'enum', value: [text('EUR'), 'USD', 'CHF'] },
          { keyword: 'default', value: 'EUR' },
        ],
      }),
      field('deliverAt', false, { type: 'string or null', format: 'date-time', deprecated: true }),
      field('lines', true, {
        type: 'array of OrderLine',
        items: line,
        constraints: [{ keyword: 'maxItems', value: 500 }],
      }),
      field('payment', false, {
        type: 'object',
        variants: {
          kind: 'oneOf',
          schemas: [
            sampleSchema({ name: text('Card'), type: 'object', properties: [field('cardToken', true, {})] }),
            sampleSchema({
              name: text('Invoice'),
              type: 'object',
              properties: [field('dueDays', false, { type: 'integer' })],
            }),
          ],
        },
      }),
      field('labels', false, {
        type: 'object',
        additional: sampleSchema({ constraints: [{ keyword: 'maxLength', value: 40 }] }),
      }),
    ],
  });
  const example = { customerId: text('cus_42'), currency: 'EUR', lines: [{ sku: text('mill-7'), quantity: 2 }] };
  const error = (message: string) => [
    {
      name: 'example',
      summary: '',
      value: { code: 422, status: false, data: { message: text(message) } },
      generated: false,
    },
  ];
  const json = 'application/json';
  return {
    ...sampleGroups(text)[0]!.operations[1]!,
    product: { id: 'prd_1', name: 'orders', displayName: product!.displayName, sandbox: true },
    apiDisplayName: text('Orders'),
    description: text('Places an order. Send an `Idempotency-Key`, so that a repeated call places no second one.'),
    tags: [text('Orders')],
    servers: sampleProduct(text).servers,
    security: [
      [
        {
          name: 'key',
          type: 'apiKey',
          in: 'header',
          parameter: text('x-api-key'),
          scheme: null,
          description: '',
          scopes: [],
        },
      ],
    ],
    parameters: [
      {
        name: text('dryRun'),
        in: 'query',
        required: false,
        deprecated: false,
        description: text('Checks the order and places none.'),
        schema: sampleSchema({ type: 'boolean', constraints: [{ keyword: 'default', value: false }] }),
      },
      {
        name: text('Idempotency-Key'),
        in: 'header',
        required: true,
        deprecated: false,
        description: text('At most 255 characters.'),
        schema: sampleSchema({ format: 'uuid' }),
      },
    ],
    requestBody: {
      required: true,
      description: text('The order.'),
      content: [
        {
          mediaType: json,
          schema: order,
          examples: [{ name: 'example', summary: '', value: example, generated: false }],
        },
      ],
    },
    responses: [
      {
        status: '201',
        description: text('The order was placed.'),
        headers: [{ name: text('etag'), description: text('Its version.'), schema: sampleSchema() }],
        content: [
          {
            mediaType: json,
            schema: order,
            examples: [
              {
                name: 'example',
                summary: '',
                value: { ...example, orderId: 'ord_1', total: 84.5, paid: false },
                generated: false,
              },
            ],
          },
        ],
      },
      {
        status: '401',
        description: text('The key is missing or not valid.'),
        headers: [],
        content: [{ mediaType: json, schema: sampleSchema({ type: 'object' }), examples: error('Send a valid key.') }],
      },
      { status: '429', description: text('The quota is used up.'), headers: [], content: [] },
    ],
    snippets: [
      {
        language: 'curl',
        label: 'curl',
        code: text(
          `curl 'https://api.acme.example/v1/orders' \\\n  -H 'x-api-key: YOUR_API_KEY' \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '${JSON.stringify(example)}'`,
        ),
      },
      {
        language: 'javascript',
        label: 'JavaScript',
        code: text(
          'const response = await fetch("https://api.acme.example/v1/orders", {\n  method: "POST",\n  headers: { "x-api-key": "YOUR_API_KEY" },\n});\nconsole.log(response.status, await response.json());',
        ),
      },
      ...['Python', 'Java', 'Go', 'C#'].map((label) => ({
        language: label.toLowerCase(),
        label,
        code: text(`// ${label}`),
      })),
    ],
  };
}

export function sampleGuide(text: Write = plain): PortalGuide {
  const sections = [
    ['Get a key', 'Create an account, then an app.'],
    ['Send a document', 'Use the snippet.'],
    ['Read the answer', 'Every field has a confidence.'],
  ] as const;
  const ids = ['section-key', 'section-document', 'section-answer'];
  return {
    ...sampleGuides(text)[0]!,
    publishedAt: '2026-01-16T09:00:00.000Z',
    languages: ['en'],
    products: [{ name: 'orders', displayName: text('Orders') }],
    source: sections.map(([heading, body]) => `## ${text(heading)}\n\n${text(body)}`).join('\n\n'),
    html: sections
      .map(([heading, body], index) =>
        String(html`<h2 id="${ids[index]!}">${text(heading)}</h2>\n<p>${text(body)}</p>\n`),
      )
      .join(''),
    headings: sections.map(([heading], index) => ({ id: ids[index]!, level: 2, text: text(heading) })),
  };
}

export function sampleStatus(text: Write = plain): PortalStatus {
  const environment = { reportedAt: '2026-01-15T09:00:00.000Z' };
  return {
    state: 'degraded',
    environments: [
      { ...environment, name: 'production', displayName: text('Production'), state: 'operational' },
      { ...environment, name: 'sandbox', displayName: text('Sandbox'), state: 'degraded' },
      { ...environment, name: 'emea', displayName: text('EMEA'), state: 'unavailable', reportedAt: null },
    ],
    incidents: [
      {
        impact: 'errors',
        state: 'investigating',
        environment: { name: 'production', displayName: text('Production') },
        apis: [{ name: 'orders', displayName: text('Orders') }],
        products: [{ name: 'orders', displayName: text('Orders') }],
        startedAt: '2026-01-15T08:58:00.000Z',
        resolvedAt: null,
      },
      {
        impact: 'slow',
        state: 'resolved',
        environment: { name: 'production', displayName: text('Production') },
        apis: [{ name: 'extraction', displayName: text('Document extraction') }],
        products: [{ name: 'extraction', displayName: text('Document extraction') }],
        startedAt: '2026-01-14T21:10:00.000Z',
        resolvedAt: '2026-01-14T21:35:00.000Z',
      },
    ],
    checkedAt: '2026-01-15T09:00:05.000Z',
  };
}

/** What pages need besides their data. Markdown is shown as one paragraph. */
export function sampleContext(own: Partial<PageContext> & { readonly text?: Write } = {}): PageContext {
  const { text = plain, ...given } = own;
  const language = given.language ?? 'en';
  return {
    portal: samplePortal(text),
    language,
    texts: textsByLanguage[language],
    basePath: '',
    baseUrl: 'https://developers.acme.example',
    files: pageFiles('/files', { version: 'v', byName: new Map() }, '/theme.css'),
    signedIn: false,
    markdown: (source) => html`<p>${source}</p>`,
    ...given,
  };
}

/** Every page of a portal, by its path. */
export function samplePages(context: PageContext, text: Write = plain): Readonly<Record<string, Page>> {
  const catalog = {
    products: sampleProducts(text),
    total: 60,
    tags: ['sales', 'logistics', 'finance', 'documents', 'ai'].map((tag) => ({ tag: text(tag), products: 2 })),
  };
  const query = { search: null, tag: null, page: 2, pageSize: 24 };
  const firstCall = {
    product: 'orders',
    operationId: 'placeOrder',
    title: text('Place an order'),
    code: sampleOperation(text).snippets[0]!.code,
  };
  return {
    '/': homePage(context, { featured: catalog.products.slice(0, 6), guides: sampleGuides(text), firstCall }),
    '/catalog': catalogPage(context, catalog, query),
    '/catalog-empty': catalogPage(
      context,
      { products: [], total: 0, tags: catalog.tags },
      { ...query, page: 1, search: text('x') },
    ),
    '/products/orders': productPage(context, sampleProduct(text), {
      plan: 'business',
      usage: { calls: text('25000') },
    }),
    '/products/orders/operations/placeOrder': operationPage(context, sampleOperation(text), sampleGroups(text), {
      modules: [],
      styles: [],
    }),
    '/guides': guidesPage(context, sampleGuides(text)),
    '/guides/first-call': guidePage(context, sampleGuide(text), sampleGuides(text)),
    '/changes': changesPage(
      context,
      { changes: sampleChanges(text), total: 2 },
      { product: null, page: 1, pageSize: 25 },
    ),
    '/status': statusPage(context, sampleStatus(text)),
    '/absent': notFoundPage(context),
    '/error': errorPage(context, 'req_1'),
    '/account': appPage(context, ['account'], null),
  };
}

/** The pages' own content security policy. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export interface TestPages {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Serves the sample pages on an ephemeral port, by `?lang` and the cookie of the theme. */
export async function startTestPages(text: Write = plain): Promise<TestPages> {
  const files = readStaticFiles();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const language: Language = searchParams.get('lang') === 'de' ? 'de' : 'en';
    const context = sampleContext({ text, language, files: pageFiles('/files', files, '/theme.css') });
    const file = files.byName.get(pathname.split('/').at(-1) ?? '');
    if (pathname === '/theme.css') send(response, 'text/css', themeCss(context.portal));
    else if (pathname === '/favicon.svg') send(response, 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    else if (file !== undefined) send(response, file.mediaType, file.bytes);
    else {
      const page = samplePages(context, text)[pathname] ?? notFoundPage(context);
      const theme = /millrace_portal_theme=(light|dark)/.exec(request.headers.cookie ?? '')?.[1];
      const document = renderPage(context, page);
      send(
        response,
        'text/html; charset=utf-8',
        theme === undefined ? document : withTheme(document, theme as 'light' | 'dark'),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, mediaType: string, body: string | Buffer): void {
  response.writeHead(200, {
    'content-type': mediaType,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
