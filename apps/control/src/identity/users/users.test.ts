import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sql } from 'kysely';
import { startTestControl, type TestAnswer, type TestCaller, type TestControl } from '../../testing.ts';

describe('users', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  /** May do all that concerns users, and little else. */
  let clerk: TestCaller;
  let clerkRole: `rol_${string}`;

  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization('acme');
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    const permissions = ['user.read', 'user.write', 'user.delete', 'role.read', 'proxy.read'];
    clerkRole = (await administrator.call('POST', '/roles', { name: 'Clerk', permissions })).data.id;
    clerk = await control.addUser(organizationId, [clerkRole]);
  });
  after(() => control.stop());

  const system = () => control.opened.database.system;
  const rolesOf = async (userId: string) =>
    (await administrator.call('GET', `/users/${userId}`)).data.roles.map(({ id }: { id: string }) => id);

  /** The text of the first mail to an address, once it was sent. */
  async function mailTo(email: string): Promise<string> {
    const folder = join(control.dataDirectory, 'mail');
    return eventually(`a mail to ${email}`, async () => {
      const names = await readdir(folder).catch(() => []);
      const texts = names
        // A mail that is still being written has a hidden name.
        .filter((name) => /^[^.].*\.eml$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8'));
      const found = texts.find((text) => text.includes(`To: ${email}`));
      return found?.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    });
  }

  /** Responses of calls that are all in progress before any of them commits: each of them ends with its audit row. */
  async function atOnce(organization: string, calls: () => readonly Promise<TestAnswer>[]) {
    const head = { organization_id: organization, sequence: '0', hash: Buffer.alloc(32), seal: Buffer.alloc(0) };
    await system()
      .insertInto('audit_heads')
      .values(head)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const requests = await system()
      .transaction()
      .execute(async (transaction) => {
        await transaction
          .selectFrom('audit_heads')
          .select('sequence')
          .where('organization_id', '=', organization)
          .forUpdate()
          .execute();
        const begun = calls();
        await eventually('all calls to wait', async () => {
          const { rows } = await sql<{ waiting: number }>`
            select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
            where not granted and datname = current_database()`.execute(system());
          return rows[0]?.waiting === begun.length;
        });
        return begun;
      });
    return Promise.all(requests);
  }

  async function platformOrganization(): Promise<string> {
    const id = await control.addOrganization();
    await system().updateTable('organizations').set({ platform: true }).where('id', '=', id).execute();
    return id;
  }

  test('a user with a password signs in; one without sets it with a link from an e-mail', async () => {
    const password = 'seven green lanterns';
    const body = { email: 'Ada@Example.com', name: ' Ada ', roleIds: ['developer', 'auditor', 'developer'], password };
    const made = await administrator.call('POST', '/users', body);
    assert.equal(made.status, 201, JSON.stringify(made.data));
    assert.deepEqual([made.data.email, made.data.name, made.data.state], ['ada@example.com', 'Ada', 'active']);
    assert.deepEqual(made.data.roles, [
      { id: 'auditor', name: 'Auditor' },
      { id: 'developer', name: 'Developer' },
    ]);
    const signIn = await control.call('POST', '/auth/login', { email: 'ada@example.com', password });
    assert.equal(signIn.status, 200);
    const shown = await administrator.call('GET', `/users/${made.data.id}`);
    assert.notEqual(shown.data.lastSignInAt, null);
    assert.deepEqual(shown.data.roles, made.data.roles);

    const invited = { email: 'grace@example.com', name: 'Grace', roleIds: [] };
    assert.equal((await administrator.call('POST', '/users', invited)).status, 201);
    const token = /reset-password\?token=([\w-]{43})/.exec(await mailTo(invited.email))?.[1];
    const confirmed = await control.call('POST', '/auth/password-resets/confirm', { token, newPassword: password });
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.data));
    assert.equal((await control.call('POST', '/auth/login', { email: invited.email, password })).status, 200);

    const weak = await administrator.call('POST', '/users', {
      ...body,
      email: 'weak@example.com',
      password: 'aaaaaaaaaaaaa',
    });
    assert.deepEqual([weak.status, Object.keys(weak.data.errors)], [400, ['password']]);
    const trail = await system().selectFrom('audit_entries').select('changes').execute();
    assert.ok(!JSON.stringify([trail, shown.data, control.logLines]).includes(password));
  });

  test('users are listed by state and role, and found by name and address', async () => {
    const user = await control.addUser(organizationId, ['operations_engineer']);
    const listed = await administrator.call('GET', '/users?roleId=operations_engineer&state=active');
    assert.deepEqual(
      listed.data.users.map(({ id }: { id: string }) => id),
      [user.userId],
    );
    const found = await administrator.call('GET', `/users?search=${user.userId.toUpperCase()}@`);
    assert.equal(found.data.total, 1);
    assert.equal((await administrator.call('GET', '/users?state=asleep')).status, 400);
  });

  test('a suspended user is locked out immediately until activated', async () => {
    const user = await control.addUser(organizationId, ['organization_administrator']);
    const path = `/users/${user.userId}`;
    assert.equal((await user.call('GET', '/users')).status, 200);
    const suspended = await administrator.call('POST', `${path}/suspend`);
    assert.deepEqual([suspended.data.state, suspended.data.version], ['suspended', 2]);
    assert.equal((await user.call('GET', '/users')).status, 401);
    const again = await administrator.call('POST', `${path}/suspend`);
    assert.equal(again.status, 409);
    assert.match(again.data.message, /activate/);
    assert.equal((await administrator.call('POST', `${path}/activate`)).data.state, 'active');
    assert.equal((await administrator.call('POST', `${path}/activate`)).status, 409);
    assert.equal((await user.call('GET', '/users')).status, 401);
  });

  test('an administrator can list and end a user’s sessions', async () => {
    const user = await control.addUser(organizationId, ['developer']);
    const listed = await administrator.call('GET', `/users/${user.userId}/sessions`);
    assert.deepEqual([listed.data.total, listed.data.sessions[0].current], [1, false]);
    const own = await administrator.call('GET', `/users/${administrator.userId}/sessions`);
    assert.equal(own.data.sessions[0].current, true);
    const ended = await administrator.call('DELETE', `/users/${user.userId}/sessions`);
    assert.deepEqual(ended.data, { endedSessions: 1 });
    assert.equal((await user.call('GET', '/auth/session')).status, 401);
  });

  test('assigned roles take effect at the next call, with a new session token', async () => {
    const user = await control.addUser(organizationId, ['developer']);
    assert.equal((await user.call('GET', '/users')).status, 403);
    const set = await administrator.call('PUT', `/users/${user.userId}/roles`, { roleIds: ['auditor', clerkRole] });
    assert.deepEqual(set.data.roles, [
      { id: 'auditor', name: 'Auditor' },
      { id: clerkRole, name: 'Clerk' },
    ]);
    const seen = await user.call('GET', '/users');
    assert.equal(seen.status, 200);
    assert.match(seen.headers.get('set-cookie') ?? '', /^millrace_session=/);
    await administrator.call('PUT', `/users/${user.userId}/roles`, { roleIds: [] });
    assert.equal((await user.call('GET', '/users')).status, 403);
    const unknown = await administrator.call('PUT', `/users/${user.userId}/roles`, { roleIds: ['rol_nothing'] });
    assert.deepEqual([unknown.status, Object.keys(unknown.data.errors)], [400, ['roleIds']]);
  });

  test('nobody can grant more than they have', async () => {
    const user = await control.addUser(organizationId, []);
    const path = `/users/${user.userId}/roles`;
    for (const roleIds of [['developer'], ['organization_administrator'], [clerkRole, 'auditor'], ['super_admin']]) {
      assert.equal((await clerk.call('PUT', path, { roleIds })).status, 403, roleIds.join());
      const created = await clerk.call('POST', '/users', { email: 'up@example.com', name: 'Up', roleIds });
      assert.equal(created.status, 403, roleIds.join());
    }
    assert.equal((await administrator.call('PUT', path, { roleIds: ['super_admin'] })).status, 403);
    assert.deepEqual(await rolesOf(user.userId), []);
    assert.equal((await clerk.call('PUT', path, { roleIds: [clerkRole, 'api_consumer'] })).status, 200);
  });

  test('users with more permissions than the caller can’t be changed', async () => {
    const above = await control.addUser(organizationId, ['developer']);
    const superAdmin = await control.addUser(organizationId, ['super_admin']);
    const cases = [
      [clerk, above],
      [clerk, administrator],
      [administrator, superAdmin],
    ] as const;
    for (const [caller, { userId }] of cases) {
      const calls = [
        ['PATCH', '', { email: 'taken.over@example.com' }],
        ['POST', '/suspend'],
        ['PUT', '/roles', { roleIds: [] }],
        ['DELETE', '/sessions'],
        ['DELETE', ''],
      ] as const;
      for (const [method, rest, body] of calls) {
        assert.equal((await caller.call(method, `/users/${userId}${rest}`, body)).status, 403, `${method} ${rest}`);
      }
    }
  });

  test('nobody can change their own roles or delete themselves, signed in or through a service account', async () => {
    const second = await control.addUser(organizationId, ['organization_administrator']);
    const account = await second.call('POST', '/service-accounts', {
      name: 'users',
      permissions: ['user.read', 'user.write', 'user.delete', 'proxy.read'],
    });
    const issued = await second.call('POST', `/service-accounts/${account.data.id}/tokens`, { name: 'one' });
    const bearer = { authorization: `Bearer ${issued.data.token}` };
    const plain = await control.addUser(organizationId, []);
    await system()
      .updateTable('service_accounts')
      .set({ owner_ids: [second.userId, plain.userId] })
      .execute();
    const calls = [
      ['PUT', '/roles', { roleIds: ['api_consumer'] }],
      ['POST', '/suspend'],
      ['DELETE', ''],
    ] as const;
    for (const [method, rest, body] of calls) {
      assert.equal((await second.call(method, `/users/${second.userId}${rest}`, body)).status, 403, method);
      const byAccount = await control.call(method, `/users/${plain.userId}${rest}`, body, bearer);
      assert.equal(byAccount.status, 403, method);
      assert.match(byAccount.data.message, /^Nobody/);
    }
    const other = await control.addUser(organizationId, []);
    const allowed = await control.call('PUT', `/users/${other.userId}/roles`, { roleIds: ['api_consumer'] }, bearer);
    assert.equal(allowed.status, 200);
    assert.equal((await second.call('PATCH', `/users/${second.userId}`, { name: 'Second' })).status, 200);
  });

  test('an organization keeps an administrator, however many are removed at once', async () => {
    const organization = await control.addOrganization();
    const first = await control.addUser(organization, ['organization_administrator']);
    const second = await control.addUser(organization, ['organization_administrator']);
    const demoted = await atOnce(organization, () => [
      first.call('PUT', `/users/${second.userId}/roles`, { roleIds: [] }),
      second.call('PUT', `/users/${first.userId}/roles`, { roleIds: [] }),
    ]);
    assert.equal(demoted.filter(({ status }) => status === 200).length, 1);
    assert.ok(demoted.some(({ status }) => status === 409));

    const superAdmin = await control.addUser(await platformOrganization(), ['super_admin']);
    const there = { 'x-organization-id': organization };
    const last = demoted[0]?.status === 200 ? first : second;
    const removals = [
      ['PUT', '/roles', { roleIds: ['developer'] }],
      ['POST', '/suspend'],
      ['DELETE', ''],
    ] as const;
    for (const [method, rest, body] of removals) {
      const refused = await superAdmin.call(method, `/users/${last.userId}${rest}`, body, there);
      assert.equal(refused.status, 409, method);
      assert.match(refused.data.message, /last active Organization Administrator/);
    }
    // Of an organization that is given up even the last one goes.
    await superAdmin.call('POST', `/organizations/${organization}/suspend`);
    assert.equal((await superAdmin.call('DELETE', `/users/${last.userId}`, undefined, there)).status, 200);
  });

  test('concurrent suspensions, demotions and deletions leave an administrator', async () => {
    const organization = await control.addOrganization();
    const add = () => control.addUser(organization, ['organization_administrator']);
    const many = [await add(), await add(), await add()] as const;
    const removals = await atOnce(organization, () => [
      many[0].call('POST', `/users/${many[1].userId}/suspend`),
      many[1].call('DELETE', `/users/${many[2].userId}`),
      many[2].call('PUT', `/users/${many[0].userId}/roles`, { roleIds: [] }),
    ]);
    assert.deepEqual(
      removals.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 200, 409],
    );
    const left = await system()
      .selectFrom('user_roles')
      .innerJoin('users', 'users.id', 'user_roles.user_id')
      .select('users.id')
      .where('users.organization_id', '=', organization)
      .where('users.state', '=', 'active')
      .execute();
    assert.equal(left.length, 1);
  });

  test('only Super Admins create Super Admins, in the platform’s organization, which keeps one', async () => {
    const platform = await platformOrganization();
    const first = await control.addUser(platform, ['super_admin']);
    const operator = await control.addUser(platform, ['organization_administrator']);
    const raise = { roleIds: ['super_admin'] };
    assert.equal((await operator.call('PUT', `/users/${operator.userId}/roles`, raise)).status, 403);
    const second = await control.addUser(platform, []);
    assert.equal((await operator.call('PUT', `/users/${second.userId}/roles`, raise)).status, 403);
    assert.equal((await first.call('PUT', `/users/${second.userId}/roles`, raise)).status, 200);
    const elsewhere = await first.call('PUT', `/users/${administrator.userId}/roles`, raise, {
      'x-organization-id': organizationId,
    });
    assert.deepEqual([elsewhere.status, Object.keys(elsewhere.data.errors)], [400, ['roleIds']]);
    const demoted = await atOnce(platform, () => [
      first.call('POST', `/users/${second.userId}/suspend`),
      second.call('POST', `/users/${first.userId}/suspend`),
    ]);
    assert.equal(demoted.filter(({ status }) => status === 200).length, 1);
  });

  test('an address is unique; one used in another organization reveals only that, and only a few times', async () => {
    const foreign = await control.addOrganization();
    const addresses: string[] = [];
    for (let index = 0; index < 8; index++) {
      addresses.push(`${(await control.addUser(foreign, [])).userId}@example.com`);
    }
    const post = (email: string) => clerk.call('POST', '/users', { email, name: 'Somebody', roleIds: [] });
    const own = await post(`${clerk.userId}@EXAMPLE.com`);
    assert.deepEqual([own.status, Object.keys(own.data.errors)], [400, ['email']]);
    const first = await post(addresses[0]!);
    assert.equal(first.status, 409);
    assert.deepEqual(first.data.errors, { email: first.data.message });
    const user = await control.addUser(organizationId, []);
    const moved = await clerk.call('PATCH', `/users/${user.userId}`, { email: addresses[1] });
    assert.deepEqual([moved.status, moved.data], [409, first.data]);
    const statuses: number[] = [];
    for (const address of addresses.slice(2)) statuses.push((await post(address)).status);
    assert.deepEqual(statuses.slice(-2), [429, 429]);
    const waiting = await post('free@example.com');
    assert.equal(waiting.status, 429);
    assert.match(waiting.headers.get('retry-after') ?? '', /^\d+$/);
    const other = await administrator.call('POST', '/users', { email: 'free@example.com', name: 'Free', roleIds: [] });
    assert.equal(other.status, 201);
  });

  test('the previous address is notified of a change, and its links become invalid', async () => {
    const user = await control.addUser(organizationId, []);
    const old = `${user.userId}@example.com`;
    await control.call('POST', '/auth/password-resets', { email: old });
    const path = `/users/${user.userId}`;
    const before = await administrator.call('GET', path);
    const tag = { 'if-match': before.headers.get('etag') ?? '' };
    const changed = await administrator.call('PATCH', path, { email: 'new.address@example.com' }, tag);
    assert.deepEqual([changed.status, changed.data.email, changed.data.version], [200, 'new.address@example.com', 2]);
    assert.equal((await administrator.call('PATCH', path, { name: 'Other' }, tag)).status, 412);
    const links = await system().selectFrom('password_resets').selectAll().where('user_id', '=', user.userId).execute();
    assert.equal(links.length, 0);
    await mailTo(old);
  });

  test('a deleted user is gone with sessions and roles; the audit trail stays', async () => {
    const user = await control.addUser(organizationId, ['developer']);
    assert.deepEqual((await administrator.call('DELETE', `/users/${user.userId}`)).data, {});
    assert.equal((await user.call('GET', '/auth/session')).status, 401);
    assert.equal((await administrator.call('GET', `/users/${user.userId}`)).status, 404);
    const rows = await system()
      .selectFrom('audit_entries')
      .select(['operation', 'severity'])
      .where('entity_id', '=', user.userId)
      .execute();
    assert.deepEqual(rows, [{ operation: 'deleteUser', severity: 'high' }]);
  });

  test('another organization’s user is not found', async () => {
    const foreign = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const unknown = await foreign.call('GET', '/users/usr_00000000000000000000000001');
    const calls = [
      ['GET', ''],
      ['PATCH', '', { name: 'Theirs' }],
      ['DELETE', ''],
      ['POST', '/suspend'],
      ['POST', '/activate'],
      ['PUT', '/roles', { roleIds: [] }],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
    ] as const;
    for (const [method, rest, body] of calls) {
      const answer = await foreign.call(method, `/users/${clerk.userId}${rest}`, body);
      assert.deepEqual([answer.status, answer.data], [404, unknown.data], `${method} ${rest}`);
    }
  });
});
