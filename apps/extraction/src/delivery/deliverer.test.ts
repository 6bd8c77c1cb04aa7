import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '@millrace/eventually';
import { tenantTransaction } from '@millrace/postgres';
import { verifySignature } from '@millrace/webhooks';
import { createTestAuthority, type Receiver, type ServerCertificate, startReceiver } from '@millrace/webhooks/testing';
import { sql } from 'kysely';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../database/testing.ts';
import { findDelivery, listDeliveries, resendDelivery, resendSince } from '../resources/deliveries/store.ts';
import { enqueueTestEvent } from '../resources/webhooks/notifications.ts';
import { checkNewEndpoint } from '../resources/webhooks/rules.ts';
import { webhookSecretSealer } from '../resources/webhooks/secrets.ts';
import {
  createEndpoint,
  createPrimarySecret,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from '../resources/webhooks/store.ts';
import { type AttemptReport, type Deliverer, type DelivererOptions, startDeliverer } from './deliverer.ts';
import { finishDocument } from './testing.ts';

const key = randomBytes(32);
const sealer = webhookSecretSealer([key]);
const development = { allowLoopback: true };
const closers: (() => Promise<unknown>)[] = [];
let opened: ExtractionTestDatabase;
let certificate: ServerCertificate;
let extraCertificates: string;

describe('deliverer', () => {
  before(async () => {
    const authority = await createTestAuthority();
    certificate = await authority.issue({ hosts: ['localhost'] });
    extraCertificates = authority.certificate;
  });
  after(async () => {
    for (const close of closers.reverse()) await close();
  });
  beforeEach(async () => {
    opened = await openExtractionTestDatabase();
  });
  // A database of its own for each test, since a deliverer sends whatever it finds.
  afterEach(() => opened.close());

  async function receive(answer: RequestListener): Promise<Receiver> {
    const receiver = await startReceiver(answer, certificate);
    closers.push(() => receiver.close());
    return receiver;
  }

  /** Delivers for as long as the work takes. */
  async function delivering(
    work: (deliverer: Deliverer, reports: AttemptReport[]) => Promise<void>,
    changes: Partial<DelivererOptions> & { timeoutMs?: number } = {},
  ): Promise<void> {
    const { timeoutMs = 3000, ...options } = changes;
    const reports: AttemptReport[] = [];
    const deliverer = startDeliverer({
      database: opened.database,
      sealer,
      sending: { ...development, timeoutMs, extraCertificates },
      onAttempt: (report) => reports.push(report),
      onEndpointsFailed: async () => undefined,
      onError: (error) => {
        throw error;
      },
      pollMs: 20,
      ...options,
    });
    try {
      await work(deliverer, reports);
    } finally {
      await deliverer.stop(0);
    }
  }

  async function addEndpoint(accountId: string, port: number, path = '/'): Promise<{ id: string; secret: string }> {
    const { endpoint, secret } = await tenantTransaction(opened.database, accountId, (transaction) =>
      createEndpoint(transaction, sealer, checkNewEndpoint({ url: `https://localhost:${port}${path}` }, development)),
    );
    return { id: endpoint.id, secret };
  }

  function deliveriesOf(accountId: string) {
    return tenantTransaction(opened.database, accountId, (transaction) => listDeliveries(transaction));
  }

  describe('a delivery', () => {
    test('posts the documented payload, signed, to every endpoint and to the callback', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end('thanks'));
      const endpoint = await addEndpoint(account, receiver.port, '/endpoint');
      const primarySecret = await tenantTransaction(opened.database, account, (transaction) =>
        createPrimarySecret(transaction, sealer),
      );
      await delivering(async (deliverer) => {
        const callbackUrl = `https://localhost:${receiver.port}/callback`;
        const { document, lanes } = await finishDocument(opened.database, account, { callbackUrl });
        deliverer.wake(lanes);
        await eventually('both arrive', () => receiver.posts.length === 2);
        for (const post of receiver.posts) {
          const { timestamp, ...payload } = JSON.parse(post.body.toString());
          assert.deepEqual(payload, {
            event: 'extraction.completed',
            data: {
              document_id: document.id,
              reference: document.reference,
              doc_type: 'invoice',
              state: 'done',
              fields: { total_amount: 12.5 },
              lines: [{ description: 'Bücher', amount: 12.5 }],
              confidence: { total_amount: 99 },
              source: 'api',
            },
          });
          assert.equal(new Date(timestamp).toISOString(), timestamp);
          assert.equal(post.headers['content-type'], 'application/json');
          const secret = post.path === '/endpoint' ? endpoint.secret : primarySecret;
          const signature = String(post.headers['x-svc-signature']);
          assert.match(signature, /^t=\d+,v1=[0-9a-f]{64}$/);
          assert.equal(verifySignature(signature, post.body, secret), null);
        }
        await eventually('both are recorded', async () => (await deliveriesOf(account)).length === 2);
        const deliveries = await deliveriesOf(account);
        assert.deepEqual(
          deliveries.map(({ id }) => id).sort(),
          receiver.posts.map(({ headers }) => headers['x-svc-delivery']).sort(),
        );
        const ofEndpoint = deliveries.find(({ endpoint_id }) => endpoint_id === endpoint.id);
        const full = await tenantTransaction(opened.database, account, (transaction) =>
          findDelivery(transaction, ofEndpoint!.id),
        );
        const post = receiver.posts.find(({ path }) => path === '/endpoint')!;
        assert.equal(full?.response_status, 200);
        assert.equal(full?.response_body?.toString(), 'thanks');
        assert.deepEqual(full?.request_body, post.body);
        assert.equal(full?.request_headers['x-svc-signature'], post.headers['x-svc-signature']);
        assert.equal(full?.error_code, null);
        assert.equal(full?.attempt, 1);
      });
    });

    test('reports a failed extraction with empty values', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end());
      await addEndpoint(account, receiver.port);
      await delivering(async (deliverer) => {
        const { lanes } = await finishDocument(opened.database, account, { state: 'error', result: null });
        deliverer.wake(lanes);
        await eventually('it arrives', () => receiver.posts.length === 1);
        const { data } = JSON.parse(receiver.posts[0]!.body.toString());
        assert.deepEqual([data.state, data.fields, data.lines, data.confidence], ['error', {}, [], {}]);
      });
    });

    test('that was queued by another process is found without being woken', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end());
      await addEndpoint(account, receiver.port);
      await delivering(async () => {
        await finishDocument(opened.database, account);
        await eventually('it arrives', () => receiver.posts.length === 1);
      });
    });

    test('is made once, however many processes deliver', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end());
      await addEndpoint(account, receiver.port);
      await delivering((first) =>
        delivering((second) =>
          delivering(async (third) => {
            await Promise.all(
              Array.from({ length: 60 }, async () => {
                const { lanes } = await finishDocument(opened.database, account);
                for (const deliverer of [first, second, third]) deliverer.wake(lanes);
              }),
            );
            await eventually('all arrive', () => receiver.posts.length >= 60);
            await eventually('all are recorded', async () => (await deliveriesOf(account)).length === 60);
            assert.equal(new Set(receiver.posts.map(({ body }) => body.toString())).size, 60);
            assert.equal(receiver.posts.length, 60);
          }),
        ),
      );
    });
  });

  describe('a failing delivery', () => {
    test('is retried after 30 s, 2 min, 10 min, 30 min and 2 h with the same body, then has permanently failed', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.writeHead(500).end('out of order'));
      await addEndpoint(account, receiver.port);
      await delivering(async () => {
        await finishDocument(opened.database, account);
        for (const [index, delaySeconds] of [30, 120, 600, 1800, 7200, null].entries()) {
          await eventually(`attempt ${index + 1}`, async () => (await deliveriesOf(account)).length === index + 1);
          const [last] = await deliveriesOf(account);
          assert.equal(last?.attempt, index + 1);
          assert.equal(last?.error_code, 'unsuccessful_status');
          assert.equal(last?.response_status, 500);
          assert.equal(last?.permanently_failed, delaySeconds === null);
          const { state, seconds, secondsFromRequest } = await dueIn(account);
          assert.equal(state, delaySeconds === null ? 'failed' : 'pending');
          if (delaySeconds === null) continue;
          // The wait begins when the attempt has failed: after it was sent, and before now.
          assert.ok((secondsFromRequest ?? 0) >= delaySeconds, `due ${secondsFromRequest} s after it was sent`);
          assert.ok(seconds <= delaySeconds, `due in ${seconds} s`);
          await makeDue(account);
        }
        await makeDue(account);
        await new Promise((resolve) => setTimeout(resolve, 100));
        assert.equal(receiver.posts.length, 6);
        assert.equal(new Set(receiver.posts.map(({ body }) => body.toString())).size, 1);
        assert.equal(new Set(receiver.posts.map(({ headers }) => headers['x-svc-delivery'])).size, 6);
      });
    });

    test('succeeds on a later attempt and is sent no more', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => {
        response.writeHead(receiver.posts.length === 1 ? 503 : 204).end();
      });
      await addEndpoint(account, receiver.port);
      await delivering(async (_deliverer, reports) => {
        await finishDocument(opened.database, account);
        await eventually('the first attempt', () => reports.length === 1);
        await makeDue(account);
        await eventually('the second attempt', () => reports.length === 2);
        assert.deepEqual(
          reports.map(({ outcome }) => outcome),
          ['failed', 'delivered'],
        );
        assert.equal((await dueIn(account)).state, 'delivered');
      });
    });

    test('is recorded with its cause, headers and up to 64 KB of the answer', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => {
        response
          .writeHead(302, { location: 'http://169.254.169.254/', 'x-trace': 'abc' })
          .end(Buffer.alloc(100_000, 'x'));
      });
      await addEndpoint(account, receiver.port);
      await delivering(async (_deliverer, reports) => {
        await finishDocument(opened.database, account);
        await eventually('the attempt', () => reports.length === 1);
        const full = await tenantTransaction(opened.database, account, (transaction) =>
          findDelivery(transaction, reports[0]!.deliveryId),
        );
        assert.equal(full?.error_code, 'redirect');
        assert.equal(full?.response_headers?.['x-trace'], 'abc');
        assert.equal(full?.response_body?.length, 65_536);
        assert.equal(full?.response_body_length, 100_000);
        assert.equal(full?.response_body_sha256?.length, 32);
      });
    });

    test('delays nobody else: healthy receivers are served at once beside many dead ones', async () => {
      const account = await opened.addAccount();
      const dead = await receive(() => undefined);
      const healthy = await receive((_request, response) => response.end());
      for (let n = 0; n < 30; n++) await addEndpoint(account, dead.port, `/${n}`);
      const other = await opened.addAccount();
      await addEndpoint(other, healthy.port);
      await delivering(
        async (deliverer, reports) => {
          for (let n = 0; n < 4; n++) deliverer.wake((await finishDocument(opened.database, account)).lanes);
          await eventually('the dead ones have all they may', () => dead.posts.length >= 20);
          for (let n = 1; n <= 20; n++) {
            deliverer.wake((await finishDocument(opened.database, other)).lanes);
            await eventually('it arrives', () => healthy.posts.length === n);
          }
          const given = reports.filter(({ outcome }) => outcome !== 'delivered');
          assert.deepEqual(given, [], 'none of the dead ones has been given up by then');
        },
        { capacity: { total: 60, perReceiver: 4 }, timeoutMs: 600_000 },
      );
    });
  });

  describe('a person', () => {
    test('sends a test event', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end());
      const { id, secret } = await addEndpoint(account, receiver.port);
      await delivering(async (deliverer) => {
        const { lanes } = await tenantTransaction(opened.database, account, (transaction) =>
          enqueueTestEvent(transaction, id),
        );
        deliverer.wake(lanes);
        await eventually('it arrives', () => receiver.posts.length === 1);
        const post = receiver.posts[0]!;
        assert.equal(JSON.parse(post.body.toString()).event, 'webhook.test');
        assert.equal(verifySignature(String(post.headers['x-svc-signature']), post.body, secret), null);
      });
    });

    test('resends one delivery, and all since a time: the same bytes under new ids', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end());
      await addEndpoint(account, receiver.port);
      await delivering(async (_deliverer, reports) => {
        await finishDocument(opened.database, account);
        await eventually('the first', () => reports.length === 1);
        const since = new Date();
        await finishDocument(opened.database, account);
        await finishDocument(opened.database, account);
        await eventually('all three', () => reports.length === 3);

        const one = await tenantTransaction(opened.database, account, (transaction) =>
          resendDelivery(transaction, reports[0]!.deliveryId),
        );
        assert.equal(one.count, 1);
        await eventually('it again', () => reports.length === 4);
        assert.deepEqual(receiver.posts[3]?.body, receiver.posts[0]?.body);
        assert.notEqual(receiver.posts[3]?.headers['x-svc-delivery'], receiver.posts[0]?.headers['x-svc-delivery']);

        await sql`update notifications set created_at = ${new Date(0)} where id = ${reports[3]!.notificationId}`.execute(
          opened.database.system,
        );
        for (let times = 1; times <= 2; times++) {
          const all = await tenantTransaction(opened.database, account, (transaction) =>
            resendSince(transaction, { since }),
          );
          assert.equal(all.count, 2);
          await eventually('both again', () => reports.length === 4 + 2 * times);
        }
        const resent = receiver.posts.slice(4, 6).map(({ body }) => body.toString());
        assert.deepEqual(
          resent.sort(),
          receiver.posts
            .slice(1, 3)
            .map(({ body }) => body.toString())
            .sort(),
        );
      });
    });

    test('rotates a secret: both sign until the overlap ends', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end());
      const { id, secret: old } = await addEndpoint(account, receiver.port);
      const { secret: current } = await tenantTransaction(opened.database, account, (transaction) =>
        rotateSecret(transaction, sealer, id),
      );
      await delivering(async () => {
        await finishDocument(opened.database, account);
        await eventually('it arrives', () => receiver.posts.length === 1);
        await sql`update webhook_secrets set expires_at = now() where expires_at is not null and account_id = ${account}`.execute(
          opened.database.system,
        );
        await finishDocument(opened.database, account);
        await eventually('the next arrives', () => receiver.posts.length === 2);
      });
      const [during, afterwards] = receiver.posts.map(({ body, headers }) => ({
        old: verifySignature(String(headers['x-svc-signature']), body, old),
        current: verifySignature(String(headers['x-svc-signature']), body, current),
      }));
      assert.deepEqual(during, { old: null, current: null });
      assert.deepEqual(afterwards, { old: 'mismatch', current: null });
    });

    test('pauses an endpoint, which holds its events back until it is resumed', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.end());
      const { id } = await addEndpoint(account, receiver.port);
      await tenantTransaction(opened.database, account, (transaction) => pauseEndpoint(transaction, id));
      await delivering(async (deliverer) => {
        const { lanes } = await finishDocument(opened.database, account);
        assert.deepEqual(lanes, []);
        deliverer.wake([id]);
        await new Promise((resolve) => setTimeout(resolve, 100));
        assert.equal(receiver.posts.length, 0);
        deliverer.wake([
          await tenantTransaction(opened.database, account, (transaction) => resumeEndpoint(transaction, id)),
        ]);
        await eventually('it arrives', () => receiver.posts.length === 1);
      });
    });

    test('removes an endpoint, to which nothing more is sent', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => response.writeHead(500).end());
      const { id } = await addEndpoint(account, receiver.port);
      await delivering(async (_deliverer, reports) => {
        await finishDocument(opened.database, account);
        await eventually('the first attempt', () => reports.length === 1);
        await tenantTransaction(opened.database, account, (transaction) => removeEndpoint(transaction, id));
        await makeDue(account);
        await finishDocument(opened.database, account);
        await new Promise((resolve) => setTimeout(resolve, 100));
        assert.equal(receiver.posts.length, 1);
        await assert.rejects(
          tenantTransaction(opened.database, account, (transaction) =>
            resendDelivery(transaction, reports[0]!.deliveryId),
          ),
          { code: 'endpoint_removed' },
        );
      });
    });
  });

  describe('a process that delivers', () => {
    test('and is killed between the 2xx and the commit causes one duplicate with the same body at most', async () => {
      const account = await opened.addAccount();
      const receiver = await startReceiver(async (_request, response) => {
        if (receiver.posts.length > 1) return response.end();
        // Holds the notification, so that the answer arrives but its record cannot be committed.
        const held = opened.database.system.transaction().execute(async (transaction) => {
          await sql`select from notifications where account_id = ${account} for update`.execute(transaction);
          response.end();
          await eventually('the record waits for the lock', async () => (await waitingForLock()) > 0);
          child.kill('SIGKILL');
          await exited;
        });
        await held;
      });
      closers.push(() => receiver.close());
      const { endpoint } = await tenantTransaction(opened.database, account, (transaction) =>
        createEndpoint(
          transaction,
          sealer,
          checkNewEndpoint({ url: `http://localhost:${receiver.port}/` }, development),
        ),
      );
      const program = fileURLToPath(new URL('testing-process.ts', import.meta.url));
      const child = spawn(process.execPath, [program, opened.url, key.toString('hex'), '500'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const exited = once(child, 'exit');
      closers.push(async () => child.kill('SIGKILL'));
      await finishDocument(opened.database, account);
      await exited;
      assert.equal((await deliveriesOf(account)).length, 0);
      await delivering(
        async () => {
          await eventually('it is recorded', async () => (await deliveriesOf(account)).length > 0);
          assert.equal(receiver.posts.length, 2);
          assert.deepEqual(receiver.posts[0]?.body, receiver.posts[1]?.body);
          const deliveries = await deliveriesOf(account);
          assert.deepEqual(
            deliveries.map(({ endpoint_id, error_code }) => [endpoint_id, error_code]),
            [[endpoint.id, null]],
          );
        },
        { timeoutMs: 500 },
      );
    });

    test('and stops gives back what it broke off', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => {
        if (receiver.posts.length > 1) response.end();
      });
      await addEndpoint(account, receiver.port);
      await delivering(async () => {
        await finishDocument(opened.database, account);
        await eventually('it arrives', () => receiver.posts.length === 1);
      });
      assert.deepEqual(await deliveriesOf(account), []);
      await delivering(async (_deliverer, reports) => {
        await eventually('it is delivered', () => reports.length === 1);
        assert.equal(reports[0]?.attempt, 1);
        assert.equal(reports[0]?.outcome, 'delivered');
      });
    });

    test('and stopping waits for attempts in progress', async () => {
      const account = await opened.addAccount();
      const receiver = await receive((_request, response) => void setTimeout(() => response.end(), 150));
      await addEndpoint(account, receiver.port);
      await delivering(async (deliverer, reports) => {
        await finishDocument(opened.database, account);
        await eventually('it arrives', () => receiver.posts.length === 1);
        await deliverer.stop(3000);
        assert.deepEqual(
          reports.map(({ outcome }) => outcome),
          ['delivered'],
        );
      });
    });
  });

  async function dueIn(
    accountId: string,
  ): Promise<{ state: string; seconds: number; secondsFromRequest: number | null }> {
    const { rows } = await sql<{ state: string; seconds: number; secondsFromRequest: number | null }>`
    select state, extract(epoch from run_at - now())::float as seconds,
      extract(epoch from run_at - (select max(requested_at) from delivery_attempts
        where account_id = notifications.account_id and notification_id = notifications.id))::float
        as "secondsFromRequest"
    from notifications where account_id = ${accountId}`.execute(opened.database.system);
    return rows[0]!;
  }

  /** Lets time pass for the account's retries. */
  async function makeDue(accountId: string): Promise<void> {
    await sql`update notifications set run_at = now() where account_id = ${accountId}`.execute(opened.database.system);
  }

  async function waitingForLock(): Promise<number> {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from pg_locks where not granted`.execute(opened.database.system);
    return rows[0]!.count;
  }
});
