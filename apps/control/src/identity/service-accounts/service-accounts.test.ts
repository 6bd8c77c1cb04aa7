import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hashSecret } from '@millrace/sign-in/secrets';
import { startTestControl, type TestAnswer, type TestCaller, type TestControl } from '../../testing.ts';

describe('service accounts', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  /** May make service accounts, and little else. */
  let clerk: TestCaller;
  const clerkPermissions = ['service-account.read', 'service-account.write', 'role.read'];
  let made = 0;

  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    const role = await administrator.call('POST', '/roles', { name: 'Clerk', permissions: clerkPermissions });
    clerk = await control.addUser(organizationId, [role.data.id]);
  });
  after(() => control.stop());

  async function makeAccount(maker: TestCaller, permissions: readonly string[]) {
    const answer = await maker.call('POST', '/service-accounts', { name: `Account ${++made}`, permissions });
    assert.equal(answer.status, 201, JSON.stringify(answer.data));
    return { id: answer.data.id as string, path: `/service-accounts/${answer.data.id}` };
  }

  async function issueToken(issuer: TestCaller, path: string, body: object = { name: 'One' }) {
    const answer = await issuer.call('POST', `${path}/tokens`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.data));
    return answer.data;
  }

  function callWith(token: string, method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return control.call(method, path, body, { authorization: `Bearer ${token}` });
  }

  test('a token is shown once, stored as a hash, signs in as the account, and is listed by its prefix', async () => {
    const { path } = await makeAccount(administrator, ['role.read', 'audit.read']);
    const issued = await issueToken(administrator, path, { name: 'Build server', lifetimeDays: 7 });
    assert.match(issued.token, /^mrs_[\w-]{43}$/);
    assert.equal(issued.token.slice(0, 10), issued.prefix);
    const days = (Date.parse(issued.expiresAt) - Date.parse(issued.createdAt)) / 86_400_000;
    assert.ok(Math.abs(days - 7) < 0.01);

    const stored = await control.opened.database.system
      .selectFrom('service_account_tokens')
      .selectAll()
      .where('id', '=', issued.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(stored.token_hash, hashSecret(issued.token));
    assert.equal((await callWith(issued.token, 'GET', '/roles')).status, 200);
    const refused = await callWith(issued.token, 'GET', '/users');
    assert.equal(refused.status, 403);

    const shown = await administrator.call('GET', path);
    assert.deepEqual(shown.data.owners, [{ id: administrator.userId, name: shown.data.owners[0].name }]);
    assert.equal(shown.data.tokens.length, 1);
    assert.notEqual(shown.data.tokens[0].lastUsedAt, null);
    const listed = await administrator.call('GET', '/service-accounts?sort=-createdAt');
    const trail = await control.opened.database.system.selectFrom('audit_entries').select('changes').execute();
    for (const text of [shown.data, listed.data, trail, control.logLines]) {
      assert.ok(!JSON.stringify(text).includes(issued.token.slice(10)));
    }
  });

  test('a token is valid for 90 days by default, and with null until it is revoked', async () => {
    const { path } = await makeAccount(administrator, []);
    const usual = await issueToken(administrator, path);
    assert.ok(Date.parse(usual.expiresAt) > Date.now() + 89 * 86_400_000);
    assert.equal((await issueToken(administrator, path, { name: 'Long', lifetimeDays: null })).expiresAt, null);
    const wrong = await administrator.call('POST', `${path}/tokens`, { name: 'Odd', lifetimeDays: 0 });
    assert.equal(wrong.status, 400);
  });

  test('a revoked, expired, suspended or deleted credential is rejected immediately', async () => {
    const { id, path } = await makeAccount(administrator, ['role.read']);
    const [first, second] = [await issueToken(administrator, path), await issueToken(administrator, path)];
    const statusOf = async ({ token }: { token: string }) => (await callWith(token, 'GET', '/roles')).status;
    assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 200]);
    assert.deepEqual((await administrator.call('DELETE', `${path}/tokens/${first.id}`)).data, {});
    assert.deepEqual([await statusOf(first), await statusOf(second)], [401, 200]);
    assert.equal((await administrator.call('DELETE', `${path}/tokens/${first.id}`)).status, 404);

    assert.equal((await administrator.call('PATCH', path, { state: 'suspended' })).data.state, 'suspended');
    assert.equal(await statusOf(second), 401);
    await administrator.call('PATCH', path, { state: 'active' });
    assert.equal(await statusOf(second), 200);
    await administrator.call('PATCH', path, { permissions: [] });
    assert.equal(await statusOf(second), 403);
    await administrator.call('PATCH', path, { permissions: ['role.read'] });
    await control.opened.database.system
      .updateTable('service_account_tokens')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', second.id)
      .execute();
    assert.equal(await statusOf(second), 401);
    const third = await issueToken(administrator, path);
    assert.deepEqual((await administrator.call('DELETE', path)).data, {});
    assert.equal(await statusOf(third), 401);
    const left = await control.opened.database.system
      .selectFrom('service_account_tokens')
      .where('service_account_id', '=', id)
      .selectAll()
      .execute();
    assert.equal(left.length, 0);
  });

  test('nobody can create, extend, or issue a token for an account with more permissions than theirs', async () => {
    const above = { name: 'Above', permissions: ['role.read', 'deployment.prod'] };
    const refused = await clerk.call('POST', '/service-accounts', above);
    assert.equal(refused.status, 403);
    assert.match(refused.data.message, /deployment\.prod/);
    const own = await makeAccount(clerk, ['role.read']);
    assert.equal((await clerk.call('PATCH', own.path, { permissions: ['role.write'] })).status, 403);
    await issueToken(clerk, own.path);

    const high = await makeAccount(administrator, above.permissions);
    const token = await issueToken(administrator, high.path);
    assert.equal((await clerk.call('POST', `${high.path}/tokens`, { name: 'Mine' })).status, 403);
    for (const body of [{ permissions: ['role.read'] }, { state: 'suspended' }]) {
      assert.equal((await clerk.call('PATCH', high.path, body)).status, 403);
    }
    assert.equal((await clerk.call('DELETE', high.path)).status, 403);
    // To take access away from a token that leaked, nobody has to be asked.
    assert.equal((await clerk.call('DELETE', `${high.path}/tokens/${token.id}`)).status, 200);

    const unknown = await clerk.call('POST', '/service-accounts', { name: 'Odd', permissions: ['all'] });
    assert.deepEqual([unknown.status, Object.keys(unknown.data.errors)], [400, ['permissions.0']]);
  });

  test('a service account grants only what it has, can’t change itself, and keeps its owners', async () => {
    const { id, path } = await makeAccount(clerk, clerkPermissions);
    const { token } = await issueToken(administrator, path);
    const owners = (await clerk.call('GET', path)).data.owners.map((owner: { id: string }) => owner.id);
    assert.deepEqual(owners, [clerk.userId, administrator.userId]);

    for (const [method, body] of [['PATCH', { permissions: ['role.read'] }], ['DELETE']] as const) {
      assert.equal((await callWith(token, method, path, body)).status, 403);
    }
    const raised = await callWith(token, 'POST', '/service-accounts', { name: 'Child', permissions: ['user.write'] });
    assert.equal(raised.status, 403);
    const child = await callWith(token, 'POST', '/service-accounts', { name: 'Child', permissions: ['role.read'] });
    assert.deepEqual(
      child.data.owners.map((owner: { id: string }) => owner.id),
      owners,
    );
    assert.notEqual(child.data.id, id);
  });

  test('names are unique, versions are checked, and tokens are limited to 20', async () => {
    const { path } = await makeAccount(administrator, []);
    const { name, version } = (await administrator.call('GET', path)).data;
    const taken = await administrator.call('POST', '/service-accounts', { name, permissions: [] });
    assert.deepEqual([taken.status, Object.keys(taken.data.errors)], [400, ['name']]);
    const ifMatch = { 'if-match': `"v${version}"` };
    assert.equal((await administrator.call('PATCH', path, { description: 'a' }, ifMatch)).status, 200);
    assert.equal((await administrator.call('PATCH', path, { description: 'b' }, ifMatch)).status, 412);
    const issues = Array.from({ length: 22 }, () => administrator.call('POST', `${path}/tokens`, { name: 'Many' }));
    const statuses = (await Promise.all(issues)).map(({ status }) => status);
    assert.deepEqual([statuses.filter((s) => s === 201).length, statuses.filter((s) => s === 409).length], [20, 2]);
  });

  test('another organization’s accounts and tokens are not found', async () => {
    const foreign = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const { path } = await makeAccount(administrator, []);
    const token = await issueToken(administrator, path);
    const unknown = await foreign.call('GET', '/service-accounts/sva_00000000000000000000000001');
    const calls = [
      ['GET', path],
      ['PATCH', path, { name: 'Theirs' }],
      ['DELETE', path],
      ['POST', `${path}/tokens`, { name: 'Theirs' }],
      ['DELETE', `${path}/tokens/${token.id}`],
    ] as const;
    for (const [method, target, body] of calls) {
      const answer = await foreign.call(method, target, body);
      assert.deepEqual([answer.status, answer.data], [404, unknown.data], `${method} ${target}`);
    }
    const other = await makeAccount(administrator, []);
    assert.equal((await administrator.call('DELETE', `${other.path}/tokens/${token.id}`)).status, 404);
  });
});
