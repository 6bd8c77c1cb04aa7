import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../database/testing.ts';
import { createKey, revokeKey } from '../resources/keys/store.ts';
import { createAddressWindows } from './address-windows.ts';
import { createKeyAuthenticator, keyOf } from './authenticate.ts';

describe('keys and their rate limits', () => {
  let opened: ExtractionTestDatabase;
  let accountId: string;
  before(async () => {
    opened = await openExtractionTestDatabase();
    accountId = await opened.addAccount();
  });
  after(() => opened?.close());

  const addKey = (rateLimitPerMinute: number | null = null) =>
    tenantTransaction(opened.database, accountId, (transaction) =>
      createKey(transaction, { name: 'Test', rateLimitPerMinute }),
    );
  const storedKey = (id: string) =>
    opened.database.system.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('the count is exact over processes, each call with a place of its own', async () => {
    const { raw } = await addKey(30);
    const processes = [1, 2, 3].map(() => createKeyAuthenticator(opened.database, 60));
    await fullMinuteAhead();
    const keys = await Promise.all(
      Array.from({ length: 90 }, (_, call) => processes[call % processes.length]!.authenticate(raw)),
    );
    const places = keys.map((key) => key!.window.used).sort((a, b) => a - b);
    assert.deepEqual(
      places,
      Array.from({ length: 90 }, (_, index) => index + 1),
    );
    assert.ok(keys.every((key) => key?.window.limit === 30));
  });

  test('calls with valid, unknown and revoked keys at the same time each get their own answer', async () => {
    const authenticator = createKeyAuthenticator(opened.database, 60);
    const [first, second, revoked] = [await addKey(), await addKey(7), await addKey()];
    await tenantTransaction(opened.database, accountId, (transaction) => revokeKey(transaction, revoked.key.id));
    const found = await Promise.all(
      [first.raw, 'unknown', second.raw, revoked.raw, first.raw].map((raw) => authenticator.authenticate(raw)),
    );
    assert.deepEqual(
      found.map((key) => key && [key.keyId, key.accountId, key.window.limit]),
      [[first.key.id, accountId, 60], null, [second.key.id, accountId, 7], null, [first.key.id, accountId, 60]],
    );
  });

  test('the count starts again with each minute', async () => {
    const { raw, key } = await addKey();
    const authenticator = createKeyAuthenticator(opened.database, 60);
    await authenticator.authenticate(raw);
    await opened.database.system
      .updateTable('rate_windows')
      .set({ used: 500, window_start: new Date(Math.floor(Date.now() / 60_000) * 60_000 - 60_000) })
      .where('key_id', '=', key.id)
      .execute();
    assert.equal((await authenticator.authenticate(raw))?.window.used, 1);
  });

  test('the last use is noted at most once a minute', async () => {
    const { raw, key } = await addKey();
    const authenticator = createKeyAuthenticator(opened.database, 60);
    await authenticator.authenticate(raw);
    const first = (await storedKey(key.id)).last_used_at;
    assert.ok(first && Date.now() - first.getTime() < 10_000);
    await authenticator.authenticate(raw);
    assert.deepEqual((await storedKey(key.id)).last_used_at, first);
    await opened.database.system
      .updateTable('api_keys')
      .set({ last_used_at: new Date(Date.now() - 61_000) })
      .where('id', '=', key.id)
      .execute();
    await authenticator.authenticate(raw);
    assert.ok((await storedKey(key.id)).last_used_at! >= first);
  });
});

test('a key is read from either header, the own one first', () => {
  assert.equal(keyOf({ 'x-api-key': 'a', authorization: 'Bearer b' }), 'a');
  assert.equal(keyOf({ authorization: 'bearer b' }), 'b');
  for (const headers of [{}, { authorization: 'Basic b' }, { 'x-api-key': '' }, { 'x-api-key': 'k'.repeat(600) }]) {
    assert.equal(keyOf(headers), null);
  }
});

test('calls without a key are counted by address, an IPv6 network as one', () => {
  const windows = createAddressWindows(2);
  const used = (address: string) => windows.count(address).used;
  assert.deepEqual([used('192.0.2.1'), used('192.0.2.2'), used('192.0.2.1')], [1, 1, 2]);
  assert.deepEqual([used('2001:db8:1:2::1'), used('2001:db8:1:2:3:4:5:6'), used('2001:db8:1:3::1')], [1, 2, 1]);
});

/** Waits where the present minute ends so soon that a test would run into the next. */
async function fullMinuteAhead() {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 3_000) await new Promise((resolve) => setTimeout(resolve, leftMs));
}
