import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ConsumersPage } from '@millrace/gateway-configuration/consumers';
import { sql } from 'kysely';
import { addNode } from '../../delivery/gateway-nodes/testing.ts';
import { addEnvironment } from '../../design/proxies/testing.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import {
  addApp,
  addDeveloper,
  addProduct,
  addProxy,
  type Consumers,
  done,
  publishedConsumers,
  storedConsumers,
} from '../products/testing.ts';

/** Numbers from 0 to 1, the same at every run (mulberry32). */
function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Many more than are written at once. */
const rounds = 60;
const atOnce = 6;

describe('changes of consumers for gateway nodes', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  /** Approves what the administrator asks for. */
  let approver: TestCaller;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    approver = await control.addUser(organizationId, ['organization_administrator']);
  });
  after(() => control.stop());

  test('always match the tables, and reading on from a sequence misses nothing', async () => {
    const random = randomFrom(20_260_115);
    const proxies = await Promise.all(Array.from({ length: 3 }, () => addProxy(control, organizationId, 2)));
    const writes = randomWrites(random, administrator, approver, proxies);
    const node = followChanges(control, organizationId);
    const statuses = new Map<number, number>();
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(Array.from({ length: atOnce }, () => writes()));
      for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      assert.deepEqual(
        await publishedConsumers(control, organizationId),
        await storedConsumers(control, organizationId),
        `after round ${round}`,
      );
    }
    const held = await node.stop();
    assert.deepEqual(held, await storedConsumers(control, organizationId));
    const kinds = new Set(Object.keys(held).map((name) => name.split(' ')[0]));
    assert.deepEqual([...kinds].toSorted(), ['app', 'credential', 'developer', 'product', 'subscription']);
    assert.deepEqual(
      [...statuses.keys()].filter((status) => ![200, 201, 400, 404, 409].includes(status)),
      [],
      'nothing failed',
    );
    assert.ok((statuses.get(200) ?? 0) > rounds, 'enough was written');
  });

  test('a waiting node gets everything that stops traffic within a second', async () => {
    const environmentId = await addEnvironment(control, organizationId);
    const node = await addNode(control, administrator, environmentId);
    const productId = await addProduct(administrator, { autoApprove: true });
    const developerId = await addDeveloper(administrator);
    const appId = await addApp(administrator, developerId);
    const credentialId = (await done(administrator, 'POST', `/apps/${appId}/credentials`, { name: 'One' })).id;
    const subscriptionId = (await done(administrator, 'POST', '/subscriptions', { appId, productId })).id;
    // It holds every manifest that there is, so that consumers alone wake it.
    const pageAfter = async (held: number, waitSeconds: number) => {
      const query = `sequence=1000000&consumers=${held}&waitSeconds=${waitSeconds}`;
      const { data } = await node.call('GET', `/gateway/configuration?${query}`);
      return ConsumersPage.parse(JSON.parse(data.consumers.text));
    };
    let held = 0;
    for (let more = true; more; ) {
      const page = await pageAfter(held, 0);
      held = page.upTo;
      more = page.more;
    }
    const reason = { reason: 'The contract has ended.' };
    for (const [move, kind, id, body] of [
      [`/products/${productId}/suspend`, 'product', productId, undefined],
      [`/developers/${developerId}/suspend`, 'developer', developerId, undefined],
      [`/apps/${appId}/suspend`, 'app', appId, undefined],
      [`/apps/${appId}/credentials/${credentialId}/revoke`, 'credential', credentialId, undefined],
      [`/subscriptions/${subscriptionId}/revoke`, 'subscription', subscriptionId, reason],
    ] as const) {
      const waiting = pageAfter(held, 20);
      await wait(50);
      await done(administrator, 'POST', move, body);
      const doneMs = performance.now();
      const page = await waiting;
      const tookMs = performance.now() - doneMs;
      assert.ok(tookMs < 15_000, `${move} was delivered after ${Math.round(tookMs)} ms`);
      held = page.upTo;
      assert.deepEqual(
        page.changes.map((change) => [change.kind, change.id]),
        [[kind, id]],
      );
      const [change] = page.changes;
      const stopped = change?.value === null || (change?.value && 'active' in change.value && !change.value.active);
      assert.ok(stopped, move);
    }
  });
});

/** Follows the changes as a node does: what is newer than what it holds, again and again. */
function followChanges({ opened }: TestControl, organizationId: string) {
  const held = new Map<string, unknown>();
  let sequence = '0';
  const read = async () => {
    const { rows } = await sql<{ name: string; value: unknown; sequence: string }>`
      select kind || ' ' || id as name, value, sequence from consumer_changes
      where organization_id = ${organizationId} and sequence > ${sequence} order by sequence`.execute(
      opened.database.system,
    );
    for (const row of rows) {
      if (row.value === null) held.delete(row.name);
      else held.set(row.name, row.value);
      sequence = row.sequence;
    }
  };
  let stopped = false;
  const following = (async () => {
    while (!stopped) {
      await read();
      await wait(1);
    }
  })();
  return {
    /** What it holds once all is read. */
    stop: async (): Promise<Consumers> => {
      stopped = true;
      await following;
      await read();
      return Object.fromEntries(held);
    },
  };
}

/** A function that performs a write of consumers and returns its status; later ones write what it creates. */
function randomWrites(
  random: () => number,
  caller: TestCaller,
  approver: TestCaller,
  proxies: readonly { readonly proxyId: string; readonly routeIds: readonly string[] }[],
): () => Promise<number> {
  const known = {
    products: [] as string[],
    developers: [] as string[],
    apps: [] as string[],
    credentials: [] as string[],
    subscriptions: [] as string[],
  };
  let names = 0;
  const pick = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  const make = async (kind: keyof typeof known, path: string, body: object, idOf = (id: string) => id) => {
    const { status, data } = await caller.call('POST', path, body);
    if (status === 201) known[kind].push(idOf(data.id));
    return status;
  };
  const write = async (method: string, path: string, body?: object) => (await caller.call(method, path, body)).status;
  const quota = () =>
    random() < 0.3 ? null : { limit: 1 + Math.floor(random() * 9), window: { unit: 'day', count: 1 } };
  const name = () => `name-${names++}`;
  const of = (kind: keyof typeof known) => pick(known[kind]) ?? 'app_none';
  const state = () => pick(['suspend', 'activate']);
  const credential = (move: string, body?: object) => write('POST', `/apps/${of('credentials')}/${move}`, body);
  const subscription = (method: string, move: string, body?: object) =>
    write(method, `/subscriptions/${of('subscriptions')}/${move}`, body);
  const approve = async () => (await approver.call('POST', `/subscriptions/${of('subscriptions')}/approve`)).status;
  const kinds: readonly (() => Promise<number>)[] = [
    async () => {
      const status = await make('products', '/products', {
        name: name(),
        displayName: 'Some',
        autoApprove: random() < 0.5,
        quota: quota(),
      });
      await write('POST', `/products/${known.products.at(-1)}/publish`);
      return status;
    },
    () => write('PATCH', `/products/${of('products')}`, { name: name(), quota: quota() }),
    () => write('POST', `/products/${of('products')}/${state()}`),
    () => {
      const { proxyId, routeIds } = pick(proxies)!;
      const bundled = random() < 0.5 ? null : routeIds.slice(0, 1);
      return write('PUT', `/products/${of('products')}/proxies/${proxyId}`, { routeIds: bundled });
    },
    () => write('DELETE', `/products/${of('products')}/proxies/${pick(proxies)?.proxyId}`),
    () => (random() < 0.2 ? write('DELETE', `/products/${of('products')}`) : write('GET', '/products')),
    () => make('developers', '/developers', { email: `${name()}@example.com`, name: 'Some' }),
    () => write('PATCH', `/developers/${of('developers')}`, { name: name() }),
    () => write('POST', `/developers/${of('developers')}/${state()}`),
    () => (random() < 0.3 ? write('DELETE', `/developers/${of('developers')}`) : write('GET', '/developers')),
    () => make('apps', '/apps', { developerId: of('developers'), name: name(), displayName: 'Some' }),
    () => make('apps', '/apps', { developerId: of('developers'), name: name(), displayName: 'Some' }),
    () => write('PATCH', `/apps/${of('apps')}`, { name: name() }),
    () => write('POST', `/apps/${of('apps')}/${state()}`),
    () => (random() < 0.3 ? write('DELETE', `/apps/${of('apps')}`) : write('GET', '/apps')),
    () => {
      const appId = of('apps');
      return make('credentials', `/apps/${appId}/credentials`, { name: 'Some' }, (id) => `${appId}/credentials/${id}`);
    },
    () => credential('rotate', { graceSeconds: pick([0, 60]) }),
    () => (random() < 0.5 ? credential('revoke') : credential('reveal')),
    () => make('subscriptions', '/subscriptions', { appId: of('apps'), productId: of('products') }),
    () => make('subscriptions', '/subscriptions', { appId: of('apps'), productId: of('products') }),
    approve,
    () => (random() < 0.5 ? subscription('POST', 'reject', { reason: 'No.' }) : approve()),
    () => (random() < 0.5 ? subscription('POST', 'revoke', { reason: 'No.' }) : approve()),
    () => subscription('PUT', 'quota', { limit: 3, window: { unit: 'hour', count: 1 } }),
    () => subscription('DELETE', 'quota'),
  ];
  return () => pick(kinds)!();
}
