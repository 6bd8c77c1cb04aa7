import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operations } from '../../contracts.ts';
import { allPermissions } from '../../frame/permissions.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('roles', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  /** May do all that concerns roles and users, and little else. */
  let clerk: TestCaller;
  const clerkPermissions = ['user.read', 'user.write', 'role.read', 'role.write', 'proxy.read'];

  before(async () => {
    control = await startTestControl();
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    clerk = await control.addUser(organizationId, [(await makeRole('Clerk', clerkPermissions)).id]);
  });
  after(() => control.stop());

  async function makeRole(name: string, permissions: readonly string[]) {
    const made = await administrator.call('POST', '/roles', { name, permissions });
    assert.equal(made.status, 201, JSON.stringify(made.data));
    return made.data;
  }

  test('built-in and custom roles are one list with their permissions', async () => {
    const listed = await administrator.call('GET', '/roles?sort=name&pageSize=100');
    assert.equal(listed.status, 200, JSON.stringify(listed.data));
    const names: string[] = listed.data.roles.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('Clerk') && names.includes('Super Admin') && names.includes('Operations Engineer'));
    assert.equal(listed.data.total, names.length);
    const custom = await administrator.call('GET', '/roles?builtIn=false&search=cLERK');
    assert.deepEqual([custom.data.total, custom.data.roles[0].users], [1, 1]);
    const page = await administrator.call('GET', '/roles?pageSize=2&page=2&sort=-name');
    assert.deepEqual([page.data.roles.length, page.data.total], [2, names.length]);
    const auditor = await administrator.call('GET', '/roles/auditor');
    assert.deepEqual([auditor.data.builtIn, auditor.data.createdAt], [true, null]);
    assert.ok(auditor.data.permissions.includes('audit.export'));
  });

  test('the catalogue lists every permission, and which the caller has', async () => {
    const whole = await clerk.call('GET', '/permissions?pageSize=100');
    assert.equal(whole.data.total, allPermissions.length);
    const held = await clerk.call('GET', '/permissions?held=true&sort=-name');
    assert.deepEqual(
      held.data.permissions.map(({ name }: { name: string }) => name),
      clerkPermissions.toSorted().reverse(),
    );
    const found = await clerk.call('GET', '/permissions?subject=deployment&search=PRODUCTION&pageSize=1');
    assert.equal(
      found.data.permissions[0].description,
      'Deploy to production, and change and approve what its callers get',
    );
    assert.equal(found.data.total, 2);
  });

  test('every permission of the catalogue is asked for by an operation', async () => {
    const asked = new Set<string>(operations.flatMap(({ permissions }): readonly string[] => permissions));
    assert.deepEqual([...asked].toSorted(), allPermissions.toSorted());
    const names = async (query: string) => {
      const { data } = await administrator.call('GET', `/permissions?pageSize=100&${query}`);
      return data.permissions.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual((await names('checked=true')).toSorted(), allPermissions.toSorted());
    assert.deepEqual(await names('checked=false'), []);
  });

  test('a custom role is created, shown, changed, and deleted while unused', async () => {
    const made = await makeRole('Watcher', ['proxy.read', 'deployment.read', 'proxy.read']);
    assert.deepEqual(made.permissions, ['proxy.read', 'deployment.read']);
    const path = `/roles/${made.id}`;
    const shown = await administrator.call('GET', path);
    assert.deepEqual([shown.data, shown.headers.get('etag')], [made, '"v1"']);
    const changed = await administrator.call('PATCH', path, { description: 'Looks on' });
    assert.deepEqual([changed.data.version, changed.data.permissions], [2, made.permissions]);
    assert.equal((await administrator.call('PATCH', path, { name: 'W' }, { 'if-match': '"v1"' })).status, 412);

    const watcher = await control.addUser(organizationId, [made.id]);
    const refused = await administrator.call('DELETE', path);
    assert.equal(refused.status, 409);
    assert.match(refused.data.message, /1 users and 0 pending invitations/);
    await administrator.call('PUT', `/users/${watcher.userId}/roles`, { roleIds: [] });
    const invited = { email: 'watcher@invited.example', name: 'Invited', roleIds: [made.id] };
    const invitation = await administrator.call('POST', '/invitations', invited);
    assert.equal((await administrator.call('DELETE', path)).status, 409);
    await administrator.call('DELETE', `/invitations/${invitation.data.id}`);
    assert.deepEqual((await administrator.call('DELETE', path)).data, {});
    assert.equal((await administrator.call('GET', path)).status, 404);
  });

  test('unknown permissions and names of other or built-in roles are rejected', async () => {
    const post = (body: object) => administrator.call('POST', '/roles', body);
    const unknown = await post({ name: 'Odd', permissions: ['proxy.read', 'proxy.everything'] });
    assert.equal(unknown.status, 400);
    assert.deepEqual(Object.keys(unknown.data.errors), ['permissions.1']);
    for (const name of ['Clerk', 'super admin', 'SUPER_ADMIN', ' Auditor ', 'Ａuditor']) {
      const taken = await post({ name, permissions: [] });
      assert.equal(taken.status, 400, name);
      assert.deepEqual(Object.keys(taken.data.errors), ['name']);
    }
  });

  test('built-in roles can’t be changed', async () => {
    for (const [method, body] of [['PATCH', { permissions: [] }], ['DELETE']] as const) {
      assert.equal((await administrator.call(method, '/roles/developer', body)).status, 409, method);
    }
  });

  test('nobody can create a role with permissions they lack, or change one with more than theirs', async () => {
    const above = await clerk.call('POST', '/roles', { name: 'Above', permissions: ['proxy.read', 'deployment.prod'] });
    assert.equal(above.status, 403);
    assert.match(above.data.message, /deployment\.prod/);
    const made = await clerk.call('POST', '/roles', { name: 'Beneath', permissions: ['proxy.read'] });
    assert.equal(made.status, 201);
    const raised = { permissions: ['proxy.read', 'proxy.write'] };
    assert.equal((await clerk.call('PATCH', `/roles/${made.data.id}`, raised)).status, 403);
    const high = await makeRole('High', ['proxy.read', 'deployment.prod']);
    for (const body of [{ permissions: ['proxy.read'] }, { name: 'Low' }]) {
      assert.equal((await clerk.call('PATCH', `/roles/${high.id}`, body)).status, 403);
    }
    assert.equal((await clerk.call('DELETE', `/roles/${high.id}`)).status, 403);
    const denied = await control.opened.database.system
      .selectFrom('audit_entries')
      .select('outcome')
      .where('actor_id', '=', clerk.userId)
      .where('outcome', '=', 'denied')
      .execute();
    assert.equal(denied.length, 5);
  });

  test('nobody can change the permissions of their own role, signed in or through a service account', async () => {
    const [roleId] = (await administrator.call('GET', '/roles?search=Clerk')).data.roles.map(
      ({ id }: { id: string }) => id,
    );
    const fewer = { permissions: clerkPermissions.slice(1) };
    const refused = await clerk.call('PATCH', `/roles/${roleId}`, fewer);
    assert.equal(refused.status, 403);
    const both = await control.addUser(organizationId, ['organization_administrator', roleId]);
    assert.equal((await both.call('PATCH', `/roles/${roleId}`, fewer)).status, 403);
    const account = await both.call('POST', '/service-accounts', { name: 'roles', permissions: allPermissions });
    const token = await both.call('POST', `/service-accounts/${account.data.id}/tokens`, { name: 'one' });
    const bearer = { authorization: `Bearer ${token.data.token}` };
    assert.equal((await control.call('PATCH', `/roles/${roleId}`, fewer, bearer)).status, 403);
    assert.equal((await both.call('PATCH', `/roles/${roleId}`, { description: 'Keeps the books' })).status, 200);
  });

  test('a role change takes effect at its users’ next call, with a new session token', async () => {
    const role = await makeRole('Shifting', ['proxy.read']);
    const holder = await control.addUser(organizationId, [role.id]);
    assert.equal((await holder.call('GET', '/roles')).status, 403);
    await administrator.call('PATCH', `/roles/${role.id}`, { permissions: ['proxy.read', 'role.read'] });
    const seen = await holder.call('GET', '/roles');
    assert.equal(seen.status, 200);
    assert.match(seen.headers.get('set-cookie') ?? '', /^millrace_session=[\w-]{43};/);
    assert.ok(!seen.headers.get('set-cookie')?.includes(holder.sessionToken));
    await administrator.call('PATCH', `/roles/${role.id}`, { permissions: [] });
    assert.equal((await holder.call('GET', '/roles')).status, 403);
  });

  test('another organization’s role is not found', async () => {
    const foreign = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    const role = (await makeRole('Ours', ['proxy.read'])).id;
    const unknown = await foreign.call('GET', '/roles/rol_00000000000000000000000001');
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Theirs' }], ['DELETE']] as const) {
      const answer = await foreign.call(method, `/roles/${role}`, body);
      assert.deepEqual([answer.status, answer.data], [404, unknown.data], method);
    }
    const given = await foreign.call('POST', '/users', { email: 'x@foreign.example', name: 'X', roleIds: [role] });
    assert.deepEqual([given.status, Object.keys(given.data.errors)], [400, ['roleIds']]);
  });
});
