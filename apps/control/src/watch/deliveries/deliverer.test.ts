import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { verifySignature } from '@millrace/webhooks';
import { startReceiver } from '@millrace/webhooks/testing';
import { sql } from 'kysely';
import { eventCatalogue, type NotificationData } from '../events/contract.ts';
import { enqueueEvent, enqueueNotification, wakeDeliveries } from './enqueue.ts';
import { resendDelivery, stateAfter } from './store.ts';
import { startTcp, startTestWatch, type TestWatch } from './testing.ts';

const incident = eventCatalogue[0]!.example.data as NotificationData<'incident.opened'>;
const subject = { type: 'incident', id: incident.incidentId };
const secret = 'whsec_0123456789012345678901234567890123456789012';

describe('the deliverer', () => {
  let watch: TestWatch;
  before(async () => {
    watch = await startTestWatch();
  });
  after(() => watch.stop());

  const enqueue = (integrationId: string, notificationId: string, changes: object = {}) =>
    watch.within((transaction) =>
      enqueueNotification(transaction, {
        integrationId,
        notificationId,
        kind: 'incident.opened',
        subject,
        data: incident,
        at: new Date(),
        ...changes,
      }),
    );
  const hook = (port: number) => ({ kind: 'webhook', url: `http://127.0.0.1:${port}/hook` });
  const makeDue = () =>
    sql`update integration_deliveries set run_at = now() where state = 'queued'`.execute(watch.opened.database.system);
  const attemptsOf = async (id: string, count: number) =>
    eventually(`${count} attempts`, async () => {
      const [delivery] = (await watch.deliveries(id)).deliveries;
      return delivery !== undefined && delivery.attemptCount >= count && delivery;
    });

  test('sends a signed notification once, retries it with the same id and content, and lists the answers', async () => {
    const statuses = [500, 204];
    const receiver = await startReceiver((_, response) => response.writeHead(statuses.shift() ?? 200).end());
    const id = await watch.addIntegration(hook(receiver.port), secret);
    assert.equal(await enqueue(id, 'a:1'), true);
    assert.equal(await enqueue(id, 'a:1'), false, 'the same notification again');
    const deliverers = [watch.deliver(), watch.deliver()];
    try {
      const failed = await attemptsOf(id, 1);
      assert.equal(failed.state, 'queued');
      assert.equal(failed.attempts[0]?.error?.code, 'unsuccessful_status');
      // After its end, which is between its beginning and now.
      const inMs = Date.parse(failed.nextAttemptAt!) - Date.parse(failed.attempts[0]!.at);
      const leftMs = Date.parse(failed.nextAttemptAt!) - Date.now();
      assert(inMs > 28_000 && leftMs < 33_000, `retried after ${inMs} ms, in ${leftMs} ms`);
      await makeDue();
      const delivered = await attemptsOf(id, 2);
      assert.equal(delivered.state, 'delivered');
      assert.deepEqual(
        delivered.attempts.map(({ number, status }) => [number, status]),
        [
          [1, 500],
          [2, 204],
        ],
      );
      const [first, second, ...others] = receiver.posts;
      assert.equal(others.length, 0);
      assert.deepEqual(first?.body, second?.body);
      for (const post of [first!, second!]) {
        assert.equal(post.headers['x-svc-delivery'], delivered.id);
        assert.equal(verifySignature(String(post.headers['x-svc-signature']), post.body, secret), null);
      }
      const body = JSON.parse(first!.body.toString());
      assert.deepEqual([body.event, body.data], ['incident.opened', incident]);
      assert.equal((await watch.integration(id)).health, 'working');
    } finally {
      await Promise.all(deliverers.map((deliverer) => deliverer.stop(1_000)));
      await receiver.close();
    }
    assert.deepEqual(watch.errors, []);
  });

  test('receivers that hang, fail, redirect inwards or close half-way delay nobody and lose nothing', async () => {
    const inner = await startReceiver((_, response) => response.end());
    const good = await startReceiver((_, response) => response.end('ok'));
    const bad = {
      timeout: await startTcp(() => undefined),
      unsuccessful_status: await startReceiver((_, response) => response.writeHead(500).end(`no ${secret}`)),
      redirect: await startReceiver((_, response) =>
        response.writeHead(307, { location: `http://127.0.0.1:${inner.port}/inner` }).end(),
      ),
      connection_closed: await startTcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
      ),
    };
    const ids = new Map<string, string>();
    for (const [code, { port }] of Object.entries(bad)) ids.set(code, await watch.addIntegration(hook(port), secret));
    const goodId = await watch.addIntegration(hook(good.port), secret);
    for (const id of ids.values()) {
      for (let n = 0; n < 20; n += 1) await enqueue(id, `n:${n}`, { subject: { type: 'incident', id: `inc_${n}` } });
    }
    const deliverer = watch.deliver();
    try {
      await eventually('the bad ones to be tried', async () => bad.unsuccessful_status.posts.length > 0);
      for (let n = 0; n < 50; n += 1) {
        await enqueue(goodId, `n:${n}`, { subject: { type: 'incident', id: `inc_${n}` } });
      }
      const startedMs = performance.now();
      wakeDeliveries();
      await eventually('the good receiver', () => good.posts.length === 50);
      const tookMs = performance.now() - startedMs;
      // Behind the twenty that hang, four at once for 15 s each, it would wait for 75 s.
      assert(tookMs < 60_000, `the good receiver waited ${tookMs} ms`);
      for (const [code, id] of ids) {
        const tried = await eventually(code, async () => {
          const { deliveries } = await watch.deliveries(id);
          return deliveries.find(({ attemptCount }) => attemptCount > 0) ?? null;
        });
        assert.equal(tried.attempts[0]?.error?.code, code);
        assert.equal(tried.state, 'queued', 'it is tried again');
        assert(!JSON.stringify(tried).includes(secret), 'the secret that an answer repeats is not kept');
        assert.equal((await watch.deliveries(id)).total, 20, 'nothing is lost');
      }
      assert.equal(inner.posts.length, 0, 'a redirect is not followed');
    } finally {
      await deliverer.stop(2_000);
      for (const server of [inner, good, ...Object.values(bad)]) await server.close();
    }
    const failing = await watch.integration(ids.get('unsuccessful_status')!);
    assert.equal(failing.health, 'failing');
    assert.match(failing.lastError ?? '', /returned 500/);
    await sql`delete from integrations`.execute(watch.opened.database.system);
  });

  test('what is about one incident arrives in order, and an acknowledgement stops what was to follow', async () => {
    let fails = true;
    const receiver = await startReceiver((_, response) => response.writeHead(fails ? 503 : 200).end());
    const id = await watch.addIntegration(hook(receiver.port), secret);
    let isOpen = true;
    await enqueue(id, 'o:1');
    await enqueue(id, 'o:2', {
      kind: 'incident.escalated',
      sendIf: 'incident_unacknowledged',
      at: new Date(Date.now() + 60_000),
    });
    const deliverer = watch.deliver({ conditions: { incident_unacknowledged: async () => isOpen } });
    try {
      await eventually('the first attempt', () => receiver.posts.length === 1);
      await enqueue(id, 'o:3', { kind: 'incident.acknowledged' });
      await sql`select pg_sleep(0.3)`.execute(watch.opened.database.system);
      assert.equal(receiver.posts.length, 1, 'a later one waits for the one that is retried');
      isOpen = false;
      fails = false;
      await makeDue();
      await eventually('the rest', () => receiver.posts.length === 3);
      const skipped = await eventually('the skipped one', async () => {
        const { deliveries } = await watch.deliveries(id);
        return deliveries.find(({ state }) => state === 'skipped') ?? null;
      });
      assert.equal(skipped.notificationId, 'o:2');
      assert.deepEqual(
        receiver.posts.map(({ body }) => JSON.parse(body.toString()).event),
        ['incident.opened', 'incident.opened', 'incident.acknowledged'],
      );
      await watch.within((transaction) => resendDelivery(transaction, skipped));
      await eventually('the one sent by hand', () => receiver.posts.length === 4);
      assert.equal(JSON.parse(receiver.posts[3]!.body.toString()).event, 'incident.escalated');
    } finally {
      await deliverer.stop(1_000);
      await receiver.close();
    }
  });

  test('a lease that a dead process left ends, and the same notification is sent once more', async () => {
    const receiver = await startReceiver((_, response) => response.end());
    const id = await watch.addIntegration(hook(receiver.port), secret);
    await enqueue(id, 'l:1');
    await sql`update integration_deliveries set lease_until = now() + interval '1 second'
      where integration_id = ${id}`.execute(watch.opened.database.system);
    const deliverer = watch.deliver();
    try {
      await sql`select pg_sleep(0.4)`.execute(watch.opened.database.system);
      assert.equal(receiver.posts.length, 0);
      await eventually('the end of the lease', () => receiver.posts.length === 1);
    } finally {
      await deliverer.stop(1_000);
      await receiver.close();
    }
  });

  test('an event goes to the integrations that subscribe to it, and not to disabled ones', async () => {
    const subscribed = await watch.addIntegration({ ...hook(4_000), events: ['deployment.failed'] }, secret);
    const other = await watch.addIntegration({ ...hook(4_000), events: ['invoice.paid'] }, secret);
    const disabled = await watch.addIntegration({ ...hook(4_000), events: ['deployment.failed'] }, secret);
    await sql`update integrations set enabled = false where id = ${disabled}`.execute(watch.opened.database.system);
    const { data } = eventCatalogue.find(({ kind }) => kind === 'deployment.failed')!.example;
    const event = { kind: 'deployment.failed', subject: { type: 'deployment', id: 'dep_1' }, at: new Date() } as const;
    const count = await watch.within((transaction) =>
      enqueueEvent(transaction, {
        ...event,
        notificationId: 'e:1',
        data: data as NotificationData<'deployment.failed'>,
      }),
    );
    assert.equal(count, 1);
    assert.equal((await watch.deliveries(subscribed)).total, 1);
    assert.equal((await watch.deliveries(other)).total + (await watch.deliveries(disabled)).total, 0);
    assert.equal(await enqueue(disabled, 'e:2'), false);
  });

  test('an attempt by hand changes the schedule of none', () => {
    const error = { code: 'timeout', message: 'No response.' } as const;
    const after = (resent_from: null | 'queued' | 'delivered' | 'failed' | 'skipped', scheduled_attempts: number) =>
      stateAfter({ resent_from, scheduled_attempts }, error);
    assert.deepEqual(after(null, 0), { state: 'queued', retryAfterMs: 30_000 });
    assert.deepEqual(after(null, 5), { state: 'failed', retryAfterMs: null });
    assert.deepEqual(after('queued', 2), { state: 'queued', retryAfterMs: 120_000 });
    assert.deepEqual(after('delivered', 1), { state: 'delivered', retryAfterMs: null });
    assert.deepEqual(after('skipped', 0), { state: 'failed', retryAfterMs: null });
  });
});
