import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { verifySignature } from '@millrace/webhooks';
import { type Receiver, startReceiver } from '@millrace/webhooks/testing';
import { sql } from 'kysely';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

const routingKey = 'R0123456789abcdef0123456789abcde';

describe('integrations', () => {
  let control: TestControl;
  let admin: TestCaller;
  let engineer: TestCaller;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver((_, response) => response.end('thanks'));
    control = await startTestControl();
    const organizationId = await control.addOrganization();
    admin = await control.addUser(organizationId, ['organization_administrator']);
    engineer = await control.addUser(organizationId, ['operations_engineer']);
  });
  after(async () => {
    await control?.stop();
    await receiver?.close();
  });

  const hook = (path = '/hook', events: readonly string[] = []) => ({
    kind: 'webhook',
    url: `http://127.0.0.1:${receiver.port}${path}`,
    events,
  });
  const create = async (body: object) => {
    const answer = await admin.call('POST', '/integrations', body);
    assert.equal(answer.status, 201, JSON.stringify(answer.data));
    return answer.data;
  };

  test('a secret is returned where it is generated or revealed, and nowhere else', async () => {
    const { id, secret, hasSecret } = await create({ name: 'Secrets', settings: hook() });
    assert.match(secret, /^whsec_/);
    assert.equal(hasSecret, true);
    const listed = await engineer.call('GET', '/integrations');
    const shown = await engineer.call('GET', `/integrations/${id}`);
    assert(!JSON.stringify([listed.data, shown.data]).includes(secret));
    assert.equal((await engineer.call('POST', `/integrations/${id}/reveal`)).status, 403);
    assert.equal((await admin.call('POST', `/integrations/${id}/reveal`)).data.secret, secret);
    const { rows } = await sql<{ severity: string; text: string }>`
      select severity, row_to_json(audit_entries)::text as text from audit_entries where operation = 'revealIntegration'
        and outcome = 'done'`.execute(control.opened.database.system);
    assert.deepEqual(
      rows.map(({ severity }) => severity),
      ['high'],
    );
    const { rows: all } = await sql<{ text: string }>`
      select row_to_json(audit_entries)::text as text from audit_entries
      union all select row_to_json(integrations)::text from integrations`.execute(control.opened.database.system);
    assert(
      all.every(({ text }) => !text.includes(secret)),
      'neither audited nor stored as text',
    );
    assert(control.logLines.every((line) => !line.includes(secret)));
  });

  test('a webhook is signed with both secrets during the grace period of a rotation', async () => {
    const { id, secret } = await create({ name: 'Rotation', settings: hook('/rotation') });
    const rotated = await admin.call('POST', `/integrations/${id}/rotate`, { graceSeconds: 600 });
    assert.notEqual(rotated.data.secret, secret);
    assert(rotated.data.previousSecretValidUntil !== null);
    const tested = await admin.call('POST', `/integrations/${id}/test`);
    assert.equal(tested.data.state, 'delivered');
    assert.equal(tested.data.attempts[0].answer, 'thanks');
    const post = receiver.posts.find(({ path }) => path === '/rotation')!;
    const header = String(post.headers['x-svc-signature']);
    for (const valid of [secret, rotated.data.secret]) assert.equal(verifySignature(header, post.body, valid), null);
    await admin.call('POST', `/integrations/${id}/rotate`, { graceSeconds: 0 });
    await admin.call('POST', `/integrations/${id}/test`);
    const last = receiver.posts.findLast(({ path }) => path === '/rotation')!;
    assert.equal(verifySignature(String(last.headers['x-svc-signature']), last.body, secret), 'mismatch');
  });

  test('a stored secret can’t be sent somewhere else by someone who doesn’t know it', async () => {
    const settings = { kind: 'pagerduty', url: 'https://events.pagerduty.com/v2/enqueue' };
    const { id } = await create({ name: 'Pager', settings, secret: routingKey });
    const moved = { settings: { ...settings, url: `http://127.0.0.1:${receiver.port}/mine` } };
    const refused = await engineer.call('PATCH', `/integrations/${id}`, moved);
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.data.errors), ['secret']);
    assert.equal((await engineer.call('PATCH', `/integrations/${id}`, { ...moved, secret: routingKey })).status, 200);
    assert.equal(
      (await engineer.call('PATCH', `/integrations/${id}`, { settings: hook() })).status,
      400,
      'another kind',
    );
    const stale = await engineer.call('PATCH', `/integrations/${id}`, { name: 'Stale' }, { 'if-match': '"1"' });
    assert.equal(stale.status, 412);
  });

  test('settings and secrets that nothing could be sent with are rejected at their field', async () => {
    const server = { host: 'mail.example', userName: 'millrace', from: 'millrace@example.com' };
    const cases: readonly (readonly [string, object, string?])[] = [
      ['settings.url', { kind: 'webhook', url: 'http://receiver.example/' }],
      ['settings.url', { kind: 'webhook', url: 'http://169.254.169.254/latest' }],
      ['secret', { kind: 'webhook', url: 'https://receiver.example/' }, 'chosen'],
      ['secret', { kind: 'slack' }],
      ['secret', { kind: 'slack' }, 'http://hooks.slack.example/services/T/B/x'],
      ['secret', { kind: 'pagerduty' }, 'short'],
      ['secret', { kind: 'email', recipients: ['ops@example.com'], server }],
      ['settings.recipients.0', { kind: 'email', recipients: ['ops@example.com\r\nBcc: eve@example.com'] }],
      ['secret', { kind: 'opentelemetry', url: 'https://otel.example/', headerName: 'X-Key' }, 'a\r\nHost: b'],
      ['settings.headerName', { kind: 'opentelemetry', url: 'https://otel.example/', headerName: 'Host' }, 'x'],
      ['settings.host', { kind: 'siem', host: '169.254.169.254' }],
      ['settings.certificateAuthorities', { kind: 'siem', host: 'siem.example', certificateAuthorities: 'no PEM' }],
    ];
    for (const [field, settings, secret] of cases) {
      const answer = await admin.call('POST', '/integrations', { name: 'Wrong', settings, secret });
      assert.equal(answer.status, 400, JSON.stringify(settings));
      assert.deepEqual(Object.keys(answer.data.errors), [field], JSON.stringify(answer.data));
    }
  });

  test('an event of the platform reaches the webhook that subscribes to it, and is sent again by hand', async () => {
    const { id, secret } = await create({ name: 'Events', settings: hook('/events', ['subscription.requested']) });
    const product = (
      await admin.call('POST', '/products', { name: 'weather', displayName: 'Weather', autoApprove: false })
    ).data;
    await admin.call('POST', `/products/${product.id}/publish`);
    const developer = (await admin.call('POST', '/developers', { email: 'sam@example.com', name: 'Sam' })).data;
    const app = (await admin.call('POST', '/apps', { developerId: developer.id, name: 'shop', displayName: 'Shop' }))
      .data;
    const subscribed = await admin.call('POST', '/subscriptions', { appId: app.id, productId: product.id });
    assert.deepEqual([subscribed.status, subscribed.data.state], [201, 'pending']);
    const mine = () => receiver.posts.filter(({ path }) => path === '/events');
    const first = await eventually('the event', () => mine()[0] ?? null);
    const body = JSON.parse(first.body.toString());
    assert.equal(body.event, 'subscription.requested');
    assert.equal(body.data.subscriptionId, subscribed.data.id);
    assert.equal(verifySignature(String(first.headers['x-svc-signature']), first.body, secret), null);
    const delivery = await eventually('its record', async () => {
      const { data } = await admin.call('GET', `/integrations/${id}/deliveries?state=delivered`);
      return data.deliveries[0] ?? null;
    });
    assert.equal((await engineer.call('POST', `/integrations/${id}/deliveries/${delivery.id}/resend`)).status, 200);
    const again = await eventually('the second post', () => mine()[1] ?? null);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers['x-svc-delivery'], delivery.id);
    assert.equal((await admin.call('PATCH', `/integrations/${id}`, { enabled: false })).status, 200);
    assert.equal((await admin.call('POST', `/integrations/${id}/deliveries/${delivery.id}/resend`)).status, 409);
  });

  test('a test says what went wrong', async () => {
    const settings = { kind: 'opentelemetry', url: 'http://127.0.0.1:1024/v1/metrics' };
    const { id } = await create({ name: 'Nobody there', settings });
    const { status, data } = await admin.call('POST', `/integrations/${id}/test`);
    assert.equal(status, 200);
    assert.deepEqual([data.state, data.attempts[0].error.code], ['failed', 'connection_refused']);
    const { rows } = await sql<{ note: string }>`
      select note from audit_entries where operation = 'testIntegration' order by sequence desc limit 1`.execute(
      control.opened.database.system,
    );
    assert.match(rows[0]!.note, /^A test failed/);
  });
});
