import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  addBilled,
  addCalls,
  closeNext,
  invoicesOf,
  openPeriods,
  pastMonths,
  setUpBilling,
} from '@millrace/control/billing-periods/testing';
import type { TestCaller, TestControl } from '@millrace/control/testing';
import { addEnvironment, deploy, done, isLive, type Manager, startNode } from '@millrace/gateway/testing-platform';

/** What the target was sent last. */
export interface TestTarget {
  readonly port: number;
  readonly requests: { method: string; path: string; headers: Readonly<Record<string, unknown>>; body: Buffer }[];
  stop(): void;
}

/** The API behind the gateway: orders as JSON, and documents whose size it reports. */
export async function startOrders(): Promise<TestTarget> {
  const requests: TestTarget['requests'] = [];
  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const path = incoming.url ?? '';
    requests.push({ method: incoming.method ?? '', path, headers: incoming.headers, body });
    const found = !path.includes('absent');
    answer.writeHead(found ? 200 : 404, { 'content-type': 'application/json', 'x-units': '3' });
    if (!found) answer.end(JSON.stringify({ error: 'No such order.' }));
    else if (path.startsWith('/documents')) answer.end(JSON.stringify({ kind: 'invoice', bytes: body.length }));
    else answer.end(JSON.stringify({ orders: [{ id: 'ord_1', total: 84.5 }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A product of the portal, which its gateway serves. */
interface TestProduct {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly proxyId: string;
  /** Rate plans by their name. */
  readonly plans: Readonly<Record<string, string>>;
}

/** An organization's APIs, deployed on a gateway node. */
export interface TestApis {
  readonly orders: TestProduct;
  /** Needs approval. */
  readonly stock: TestProduct;
  readonly gatewayUrl: string;
  stop(): Promise<void>;
}

const order = { type: 'object', properties: { orderId: { type: 'string' }, quantity: { type: 'integer' } } };
const answered = { 200: { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } } };
const document = (basePath: string) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1.0.0' },
  servers: [{ url: basePath }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        summary: 'List orders',
        parameters: [
          { name: 'state', in: 'query', description: 'Only orders in this state.', schema: { enum: ['open', 'sent'] } },
        ],
        responses: answered,
      },
      post: {
        operationId: 'placeOrder',
        summary: 'Place an order',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: order, example: { orderId: 'ord_7', quantity: 2 } } },
        },
        responses: answered,
      },
    },
    '/orders/{orderId}': {
      get: {
        operationId: 'getOrder',
        summary: 'Show an order',
        parameters: [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' }, example: 'ord_1' }],
        responses: answered,
      },
    },
    '/documents': {
      post: {
        operationId: 'readDocument',
        summary: 'Read a document',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: {
                  file: { type: 'string', contentMediaType: 'application/pdf', description: 'The document.' },
                  kind: { type: 'string' },
                },
              },
            },
          },
        },
        responses: answered,
      },
    },
  },
});

/** An API proxy with its published specification, deployed. */
async function addApi(manager: Manager, environmentId: string, name: string): Promise<string> {
  const basePath = `/v1/${name}`;
  const api = { name, displayName: name, basePath, authScheme: 'api_key' };
  const { id: proxyId } = await done(manager, 'POST', '/proxies', api);
  const routes = [
    ['GET', '/orders'],
    ['POST', '/orders'],
    ['GET', '/orders/{orderId}'],
    ['POST', '/documents'],
  ] as const;
  for (const [method, pathPattern] of routes) {
    await done(manager, 'POST', `/proxies/${proxyId}/routes`, { method, pathPattern, targetServer: 'backend' });
  }
  await done(manager, 'POST', `/proxies/${proxyId}/policies`, { kind: 'verify-api-key' });
  const uploaded = { proxyId, document: JSON.stringify(document(basePath)) };
  const specification = await done(manager, 'POST', '/specifications', uploaded);
  await done(manager, 'POST', `/proxies/${proxyId}/revisions`, {});
  await done(manager, 'POST', `/specifications/${specification.id}/publish`, {});
  await isLive(manager, await deploy(manager, { proxyId, environmentId, revision: 1 }));
  return proxyId;
}

async function addProduct(
  manager: Manager,
  product: { readonly name: string; readonly displayName: string; readonly autoApprove: boolean },
  proxyId: string,
): Promise<TestProduct> {
  const body = { ...product, description: `Everything about ${product.name}.`, public: true };
  const { id } = await done(manager, 'POST', '/products', body);
  await done(manager, 'PUT', `/products/${id}/proxies/${proxyId}`, {});
  await done(manager, 'POST', `/products/${id}/publish`);
  const plans: Record<string, string> = {};
  const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.01', allowance: '100' };
  const offered = [
    { name: 'starter', displayName: 'Starter', type: 'pay_as_you_go', charges: [charge] },
    { name: 'business', displayName: 'Business', type: 'flat', recurringFee: '49', charges: [charge] },
    { name: 'prepaid', displayName: 'Prepaid', type: 'prepaid', charges: [{ ...charge, allowance: '0' }] },
  ];
  for (const plan of offered) {
    const { id: planId } = await done(manager, 'POST', '/rate-plans', { ...plan, productId: id, currency: 'EUR' });
    await done(manager, 'POST', `/rate-plans/${planId}/publish`);
    plans[plan.name] = planId;
  }
  return { id, name: product.name, displayName: product.displayName, proxyId, plans };
}

/** Gives an organization two products behind a gateway node of its own. */
export async function addApis(manager: Manager, controlUrl: string, target: TestTarget): Promise<TestApis> {
  const environmentId = await addEnvironment(manager, target);
  const node = await startNode(manager, controlUrl, environmentId);
  const proxyId = await addApi(manager, environmentId, 'shop');
  const orders = { name: 'orders', displayName: 'Orders', autoApprove: true };
  const stock = { name: 'stock', displayName: 'Stock', autoApprove: false };
  return {
    orders: await addProduct(manager, orders, proxyId),
    stock: await addProduct(manager, stock, proxyId),
    gatewayUrl: node.url,
    stop: () => node.stop(),
  };
}

const buyer = {
  name: 'Example Shops',
  address: { lines: ['12 High Street'], postalCode: 'D02 XY00', city: 'Dublin', countryCode: 'IE' },
};

/** An issued invoice to a developer, for 1,200 calls of three months ago; its id. */
export async function addInvoice(
  control: TestControl,
  administrator: TestCaller,
  developerId: string,
): Promise<string> {
  const [firstDay] = pastMonths();
  const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.05' };
  await setUpBilling(administrator);
  await done(administrator, 'PATCH', `/developers/${developerId}`, { billing: buyer });
  const billed = await addBilled(control, administrator, { charges: [charge] }, { startsAt: firstDay, developerId });
  await addCalls(control, administrator.organizationId, billed, { at: `${firstDay}T12:00:00Z`, requests: 1_200 });
  const periodId = await openPeriods(administrator, firstDay);
  await closeNext(administrator);
  const [invoice] = await invoicesOf(administrator, periodId);
  assert.ok(invoice);
  if (invoice.state === 'draft') await done(administrator, 'POST', `/billing/invoices/${invoice.id}/issue`);
  return invoice.id;
}

/** Opens the present billing period, so that usage is priced. */
export async function openBilling(administrator: TestCaller): Promise<void> {
  await setUpBilling(administrator);
  await openPeriods(administrator, `${new Date().toISOString().slice(0, 7)}-01`);
}
