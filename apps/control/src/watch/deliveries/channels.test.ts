import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { startMailServer } from '@millrace/mail/testing';
import { createTestAuthority, startReceiver } from '@millrace/webhooks/testing';
import * as z from 'zod';
import { eventCatalogue, type NotificationData, type NotificationKind } from '../events/contract.ts';
import { enqueueNotification } from './enqueue.ts';
import { startTestWatch, type TestWatch } from './testing.ts';

/** What Slack documents of an incoming webhook's body with these blocks. */
const PlainText = z.strictObject({
  type: z.literal('plain_text'),
  text: z.string().min(1).max(3_000),
  emoji: z.boolean().optional(),
});
const Mrkdwn = z.strictObject({
  type: z.literal('mrkdwn'),
  text: z.string().min(1).max(3_000),
  verbatim: z.boolean().optional(),
});
const SlackBody = z.strictObject({
  text: z.string().min(1),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('header'),
          text: PlainText.extend({ text: z.string().min(1).max(150) }),
        }),
        z.strictObject({
          type: z.literal('section'),
          fields: z
            .array(Mrkdwn.extend({ text: z.string().min(1).max(2_000) }))
            .min(1)
            .max(10),
        }),
        z.strictObject({ type: z.literal('context'), elements: z.array(Mrkdwn).min(1).max(10) }),
        z.strictObject({
          type: z.literal('actions'),
          elements: z
            .array(
              z.strictObject({
                type: z.literal('button'),
                text: PlainText.extend({ text: z.string().max(75) }),
                url: z.url().max(3_000),
              }),
            )
            .min(1)
            .max(25),
        }),
      ]),
    )
    .max(50),
});

/** What PagerDuty documents of an event of its Events API v2. */
const PagerdutyKeys = { routing_key: z.string().length(32), dedup_key: z.string().min(1).max(255) };
const PagerdutyBody = z.discriminatedUnion('event_action', [
  z.strictObject({
    event_action: z.literal('trigger'),
    ...PagerdutyKeys,
    payload: z.strictObject({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime(),
      component: z.string().optional(),
      group: z.string().optional(),
      class: z.string().optional(),
      custom_details: z.record(z.string(), z.string()),
    }),
    client: z.string(),
    client_url: z.url(),
    links: z.array(z.strictObject({ href: z.url(), text: z.string() })),
  }),
  z.strictObject({ event_action: z.literal('acknowledge'), ...PagerdutyKeys }),
  z.strictObject({ event_action: z.literal('resolve'), ...PagerdutyKeys }),
]);

const routingKey = 'R0123456789abcdef0123456789abcde';

describe('the channels', () => {
  let watch: TestWatch;
  before(async () => {
    watch = await startTestWatch();
  });
  after(() => watch.stop());

  const exampleOf = (kind: NotificationKind) => eventCatalogue.find((entry) => entry.kind === kind)!.example;
  let count = 0;
  const enqueue = (integrationId: string, kind: NotificationKind, changes: object = {}) => {
    count += 1;
    return watch.within((transaction) =>
      enqueueNotification(transaction, {
        integrationId,
        notificationId: `n:${count}`,
        kind,
        subject: { type: 'any', id: `inc_${count}` },
        data: { ...exampleOf(kind).data, ...changes } as NotificationData,
        at: new Date(),
      }),
    );
  };
  const settled = (id: string, wanted: number) =>
    eventually(`${wanted} attempts`, async () => {
      const { deliveries } = await watch.deliveries(id);
      return deliveries.filter(({ attemptCount }) => attemptCount > 0).length >= wanted && deliveries;
    });

  test('Slack gets Block Kit of every kind, in which nobody’s text is a link or a mention', async () => {
    const path = '/services/T00000000/B00000000/secretsecretsecretsecret';
    const receiver = await startReceiver((_, response) => response.end('ok'));
    const id = await watch.addIntegration({ kind: 'slack' }, `http://127.0.0.1:${receiver.port}${path}`);
    const kinds = eventCatalogue.map(({ kind }) => kind);
    for (const kind of kinds) await enqueue(id, kind);
    const hostile = '<!channel> <https://evil.example|click> & *bold*\n\u202Ehidden'.padEnd(900, 'x');
    await enqueue(id, 'incident.opened', { title: hostile, proxyName: hostile });
    const deliverer = watch.deliver();
    try {
      const deliveries = await settled(id, kinds.length + 1);
      assert(deliveries.every(({ state }) => state === 'delivered'));
      assert(!JSON.stringify(deliveries).includes('secretsecret'), 'the webhook’s URL is not shown');
      for (const { body, path: posted } of receiver.posts) {
        assert.equal(posted, path);
        SlackBody.parse(JSON.parse(body.toString()));
      }
      const texts = receiver.posts.map(({ body }) => body.toString()).find((text) => text.includes('evil.example'))!;
      const { text, blocks } = JSON.parse(texts);
      const marked = [
        text,
        ...blocks
          .flatMap((block: { fields?: { text: string }[] }) => block.fields ?? [])
          .map((field: { text: string }) => field.text),
      ].join('\n');
      assert.doesNotMatch(marked, /<!channel>|<https:\/\/evil/);
      assert.match(marked, /&lt;!channel&gt;/);
      assert(!marked.includes('\u202e'));
    } finally {
      await deliverer.stop(1_000);
      await receiver.close();
    }
  });

  test('PagerDuty gets a trigger, an acknowledgement and a resolution with the incident’s fingerprint', async () => {
    const answer = JSON.stringify({ status: 'success', message: 'Event processed', dedup_key: 'x' });
    const receiver = await startReceiver((_, response) => response.writeHead(202).end(answer));
    const id = await watch.addIntegration(
      { kind: 'pagerduty', url: `http://127.0.0.1:${receiver.port}/v2/enqueue` },
      routingKey,
    );
    const moves = {
      'incident.opened': 'trigger',
      'incident.acknowledged': 'acknowledge',
      'incident.monitoring': 'acknowledge',
      'incident.reopened': 'trigger',
      'incident.resolved': 'resolve',
    } as const;
    const deliverer = watch.deliver();
    try {
      for (const kind of Object.keys(moves) as (keyof typeof moves)[]) {
        await enqueue(id, kind);
        await settled(id, receiver.posts.length + 1);
      }
      const bodies = receiver.posts.map(({ body }) => PagerdutyBody.parse(JSON.parse(body.toString())));
      assert.deepEqual(
        bodies.map(({ event_action }) => event_action),
        Object.values(moves),
      );
      assert.equal(new Set(bodies.map(({ dedup_key }) => dedup_key)).size, 1);
      const deliveries = await settled(id, 5);
      assert.equal(deliveries[0]?.attempts[0]?.answer, answer);
      assert(!JSON.stringify(deliveries).includes(routingKey), 'the key is not shown');
    } finally {
      await deliverer.stop(1_000);
      await receiver.close();
    }
  });

  test('e-mail is text and HTML over TLS, and no title adds a header or markup', async () => {
    const authority = await createTestAuthority();
    const certificate = await authority.issue({ hosts: ['localhost'], addresses: ['127.0.0.1'] });
    const server = await startMailServer(certificate, 'right password');
    const settings = {
      kind: 'email',
      recipients: ['on-call@example.com', 'ops@example.com'],
      server: {
        host: 'localhost',
        port: server.port,
        userName: 'millrace',
        from: 'millrace@example.com',
        certificateAuthorities: authority.certificate,
      },
    };
    const id = await watch.addIntegration(settings, 'right password');
    const wrong = await watch.addIntegration(settings, 'wrong password 1');
    const untrusted = await watch.addIntegration(
      { ...settings, server: { ...settings.server, certificateAuthorities: null } },
      'right password',
    );
    const title = 'Down\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>';
    await enqueue(id, 'incident.opened', { title });
    await enqueue(wrong, 'incident.opened');
    await enqueue(untrusted, 'incident.opened');
    const deliverer = watch.deliver({ timeoutMs: 5_000 });
    try {
      const [delivery] = await settled(id, 1);
      assert.equal(delivery?.state, 'delivered', JSON.stringify(delivery?.attempts));
      assert.equal(delivery.attempts[0]?.status, 250);
      const [mail] = server.received;
      assert.deepEqual([mail?.to, mail?.user], [settings.recipients, 'millrace']);
      const [head = '', ...parts] = mail!.text.split('\r\n\r\n');
      assert.doesNotMatch(head, /^Bcc:/im);
      assert.match(head, /^Subject: Incident opened: Down Bcc: eve@example\.com/m);
      assert.match(head, /^Auto-Submitted: auto-generated\r?$/m);
      assert.match(head, new RegExp(`^Message-ID: <${delivery.id}@console.example>`, 'im'));
      const body = parts.join('\n').replaceAll('=\r\n', '').replaceAll('=3D', '=');
      assert.match(body, /text\/plain/);
      assert.match(body, /&lt;script&gt;/);
      assert.match(body, /https:\/\/console\.example\/incidents\/inc_0/);
      const [refused] = await settled(wrong, 1);
      assert.equal(refused?.attempts[0]?.error?.code, 'rejected');
      assert(!JSON.stringify(refused).includes('wrong password 1'));
      const [distrusted] = await settled(untrusted, 1);
      assert.equal(distrusted?.attempts[0]?.error?.code, 'tls', JSON.stringify(distrusted?.attempts));
    } finally {
      await deliverer.stop(1_000);
      await server.close();
    }
    assert.deepEqual(watch.errors, []);
  });
});
