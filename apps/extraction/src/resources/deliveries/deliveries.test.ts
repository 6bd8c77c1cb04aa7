import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import type { SendResult } from '@millrace/webhooks';
import type { TenantTransaction } from '../../database/schema.ts';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../../database/testing.ts';
import { finishDocument } from '../../delivery/testing.ts';
import { newId } from '../../identifiers.ts';
import { checkNewEndpoint } from '../webhooks/rules.ts';
import { webhookSecretSealer } from '../webhooks/secrets.ts';
import { createEndpoint } from '../webhooks/store.ts';
import {
  deleteOldAttempts,
  type EndedAttempt,
  findDelivery,
  listDeliveries,
  recordAttempts,
  resendDelivery,
  resendSince,
} from './store.ts';

const answered: SendResult = {
  requestedAt: new Date(),
  latencyMs: 12,
  response: {
    status: 200,
    headers: { 'x-a': 'b' },
    body: Buffer.from('ok'),
    bodyLength: 2,
    bodySha256: '00'.repeat(32),
  },
  error: null,
};

describe('deliveries', () => {
  let opened: ExtractionTestDatabase;
  before(async () => {
    opened = await openExtractionTestDatabase();
  });
  after(() => opened.close());

  function within<Result>(account: string, work: (transaction: TenantTransaction) => Promise<Result>): Promise<Result> {
    return tenantTransaction(opened.database, account, work);
  }

  /** An account with an endpoint and one event queued for it. */
  async function queued(): Promise<{ account: string; endpointId: string; notificationId: string }> {
    const account = await opened.addAccount();
    const checked = checkNewEndpoint({ url: 'https://receiver.example/' }, { allowLoopback: false });
    const sealer = webhookSecretSealer([randomBytes(32)]);
    const { endpoint } = await within(account, (transaction) => createEndpoint(transaction, sealer, checked));
    await finishDocument(opened.database, account);
    const [notification] = await notificationsOf(account);
    return { account, endpointId: endpoint.id, notificationId: notification!.id };
  }

  function attemptOf({ notificationId, endpointId }: { notificationId: string; endpointId: string }): EndedAttempt {
    return {
      id: newId('dlv'),
      notificationId,
      endpointId,
      attempt: 1,
      url: 'https://receiver.example/',
      requestHeaders: { 'x-svc-delivery': 'x' },
      body: Buffer.alloc(100_000, 'x'),
      result: answered,
      retryDelayMs: 30_000,
    };
  }

  test('keep 64 KB of a body, with its whole length and hash', async () => {
    const { account, ...ids } = await queued();
    const attempt = attemptOf(ids);
    await within(account, (transaction) => recordAttempts(transaction, [attempt]));
    const full = await within(account, (transaction) => findDelivery(transaction, attempt.id));
    assert.equal(full?.request_body.length, 65_536);
    assert.equal(full?.request_body_length, 100_000);
    assert.equal(full?.request_body_sha256.length, 32);
    assert.deepEqual(full?.response_headers, { 'x-a': 'b' });
  });

  test('recorded twice are recorded once; one whose lease was lost does not move the notification', async () => {
    const { account, ...ids } = await queued();
    const attempt = attemptOf(ids);
    const failed: SendResult = { ...answered, error: { code: 'timeout', message: 'No answer within 15 s.' } };
    await within(account, (transaction) => recordAttempts(transaction, [attempt]));
    await within(account, (transaction) => recordAttempts(transaction, [attempt]));
    await within(account, (transaction) =>
      recordAttempts(transaction, [{ ...attempt, id: newId('dlv'), result: failed }]),
    );
    assert.equal((await within(account, listDeliveries)).length, 2);
    assert.deepEqual(
      (await notificationsOf(account)).map(({ state, attempt_count }) => [state, attempt_count]),
      [['delivered', 1]],
    );
  });

  test('beyond the last 500 of an endpoint are deleted with what they sent, and no others', async () => {
    const { account, ...ids } = await queued();
    const other = await queued();
    const attempts = Array.from({ length: 510 }, () => ({ ...attemptOf(ids), body: Buffer.from('x') }));
    await within(account, (transaction) => recordAttempts(transaction, attempts.slice(0, 1)));
    await finishDocument(opened.database, account);
    const [, second] = await notificationsOf(account);
    await within(account, (transaction) =>
      recordAttempts(
        transaction,
        attempts.slice(1).map((attempt) => ({ ...attempt, notificationId: second!.id })),
      ),
    );
    await within(other.account, (transaction) => recordAttempts(transaction, [attemptOf(other)]));
    await within(account, (transaction) => deleteOldAttempts(transaction, ids.endpointId));
    const kept = await within(account, listDeliveries);
    assert.equal(kept.length, 500);
    const newest = attempts
      .map(({ id }) => id)
      .sort()
      .slice(-500);
    assert.deepEqual(kept.map(({ id }) => id).sort(), newest);
    assert.equal((await within(other.account, listDeliveries)).length, 1);
    assert.ok((await notificationsOf(account)).some(({ id }) => id === second!.id));
  });

  test('belong to one account: no other sees or resends them', async () => {
    const { account, ...ids } = await queued();
    const stranger = await opened.addAccount();
    const attempt = attemptOf(ids);
    await within(account, (transaction) => recordAttempts(transaction, [attempt]));
    assert.deepEqual(await within(stranger, listDeliveries), []);
    assert.equal(await within(stranger, (transaction) => findDelivery(transaction, attempt.id)), null);
    await assert.rejects(
      within(stranger, (transaction) => resendDelivery(transaction, attempt.id)),
      { code: 'not_found' },
    );
    const since = new Date(0);
    assert.deepEqual(await within(stranger, (transaction) => resendSince(transaction, { since })), {
      count: 0,
      lanes: [],
    });
  });

  test('that are still on their way are not resent with the rest', async () => {
    const { account, endpointId } = await queued();
    const since = new Date(0);
    assert.equal((await within(account, (transaction) => resendSince(transaction, { since, endpointId }))).count, 0);
  });

  function notificationsOf(account: string) {
    return within(account, (transaction) =>
      transaction
        .selectFrom('notifications')
        .select(['id', 'state', 'attempt_count'])
        .where('account_id', '=', account)
        .orderBy('id')
        .execute(),
    );
  }
});
