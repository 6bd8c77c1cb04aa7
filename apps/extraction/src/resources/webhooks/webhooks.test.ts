import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import type { TenantTransaction } from '../../database/schema.ts';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../../database/testing.ts';
import { finishDocument } from '../../delivery/testing.ts';
import { endpointLimit } from './dashboard-contract.ts';
import { enqueueTestEvent } from './notifications.ts';
import { callbackLane, checkNewEndpoint } from './rules.ts';
import { openSecret, webhookSecretSealer } from './secrets.ts';
import {
  createEndpoint,
  createPrimarySecret,
  listEndpoints,
  pauseEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from './store.ts';

const sealer = webhookSecretSealer([randomBytes(32)]);
const production = { allowLoopback: false };

describe('webhook endpoints', () => {
  let opened: ExtractionTestDatabase;
  before(async () => {
    opened = await openExtractionTestDatabase();
  });
  after(() => opened.close());

  function within<Result>(account: string, work: (transaction: TenantTransaction) => Promise<Result>): Promise<Result> {
    return tenantTransaction(opened.database, account, work);
  }

  function add(account: string, url = 'https://receiver.example/hook') {
    return within(account, (transaction) => createEndpoint(transaction, sealer, checkNewEndpoint({ url }, production)));
  }

  test('are created with a secret that is shown once and stored encrypted, listed and removed', async () => {
    const account = await opened.addAccount();
    const { endpoint, secret } = await add(account);
    assert.match(secret, /^whsec_/);
    assert.deepEqual(endpoint.events, ['extraction.completed']);
    const listed = await within(account, listEndpoints);
    assert.deepEqual(listed, [endpoint]);
    assert.ok(!JSON.stringify(listed).includes(secret));
    const [stored] = await secretsOf(account);
    assert.ok(!stored?.secret_encrypted.includes(Buffer.from(secret)));
    assert.equal(stored && openSecret(sealer, stored), secret);
    await within(account, (transaction) => removeEndpoint(transaction, endpoint.id));
    assert.deepEqual(await within(account, listEndpoints), []);
    assert.deepEqual(await secretsOf(account), []);
  });

  test('must have a public HTTPS address and known events', () => {
    for (const url of [
      'http://receiver.example/',
      'https://localhost/',
      'https://169.254.169.254/',
      'https://user:secret@receiver.example/',
      'nonsense',
    ]) {
      assert.throws(() => checkNewEndpoint({ url }, production), { code: 'invalid_url' }, url);
    }
    for (const events of [[], ['extraction.started'], ['extraction.completed', 'x']]) {
      assert.throws(() => checkNewEndpoint({ url: 'https://receiver.example/', events }, production), {
        code: 'invalid_event',
      });
    }
  });

  test('are limited in number', async () => {
    const account = await opened.addAccount();
    for (let n = 0; n < endpointLimit; n++) await add(account);
    await assert.rejects(add(account), { code: 'too_many_endpoints' });
  });

  test('belong to one account: no other sees, changes or is sent anything of them', async () => {
    const [owner, stranger] = [await opened.addAccount(), await opened.addAccount()];
    const { endpoint } = await add(owner);
    assert.deepEqual(await within(stranger, listEndpoints), []);
    for (const work of [
      (transaction: TenantTransaction) => rotateSecret(transaction, sealer, endpoint.id),
      (transaction: TenantTransaction) => pauseEndpoint(transaction, endpoint.id),
      (transaction: TenantTransaction) => resumeEndpoint(transaction, endpoint.id),
      (transaction: TenantTransaction) => removeEndpoint(transaction, endpoint.id),
      (transaction: TenantTransaction) => enqueueTestEvent(transaction, endpoint.id),
    ]) {
      await assert.rejects(within<unknown>(stranger, work), { code: 'not_found' });
    }
    assert.deepEqual((await finishDocument(opened.database, stranger)).lanes, []);
    assert.deepEqual((await finishDocument(opened.database, owner)).lanes, [endpoint.id]);
    const callbackUrl = 'https://receiver.example/';
    assert.notEqual(callbackLane(owner, callbackUrl), callbackLane(stranger, callbackUrl));
  });

  test('have one current secret, whose predecessors last for the overlap at most', async () => {
    const account = await opened.addAccount();
    const { endpoint } = await add(account);
    const dayMs = 24 * 3600 * 1000;
    const first = await within(account, (transaction) => rotateSecret(transaction, sealer, endpoint.id));
    assert.ok(Math.abs(first.previousExpiresAt.getTime() - Date.now() - dayMs) < 60_000);
    await within(account, (transaction) => rotateSecret(transaction, sealer, endpoint.id, 0));
    const valid = (await secretsOf(account)).filter(({ expires_at }) => expires_at === null || expires_at > new Date());
    assert.equal(valid.length, 1);
    for (const overlapMs of [-1, 0.5, 8 * dayMs, Number.NaN]) {
      await assert.rejects(
        within(account, (transaction) => rotateSecret(transaction, sealer, endpoint.id, overlapMs)),
        { code: 'invalid_overlap' },
      );
    }
  });

  test("leave the account's primary secret alone, which is rotated in the same way", async () => {
    const account = await opened.addAccount();
    const primary = await within(account, (transaction) => createPrimarySecret(transaction, sealer));
    const { endpoint } = await add(account);
    await within(account, (transaction) => rotateSecret(transaction, sealer, endpoint.id));
    const ofCallbacks = async () =>
      (await secretsOf(account)).filter(({ endpoint_id, expires_at }) => endpoint_id === null && expires_at === null);
    assert.deepEqual(
      (await ofCallbacks()).map((stored) => openSecret(sealer, stored)),
      [primary],
    );
    const { secret } = await within(account, (transaction) => rotateSecret(transaction, sealer, null));
    assert.deepEqual(
      (await ofCallbacks()).map((stored) => openSecret(sealer, stored)),
      [secret],
    );
  });

  function secretsOf(account: string) {
    return within(account, (transaction) =>
      transaction
        .selectFrom('webhook_secrets')
        .select(['id', 'endpoint_id', 'secret_encrypted', 'expires_at'])
        .where('account_id', '=', account)
        .execute(),
    );
  }
});
