import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { addApp, done, publishedConsumers, storedConsumers } from '../products/testing.ts';

/** A credential as nodes get it. */
interface PublishedCredential {
  readonly keyHash: string;
  readonly previousKeyHash: string | null;
  readonly previousValidUntilMs: number | null;
  readonly expiresAtMs: number | null;
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

describe('credentials of an app', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let appId: string;
  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    appId = await addApp(administrator);
  });
  after(() => control.stop());

  const issue = (fields: object = {}) =>
    done(administrator, 'POST', `/apps/${appId}/credentials`, { name: 'Production', ...fields });
  const call = (id: string, move: string, body?: object) =>
    administrator.call('POST', `/apps/${appId}/credentials/${id}/${move}`, body);
  const published = async (id: string) =>
    (await publishedConsumers(control, organizationId))[`credential ${id}`] as PublishedCredential | undefined;
  const set = (id: string, column: 'previous_valid_until' | 'expires_at', time: Date) =>
    control.opened.database.system
      .updateTable('credentials')
      .set({ [column]: time })
      .where('id', '=', id)
      .execute();

  test('a key is only shown when issued, and stored hashed and encrypted', async () => {
    const issued = await issue();
    assert.match(issued.key, /^mrk_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual([issued.state, issued.prefix, issued.expiresAt], ['active', issued.key.slice(0, 10), null]);
    assert.deepEqual(await published(issued.id), {
      id: issued.id,
      appId,
      keyHash: hashOf(issued.key),
      previousKeyHash: null,
      previousValidUntilMs: null,
      expiresAtMs: null,
    });
    const { key: _, ...shown } = issued;
    const listed = await administrator.call('GET', `/apps/${appId}/credentials?search=${issued.prefix}`);
    assert.deepEqual(listed.data, { credentials: [shown], total: 1 });
    assert.deepEqual(await done(administrator, 'GET', `/apps/${appId}/credentials/${issued.id}`), shown);
  });

  test('no key appears in a row, an audit entry or the log, however it was returned', async () => {
    const headers = { 'idempotency-key': 'issue-1' };
    const body = { name: 'Kept apart' };
    const issued = (await administrator.call('POST', `/apps/${appId}/credentials`, body, headers)).data;
    const repeated = (await administrator.call('POST', `/apps/${appId}/credentials`, body, headers)).data;
    assert.deepEqual(repeated, issued, 'a repeat answers as the first call');
    const rotated = (await call(issued.id, 'rotate', { graceSeconds: 60 })).data;
    assert.equal((await call(issued.id, 'reveal')).data.key, rotated.key);
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where column_name = 'organization_id' and table_schema = current_schema()`.execute(
      control.opened.database.system,
    );
    assert.ok(tables.some(({ name }) => name === 'credentials') && tables.some(({ name }) => name === 'audit_entries'));
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
        control.opened.database.system,
      );
      const text = rows.map((row) => row.text).join('\n');
      for (const key of [issued.key, rotated.key]) {
        const secret = key.slice(10);
        assert.ok(!text.includes(secret), `${name} holds a key`);
        assert.ok(!text.includes(Buffer.from(secret).toString('hex')), `${name} holds a key as bytes`);
      }
    }
    const log = control.logLines.join('\n');
    assert.ok(!log.includes(issued.key) && !log.includes(rotated.key));
  });

  test('a reveal needs its own permission, and is audited at high severity', async () => {
    const { id, key } = await issue();
    const auditor = await control.addUser(organizationId, ['auditor']);
    assert.equal((await auditor.call('GET', `/apps/${appId}/credentials/${id}`)).status, 200);
    assert.equal((await auditor.call('POST', `/apps/${appId}/credentials/${id}/reveal`)).status, 403);
    assert.equal((await call(id, 'reveal')).data.key, key);
    const rows = await control.opened.database.system
      .selectFrom('audit_entries')
      .selectAll()
      .where('operation', '=', 'revealCredential')
      .where('entity_id', '=', id)
      .execute();
    assert.deepEqual(
      rows.map(({ severity, category, outcome, changes }) => [severity, category, outcome, changes]),
      [['high', 'security', 'done', []]],
    );
  });

  test('after a rotation the old key is valid for the grace period; a second rotation drops the oldest key', async () => {
    const first = await issue();
    const before = Date.now();
    const second = (await call(first.id, 'rotate', {})).data;
    assert.notEqual(second.key, first.key);
    const until = Date.parse(second.previousValidUntil);
    assert.ok(until >= before + 86_400_000 && until <= Date.now() + 86_400_000, 'a day where nothing is said');
    assert.deepEqual([second.state, second.prefix], ['rotating', second.key.slice(0, 10)]);
    const known = await published(first.id);
    assert.deepEqual(
      [known?.keyHash, known?.previousKeyHash, known?.previousValidUntilMs],
      [hashOf(second.key), hashOf(first.key), until],
    );
    const third = (await call(first.id, 'rotate', { graceSeconds: 60 })).data;
    const after = await published(first.id);
    assert.deepEqual([after?.keyHash, after?.previousKeyHash], [hashOf(third.key), hashOf(second.key)]);
    assert.equal((await call(first.id, 'reveal')).data.key, third.key);

    const atOnce = (await call(first.id, 'rotate', { graceSeconds: 0 })).data;
    assert.deepEqual([atOnce.state, atOnce.previousValidUntil], ['active', null]);
    assert.equal((await published(first.id))?.previousKeyHash, null);
    for (const graceSeconds of [-1, 30 * 86_400 + 1, 1.5]) {
      assert.equal((await call(first.id, 'rotate', { graceSeconds })).status, 400, String(graceSeconds));
    }
    assert.equal((await call(first.id, 'rotate', { graceSeconds: 30 * 86_400 })).status, 200);
  });

  test('no key outlives its credential, whatever the grace period', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await issue({ expiresAt });
    const long = (await call(id, 'rotate', { graceSeconds: 86_400 })).data;
    assert.deepEqual([long.previousValidUntil, long.expiresAt], [expiresAt, expiresAt]);
    assert.equal((await published(id))?.previousValidUntilMs, Date.parse(expiresAt));
    const short = (await call(id, 'rotate', { graceSeconds: 60 })).data;
    assert.ok(Date.parse(short.previousValidUntil) <= Date.now() + 60_000);
  });

  test('the state follows the time, and lists can be filtered by it', async () => {
    const past = new Date(Date.now() - 1_000);
    const rotating = await issue({ name: 'states' });
    await call(rotating.id, 'rotate', { graceSeconds: 60 });
    const rotated = await issue({ name: 'states' });
    await call(rotated.id, 'rotate', { graceSeconds: 60 });
    await set(rotated.id, 'previous_valid_until', past);
    const expired = await issue({ name: 'states', expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await set(expired.id, 'expires_at', past);
    const revoked = await issue({ name: 'states' });
    await call(revoked.id, 'revoke');
    for (const [state, id] of [
      ['rotating', rotating.id],
      ['active', rotated.id],
      ['expired', expired.id],
      ['revoked', revoked.id],
    ]) {
      const shown = await done(administrator, 'GET', `/apps/${appId}/credentials/${id}`);
      assert.equal(shown.state, state);
      const { data } = await administrator.call('GET', `/apps/${appId}/credentials?search=states&state=${state}`);
      assert.deepEqual([data.total, data.credentials[0].id], [1, id], state);
    }
    const refused = await call(expired.id, 'rotate', {});
    assert.deepEqual(
      [refused.status, refused.data.message],
      [409, 'The credential is expired. Possible now: revoke and reveal. Or issue a new one.'],
    );
    assert.equal((await call(expired.id, 'revoke')).status, 200);
    const late = { name: 'late', expiresAt: past.toISOString() };
    const inPast = await administrator.call('POST', `/apps/${appId}/credentials`, late);
    assert.deepEqual([inPast.status, Object.keys(inPast.data.errors)], [400, ['expiresAt']]);
    await set(rotated.id, 'previous_valid_until', new Date((await published(rotated.id))?.previousValidUntilMs ?? 0));
  });

  test('a revocation is permanent: nodes forget the credential, and its key is deleted', async () => {
    const { id } = await issue();
    const revoked = (await call(id, 'revoke')).data;
    assert.deepEqual([revoked.state, typeof revoked.revokedAt], ['revoked', 'string']);
    assert.equal(await published(id), undefined);
    for (const [move, body] of [
      ['revoke', undefined],
      ['rotate', {}],
      ['reveal', undefined],
    ] as const) {
      const refused = await call(id, move, body);
      assert.deepEqual(
        [refused.status, refused.data.message],
        [409, 'The credential is permanently revoked. Issue a new one.'],
      );
    }
    const row = await control.opened.database.system
      .selectFrom('credentials')
      .select('sealed_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(row.sealed_key.length, 0);
  });

  test('a simultaneous rotation and revocation end revoked, whichever comes first', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await issue();
      const [rotated, revoked] = await Promise.all([call(id, 'rotate', {}), call(id, 'revoke')]);
      assert.ok([200, 409].includes(rotated.status), String(rotated.status));
      assert.equal(revoked.status, 200);
      assert.equal((await done(administrator, 'GET', `/apps/${appId}/credentials/${id}`)).state, 'revoked');
      assert.equal(await published(id), undefined);
    }
  });

  test('two simultaneous rotations give two keys: the last is valid, the first for the grace period', async () => {
    const { id } = await issue();
    const keys = (await Promise.all([call(id, 'rotate', {}), call(id, 'rotate', {})])).map(({ data }) => data.key);
    const known = await published(id);
    assert.deepEqual([known?.keyHash, known?.previousKeyHash].toSorted(), keys.map(hashOf).toSorted());
  });

  test('an app has at most 50 unrevoked credentials, even when they are issued concurrently', async () => {
    for (let round = 0; round < 3; round++) {
      const full = await addApp(administrator);
      const values = Array.from({ length: 48 }, () => ({
        id: newId('crd'),
        organization_id: organizationId,
        app_id: full,
        name: 'Many',
        prefix: 'mrk_many',
        key_hash: createHash('sha256').update(newId('key')).digest(),
        sealed_key: Buffer.alloc(0),
      }));
      await control.opened.database.system.insertInto('credentials').values(values).execute();
      const issued = await Promise.all(
        Array.from({ length: 4 }, () => administrator.call('POST', `/apps/${full}/credentials`, { name: 'More' })),
      );
      assert.deepEqual(issued.map(({ status }) => status).toSorted(), [201, 201, 409, 409]);
      assert.match(issued.find(({ status }) => status === 409)?.data.message, /at most 50/);
      await done(administrator, 'POST', `/apps/${full}/credentials/${values[0]?.id}/revoke`);
      await done(administrator, 'POST', `/apps/${full}/credentials`, { name: 'More' });
      await done(administrator, 'DELETE', `/apps/${full}`);
    }
  });

  test('nodes get what the tables contain', async () => {
    assert.deepEqual(await publishedConsumers(control, organizationId), await storedConsumers(control, organizationId));
  });
});
