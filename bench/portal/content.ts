import { newId } from '@millrace/identifiers';
import type pg from 'pg';

/** What a benchmark's portal contains. */
export interface BenchPortal {
  /** In the portal's address. */
  readonly organization: string;
  /** Names of the products, in the catalog's order; the last one has the large reference. */
  readonly products: readonly string[];
  /** Of each product but the last. */
  readonly operationsEach: readonly string[];
  readonly largeOperations: readonly string[];
  readonly guides: readonly string[];
}

const subjects = ['Orders', 'Stock', 'Invoices', 'Customers', 'Shipments', 'Payments', 'Returns', 'Prices'] as const;
const tags = ['sales', 'logistics', 'finance', 'documents', 'identity'] as const;
const verbs = [
  ['get', '', 'list', 'List'],
  ['post', '', 'create', 'Create'],
  ['get', '/{id}', 'get', 'Show'],
  ['patch', '/{id}', 'change', 'Change'],
  ['delete', '/{id}', 'delete', 'Delete'],
] as const;

/** An organization with an open portal: products with a reference, two rate plans each, guides and changes. */
export async function fillPortal(
  client: pg.Client,
  { productCount, operationCount, largeCount }: { productCount: number; operationCount: number; largeCount: number },
): Promise<BenchPortal> {
  const organizationId = newId('org');
  const organization = `bench-${organizationId.slice(-8).replaceAll('_', '-')}`;
  await client.query('insert into organizations (id, name, display_name) values ($1, $2, $3)', [
    organizationId,
    organization,
    'Bench Industries',
  ]);
  const products: string[] = [];
  for (let index = 0; index < productCount; index++) {
    const isLarge = index === productCount - 1;
    products.push(await fillProduct(client, organizationId, index, isLarge ? largeCount : operationCount));
  }
  const guides = await fillGuides(client, organizationId);
  const { rows } = await client.query<{ id: string }>(
    'select id from products where organization_id = $1 order by created_at, id limit 6',
    [organizationId],
  );
  await client.query('insert into portal_settings (organization_id, open, settings) values ($1, true, $2)', [
    organizationId,
    JSON.stringify({
      title: 'Bench developers',
      texts: {
        en: {
          headline: 'Orders, stock and payments, by API',
          introduction: 'Everything that the shop does, as APIs with clear prices: find one, read it, try it, use it.',
          footer: 'Bench Industries',
        },
        de: { headline: '', introduction: '', footer: '' },
      },
      catalog: { order: [], featured: rows.map(({ id }) => id), hidden: [] },
    }),
  ]);
  await client.query('vacuum analyze');
  return {
    organization,
    products,
    operationsEach: operationsOf(operationCount).map(({ operationId }) => operationId),
    largeOperations: operationsOf(largeCount).map(({ operationId }) => operationId),
    guides,
  };
}

async function fillProduct(
  client: pg.Client,
  organizationId: string,
  index: number,
  operationCount: number,
): Promise<string> {
  const subject = subjects[index % subjects.length]!;
  const name = `${subject.toLowerCase()}-${index}`;
  const title = `${subject} ${index}`;
  const [productId, proxyId, specificationId] = [newId('prd'), newId('prx'), newId('spc')];
  const description = `Read and change ${subject.toLowerCase()}, with filters, paging and versions. Every answer says what it counted.`;
  await client.query(
    `insert into proxies (id, organization_id, name, display_name, description, base_path, protocol, auth_scheme, tags, stage, content_hash, created_by)
     values ($1, $2, $3, $4, $5, $6, 'rest', 'api_key', $7, 'published', 'x', 'usr_bench')`,
    [proxyId, organizationId, name, title, description, `/v1/${name}`, [tags[index % tags.length]]],
  );
  await client.query(
    `insert into products (id, organization_id, name, display_name, description, public, auto_approve, published, quota)
     values ($1, $2, $3, $4, $5, true, true, true, '{"limit": 10000, "window": {"unit": "day", "count": 1}}')`,
    [productId, organizationId, name, title, description],
  );
  await client.query('insert into product_proxies (organization_id, product_id, proxy_id) values ($1, $2, $3)', [
    organizationId,
    productId,
    proxyId,
  ]);
  await client.query(
    `insert into specifications (id, organization_id, proxy_id, title, api_version, source, state, document, published_document, published_at, published_api_version)
     values ($1, $2, $3, $4, '1.0.0', 'uploaded', 'published', $5, $5, now(), '1.0.0')`,
    [specificationId, organizationId, proxyId, title, JSON.stringify(benchDocument(title, operationCount))],
  );
  for (const [plan, terms] of Object.entries(planTerms)) {
    await client.query(
      `insert into rate_plans (id, organization_id, product_id, name, display_name, description, state, terms)
       values ($1, $2, $3, $4, $5, 'For everybody who begins.', 'published', $6)`,
      [
        newId('rpl'),
        organizationId,
        productId,
        plan,
        plan === 'starter' ? 'Starter' : 'Business',
        JSON.stringify(terms),
      ],
    );
  }
  await client.query(
    `insert into portal_changes (id, organization_id, proxy_id, kind, api_version, breaking, changes, total)
     values ($1, $2, $3, 'published', '1.0.0', false, '[]', 0)`,
    [newId('pcg'), organizationId, proxyId],
  );
  return name;
}

const terms = {
  currency: 'EUR',
  feeTiming: 'arrears',
  proration: 'second',
  setupFee: null,
  minimumSpend: null,
  maximumSpend: null,
  trialDays: 14,
  creditExpiry: null,
};
const charge = { name: 'calls', meter: 'requests', statusClasses: [2, 3], proxyIds: null, allowance: '1000' };
const planTerms = {
  starter: {
    ...terms,
    type: 'pay_as_you_go',
    recurringFee: null,
    charges: [{ ...charge, model: 'per_unit', unitPrice: '0.01' }],
  },
  business: {
    ...terms,
    type: 'tiered',
    recurringFee: '49',
    charges: [
      {
        ...charge,
        model: 'graduated',
        tiers: [
          { upTo: '10000', unitPrice: '0.008', flatFee: '0' },
          { upTo: null, unitPrice: '0.005', flatFee: '0' },
        ],
      },
    ],
  },
} as const;

async function fillGuides(client: pg.Client, organizationId: string): Promise<readonly string[]> {
  const slugs = ['first-call', 'errors', 'paging', 'versions'];
  const paragraph =
    'Create an account, then an app, and choose a plan. The key is shown once: keep it where your program reads it.';
  const source = ['Get a key', 'Send a request', 'Read the answer', 'Handle errors']
    .map(
      (heading) =>
        `## ${heading}\n\n${paragraph}\n\n\`\`\`sh\ncurl https://api.example/v1/orders -H 'x-api-key: …'\n\`\`\`\n`,
    )
    .join('\n');
  for (const [position, slug] of slugs.entries()) {
    const id = newId('gde');
    await client.query(
      `insert into portal_guides (id, organization_id, slug, language, position, published_version, published_at)
       values ($1, $2, $3, 'en', $4, 1, now())`,
      [id, organizationId, slug, position],
    );
    await client.query(
      `insert into portal_guide_versions (organization_id, guide_id, guide_version, title, summary, source, created_by, created_by_name)
       values ($1, $2, 1, $3, 'What you need to know, in five minutes.', $4, 'usr_bench', 'Bench')`,
      [organizationId, id, `About ${slug.replace('-', ' ')}`, source],
    );
  }
  return slugs;
}

interface BenchOperation {
  readonly operationId: string;
  readonly path: string;
  readonly method: string;
  readonly summary: string;
  readonly tag: string;
}

/** Operations on things, five for each. */
function operationsOf(count: number): readonly BenchOperation[] {
  return Array.from({ length: count }, (_, index) => {
    const thing = Math.floor(index / verbs.length);
    const [method, suffix, verb, word] = verbs[index % verbs.length]!;
    return {
      operationId: `${verb}Thing${thing}`,
      path: `/things-${thing}${suffix}`,
      method,
      summary: `${word} things of kind ${thing}`,
      tag: `Things ${Math.floor(thing / 8)}`,
    };
  });
}

/** An OpenAPI 3.1 document with so many operations, each with parameters, schemas, examples and errors. */
export function benchDocument(title: string, operationCount: number): object {
  const paths: Record<string, Record<string, object>> = {};
  const schemas: Record<string, object> = { Problem: problemSchema, Address: addressSchema };
  for (const { operationId, path, method, summary, tag } of operationsOf(operationCount)) {
    const thing = path.split('/')[1]!;
    schemas[thing] ??= thingSchema(thing);
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${thing}` } } };
    const problem = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } };
    paths[path] ??= {};
    paths[path][method] = {
      operationId,
      summary,
      tags: [tag],
      description: `${summary}, with everything that belongs to them. Answers carry an \`etag\`; send it back as \`if-match\`.`,
      parameters: path.includes('{id}')
        ? [{ name: 'id', in: 'path', required: true, description: 'Of the thing.', schema: { type: 'string' } }]
        : [
            { name: 'after', in: 'query', description: 'Begins after this id.', schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 } },
          ],
      ...(method === 'post' || method === 'patch' ? { requestBody: { required: true, content } } : {}),
      responses: {
        '200': { description: 'The thing.', content },
        '400': { description: 'A field is not valid.', ...problem },
        '401': { description: 'The key is missing or not valid.', ...problem },
        '429': { description: 'The quota is used up.', ...problem },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0' },
    servers: [{ url: 'https://api.example' }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    },
  };
}

const text = (description: string, own: object = {}) => ({ type: 'string', description, ...own });

function thingSchema(name: string): object {
  return {
    type: 'object',
    required: ['id', 'name', 'lines'],
    properties: {
      id: text('Identifies it.', { examples: [`${name}_42`] }),
      name: text('As people call it.', { maxLength: 100 }),
      state: text('Where it is in its life.', { enum: ['draft', 'placed', 'shipped', 'done'] }),
      createdAt: text('When it was made.', { format: 'date-time' }),
      address: { $ref: '#/components/schemas/Address' },
      lines: {
        type: 'array',
        maxItems: 500,
        items: {
          type: 'object',
          required: ['sku'],
          properties: {
            sku: text('Article number.'),
            quantity: { type: 'integer', minimum: 1, default: 1 },
            parent: { $ref: `#/components/schemas/${name}` },
          },
        },
      },
    },
  };
}

const addressSchema = {
  type: 'object',
  properties: { street: text('Street and number.'), city: text('City.'), country: text('ISO 3166.', { maxLength: 2 }) },
};
const problemSchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: text('What happened, and what to do.'),
    errors: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
