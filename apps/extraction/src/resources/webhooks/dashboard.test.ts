import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { verifySignature } from '@millrace/webhooks';
import { type Receiver, startReceiver } from '@millrace/webhooks/testing';
import { sql } from 'kysely';
import { finishDocument } from '../../delivery/testing.ts';
import { mailsTo, signInAs, type TestAnswer } from '../../http/dashboard-testing.ts';
import { startTestService, type TestService } from '../../http/testing.ts';

describe('webhooks in the dashboard', () => {
  let service: TestService;
  let administrator: Awaited<ReturnType<typeof signInAs>>;
  const receivers: Receiver[] = [];
  before(async () => {
    service = await startTestService();
    administrator = await signInAs(service, { role: 'administrator' });
  });
  after(async () => {
    await service.stop();
    for (const receiver of receivers) await receiver.close();
  });

  /** An endpoint whose receiver answers with what `answer` says at the time. */
  async function addEndpoint(answer = { status: 200 }) {
    const receiver = await startReceiver((_request, response) => {
      response.writeHead(answer.status, { 'content-type': 'text/plain' });
      response.end('Grüße');
    });
    receivers.push(receiver);
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const { status, body } = await administrator.call('POST', '/webhooks', { url });
    assert.equal(status, 201);
    return { receiver, answer, url, id: body.webhook.id as string, secret: body.secret as string };
  }

  const finish = () => finishDocument(service.opened.database, service.accountId);

  /** The endpoint's deliveries, once there are so many. */
  async function deliveriesOf(id: string, count: number, query = ''): Promise<TestAnswer['body'][]> {
    let items: TestAnswer['body'][] = [];
    await eventually(`${count} deliveries`, async () => {
      items = (await administrator.call('GET', `/deliveries?endpointId=${id}${query}`)).body.items;
      return items.length >= count;
    });
    return items;
  }

  test('an endpoint is added, shown, changed, tested and removed; its secret is shown once', async () => {
    const { id, secret, receiver, url } = await addEndpoint();
    const listed = await administrator.call('GET', '/webhooks');
    assert.ok(!JSON.stringify(listed.body).includes(secret));
    assert.equal(typeof listed.body.primarySecret.createdAt, 'string');
    const found = listed.body.items.find((item: { id: string }) => item.id === id);
    assert.deepEqual(
      [found.url, found.events, found.state, found.pausedBy, found.waitingCount],
      [url, ['extraction.completed'], 'active', null, 0],
    );
    const tested = await administrator.call('POST', `/webhooks/${id}/test`);
    assert.equal(tested.status, 202);
    const [delivery] = await deliveriesOf(id, 1, `&notificationId=${tested.body.notificationId}`);
    assert.deepEqual([delivery.event, delivery.outcome, delivery.documentId], ['webhook.test', 'delivered', null]);
    assert.equal(receiver.posts.length, 1);
    assert.equal((await administrator.call('DELETE', `/webhooks/${id}`)).status, 200);
    assert.equal((await administrator.call('GET', `/webhooks/${id}`)).status, 404);
    assert.equal((await administrator.call('POST', `/webhooks/${id}/test`)).status, 404);
    assert.equal((await administrator.call('POST', `/deliveries/${delivery.id}/resend`)).status, 409);
  });

  test('an invalid value is reported at its field', async () => {
    const { body } = await administrator.call('POST', '/webhooks', { url: 'https://169.254.169.254/' });
    assert.equal(body.error.code, 'invalid_request');
    assert.equal(body.error.fields[0].path, 'url');
    const { id } = await addEndpoint();
    assert.equal((await administrator.call('POST', `/webhooks/${id}/secret`, { overlapHours: 169 })).status, 400);
    assert.equal((await administrator.call('PATCH', `/webhooks/${id}`, { events: [] })).status, 400);
    assert.equal((await administrator.call('PATCH', `/webhooks/${id}`, { url: 'ftp://x.example/' })).status, 400);
  });

  test('a member looks at endpoints and deliveries, and changes nothing', async () => {
    const member = await signInAs(service, { role: 'member' });
    const { id } = await addEndpoint();
    assert.equal((await member.call('GET', '/webhooks')).status, 200);
    assert.equal((await member.call('GET', '/deliveries')).status, 200);
    const refused = await Promise.all([
      member.call('POST', '/webhooks', { url: 'https://receiver.example/' }),
      member.call('PATCH', `/webhooks/${id}`, { state: 'paused' }),
      member.call('POST', `/webhooks/${id}/secret`, {}),
      member.call('POST', `/webhooks/${id}/test`),
      member.call('DELETE', `/webhooks/${id}`),
      member.call('POST', '/deliveries/resend', { since: new Date().toISOString() }),
    ]);
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([403]));
  });

  test("another account's endpoints and deliveries are not there", async () => {
    const accountId = await service.opened.addAccount();
    const stranger = await signInAs(service, { role: 'administrator', accountId });
    const { id } = await addEndpoint();
    await finish();
    const [delivery] = await deliveriesOf(id, 1);
    const answers = await Promise.all([
      stranger.call('GET', `/webhooks/${id}`),
      stranger.call('PATCH', `/webhooks/${id}`, { state: 'paused' }),
      stranger.call('POST', `/webhooks/${id}/secret`, {}),
      stranger.call('POST', `/webhooks/${id}/test`),
      stranger.call('DELETE', `/webhooks/${id}`),
      stranger.call('GET', `/deliveries/${delivery.id}`),
      stranger.call('POST', `/deliveries/${delivery.id}/resend`),
    ]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]));
    assert.deepEqual((await stranger.call('GET', `/deliveries?endpointId=${id}`)).body.items, []);
  });

  test('a rotated secret signs beside the old one during the overlap', async () => {
    const { id, secret, receiver } = await addEndpoint();
    const rotated = await administrator.call('POST', `/webhooks/${id}/secret`, { overlapHours: 1 });
    assert.notEqual(rotated.body.secret, secret);
    const { body } = await administrator.call('GET', `/webhooks/${id}`);
    assert.equal(body.previousSecretExpiresAt, rotated.body.previousExpiresAt);
    await administrator.call('POST', `/webhooks/${id}/test`);
    await eventually('the test arrives', () => receiver.posts.length === 1);
    const [post] = receiver.posts;
    for (const valid of [secret, rotated.body.secret]) {
      assert.equal(
        verifySignature(String(post?.headers['x-svc-signature']), post?.body ?? Buffer.alloc(0), valid),
        null,
      );
    }
    assert.equal((await administrator.call('POST', '/webhooks/primary/secret', {})).status, 200);
  });

  test('a paused endpoint holds back, and sends when it is resumed', async () => {
    const { id, receiver } = await addEndpoint();
    const paused = await administrator.call('PATCH', `/webhooks/${id}`, { state: 'paused' });
    assert.deepEqual([paused.body.state, paused.body.pausedBy], ['paused', 'person']);
    await finish();
    await eventually(
      'it waits',
      async () => (await administrator.call('GET', `/webhooks/${id}`)).body.waitingCount === 1,
    );
    assert.equal(receiver.posts.length, 0);
    await administrator.call('PATCH', `/webhooks/${id}`, { state: 'active' });
    await eventually('it arrives', () => receiver.posts.length === 1);
  });

  test('a delivery is shown in full, with what follows it, and is sent again', async () => {
    const endpoint = await addEndpoint({ status: 503 });
    const { document } = await finish();
    const [failed] = await deliveriesOf(endpoint.id, 1);
    assert.deepEqual(
      [failed.outcome, failed.attempt, failed.responseStatus, failed.documentId, failed.heldBack],
      ['failed', 1, 503, document.id, false],
    );
    const waitMs = Date.parse(failed.nextAttemptAt) - Date.now();
    assert.ok(waitMs > 20_000 && waitMs < 35_000, `${waitMs} ms`);
    const { body: full } = await administrator.call('GET', `/deliveries/${failed.id}`);
    const [post] = endpoint.receiver.posts;
    assert.equal(full.request.body.text, post?.body.toString());
    assert.equal(full.request.body.isWhole, true);
    assert.equal(full.request.headers['x-svc-delivery'], failed.id);
    assert.deepEqual([full.response.status, full.response.body.text], [503, 'Grüße']);
    assert.deepEqual(
      full.attempts.map(({ id }: { id: string }) => id),
      [failed.id],
    );

    endpoint.answer.status = 200;
    const resent = await administrator.call('POST', `/deliveries/${failed.id}/resend`);
    assert.deepEqual([resent.status, resent.body], [202, { count: 1 }]);
    await eventually('it arrives', () => endpoint.receiver.posts.length === 2);
    assert.deepEqual(endpoint.receiver.posts[1]?.body, post?.body);
    const [delivered] = await deliveriesOf(endpoint.id, 2);
    assert.equal(delivered.outcome, 'delivered');
    assert.equal((await deliveriesOf(endpoint.id, 1, '&outcome=failed')).length, 1);
    assert.equal((await administrator.call('GET', '/deliveries/dlv_nothing')).status, 404);
  });

  test('everything since a time is sent again, or what failed of it alone', async () => {
    const since = new Date().toISOString();
    const endpoint = await addEndpoint();
    await finish();
    await deliveriesOf(endpoint.id, 1);
    endpoint.answer.status = 500;
    await finish();
    const [failed] = await deliveriesOf(endpoint.id, 2);
    assert.equal(failed.outcome, 'failed');
    await service.opened.database.system
      .updateTable('notifications')
      .set({ state: 'failed' })
      .where('id', '=', failed.notificationId)
      .execute();
    endpoint.answer.status = 200;
    const resend = (body: object) =>
      administrator.call('POST', '/deliveries/resend', { since, endpointId: endpoint.id, ...body });
    assert.deepEqual((await resend({ onlyFailed: true })).body, { count: 1 });
    await deliveriesOf(endpoint.id, 3);
    assert.deepEqual((await resend({ onlyFailed: true })).body, { count: 0 });
    assert.deepEqual((await resend({})).body, { count: 2 });
    await deliveriesOf(endpoint.id, 5);
  });

  test('the list has pages', async () => {
    const { id } = await addEndpoint();
    for (let n = 0; n < 5; n++) await administrator.call('POST', `/webhooks/${id}/test`);
    const all = await deliveriesOf(id, 5);
    const first = (await administrator.call('GET', `/deliveries?endpointId=${id}&limit=3`)).body;
    const second = (await administrator.call('GET', `/deliveries?endpointId=${id}&limit=3&cursor=${first.nextCursor}`))
      .body;
    assert.deepEqual([...first.items, ...second.items], all);
    assert.equal(second.nextCursor, null);
  });

  test('an endpoint that has failed for five days is paused, and its administrators are notified', async () => {
    const endpoint = await addEndpoint({ status: 500 });
    const working = await addEndpoint();
    await finish();
    const shown = async (id: string) => (await administrator.call('GET', `/webhooks/${id}`)).body;
    await eventually('the failure is known', async () => (await shown(endpoint.id)).failingSince !== null);
    await eventually('the success is known', async () => (await shown(working.id)).lastSuccessAt !== null);
    assert.equal((await shown(endpoint.id)).state, 'active');
    await service.opened.database.system
      .updateTable('webhook_endpoints')
      .set({ failing_since: sql<Date>`now() - interval '5 days'` })
      .where('id', 'in', [endpoint.id, working.id])
      .execute();
    await finish();
    await eventually('it is paused', async () => (await shown(endpoint.id)).state === 'paused');
    assert.equal((await shown(endpoint.id)).pausedBy, 'failures');
    const kept = await shown(working.id);
    assert.deepEqual([kept.state, kept.failingSince], ['active', null]);
    await eventually(
      'its administrator is notified',
      async () => (await mailsTo(service, administrator.email)).length > 0,
    );
    const [mail] = await mailsTo(service, administrator.email);
    assert.match(mail ?? '', /paused/);
    assert.ok(mail?.includes(endpoint.url));

    endpoint.answer.status = 200;
    const resumed = await administrator.call('PATCH', `/webhooks/${endpoint.id}`, { state: 'active' });
    assert.deepEqual([resumed.body.pausedBy, resumed.body.failingSince], [null, null]);
    await eventually('what was held back arrives', () => endpoint.receiver.posts.length >= 4);
  });
});
