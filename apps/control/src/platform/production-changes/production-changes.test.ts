import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { newSecret } from '@millrace/sign-in/secrets';
import { sql } from 'kysely';
import { done } from '../../consumers/products/testing.ts';
import { serve } from '../../design/proxies/testing.ts';
import type { Permission } from '../../frame/permissions.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';

describe('changes to production', () => {
  let control: TestControl;
  let organizationId: string;
  let administrator: TestCaller;
  let operator: TestCaller;
  let developer: TestCaller;
  let environmentId: string;
  let targetId: string;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    administrator = await control.addUser(organizationId, ['organization_administrator']);
    operator = await control.addUser(organizationId, ['operations_engineer']);
    developer = await control.addUser(organizationId, ['developer']);
    environmentId = (await done(administrator, 'POST', '/environments', environment('live'))).id;
    const target = { environmentId, name: 'orders', host: 'orders.example', port: 443 };
    targetId = (await done(administrator, 'POST', '/target-servers', target)).id;
  });

  const environment = (name: string, fields: object = {}) => ({ name, displayName: name, production: true, ...fields });

  /** Has changes to production wait for approval. */
  async function askForApproval(): Promise<void> {
    const approval = { requiredFor: ['approved'], productionChanges: true };
    await done(administrator, 'PATCH', `/organizations/${organizationId}/settings`, { approval });
  }

  /** A change that waits, by the administrator where nobody else is named. */
  async function held(method: string, path: string, body?: object, caller = administrator) {
    const { status, data } = await caller.call(method, path, body);
    assert.equal(status, 202, JSON.stringify(data));
    assert.equal(data.state, 'pending');
    return data;
  }

  async function refused(caller: TestCaller, method: string, path: string, body?: object) {
    const { status, data } = await caller.call(method, path, body);
    assert.equal(status, 403, `${method} ${path} was answered ${status}: ${JSON.stringify(data)}`);
    assert.match(data.message, /deployment\.prod/);
  }

  const approve = (id: string, caller = operator, body: object = {}) =>
    caller.call('POST', `/production-changes/${id}/approve`, body);

  /** A proxy whose revision 1 serves in the environment; its id. */
  async function addServing(approved: boolean, where = environmentId): Promise<string> {
    const { id } = await done(administrator, 'POST', '/proxies', {
      name: `proxy-${newId('prx').slice(-8)}`,
      displayName: 'Orders',
      basePath: `/v1/${newId('prx').slice(-8)}`,
      authScheme: 'none',
    });
    await done(administrator, 'POST', `/proxies/${id}/routes`, {
      method: 'GET',
      pathPattern: '/',
      targetServer: 'orders',
    });
    await done(administrator, 'POST', `/proxies/${id}/revisions`, {});
    if (approved) {
      await sql`update revisions set approved_by = 'usr_somebody', approved_at = now() where proxy_id = ${id}`.execute(
        control.opened.database.system,
      );
    }
    await serve(control, { organizationId, environmentId: where, proxyId: id, revision: 1 });
    return id;
  }

  async function addServiceAccount(ownerId: string, permissions: readonly Permission[]): Promise<TestCaller> {
    const id = newId('sva');
    const { secret, hash } = newSecret('mrs_');
    const { system } = control.opened.database;
    await sql`insert into service_accounts (id, organization_id, name, permissions, owner_ids)
      values (${id}, ${organizationId}, ${id}, ${permissions}::text[], ${[ownerId]}::text[])`.execute(system);
    await sql`insert into service_account_tokens (id, organization_id, service_account_id, name, prefix, token_hash)
      values (${newId('tok')}, ${organizationId}, ${id}, 'Test', ${secret.slice(0, 10)}, ${hash})`.execute(system);
    const call: TestCaller['call'] = (method, path, body, headers = {}) =>
      control.call(method, path, body, { authorization: `Bearer ${secret}`, ...headers });
    return { userId: id, organizationId, sessionToken: '', call };
  }

  describe('without the production permission', () => {
    for (const [what, body] of Object.entries({
      host: { host: 'attacker.example' },
      port: { port: 8443 },
      scheme: { scheme: 'http' },
      endpoints: { endpoints: [{ host: 'attacker.example', port: 443, weight: 100 }] },
      'certificate authority': {
        tls: { serverName: 'attacker.example', certificateAuthorities: null, clientCertificate: null },
      },
      name: { name: 'renamed' },
    })) {
      test(`a target server’s ${what} can’t be changed`, async () => {
        const path = `/target-servers/${targetId}`;
        const before = await done(developer, 'GET', path);
        await refused(developer, 'PATCH', path, body);
        assert.deepEqual(await done(developer, 'GET', path), before);
      });
    }

    test('a target server can’t be disabled, deleted, or registered ahead of the revision that uses it', async () => {
      await refused(developer, 'POST', `/target-servers/${targetId}/disable`);
      await refused(developer, 'DELETE', `/target-servers/${targetId}`);
      const ahead = { environmentId, name: 'billing', host: 'attacker.example', port: 443 };
      await refused(developer, 'POST', '/target-servers', ahead);
    });

    test('variables and host names can’t be changed in any way', async () => {
      const roleId = newId('rol');
      await sql`insert into roles (id, organization_id, name, permissions) values (${roleId}, ${organizationId}, 'Keeper',
        ${['environment.read', 'environment.write', 'environment.delete', 'organization.import', 'target-server.write']}::text[])`.execute(
        control.opened.database.system,
      );
      const keeper = await control.addUser(organizationId, [roleId as `rol_${string}`]);
      await refused(keeper, 'PUT', `/environments/${environmentId}/variables/TOKEN`, { value: 'x', secret: true });
      await refused(keeper, 'PATCH', `/environments/${environmentId}`, { hostNames: ['other.example.com'] });
      await refused(keeper, 'PATCH', `/environments/${environmentId}`, { name: 'other' });
      await refused(keeper, 'PATCH', `/environments/${environmentId}`, { production: false });
      await refused(keeper, 'POST', '/environments', environment('second'));
      assert.equal((await keeper.call('PATCH', `/environments/${environmentId}`, { description: 'x' })).status, 200);
      for (const part of [
        'variables: [{name: A, value: x}]',
        'targetServers: [{name: orders, host: attacker.example}]',
      ]) {
        const document = `version: 1\nenvironments: [{name: live, ${part}}]`;
        await refused(keeper, 'POST', `/organizations/${organizationId}/apply`, { document });
      }
      const { data: staging } = await keeper.call(
        'POST',
        '/environments',
        environment('staging', { production: false }),
      );
      assert.equal((await keeper.call('DELETE', `/environments/${staging.id}`)).status, 200);
      const { data: empty } = await administrator.call('POST', '/environments', environment('empty'));
      await refused(keeper, 'DELETE', `/environments/${empty.id}`);
    });

    test('other environments are changed as before', async () => {
      const { id } = await done(administrator, 'POST', '/environments', environment('test', { production: false }));
      const target = { environmentId: id, name: 'orders', host: 'orders.test', port: 443 };
      const created = await done(developer, 'POST', '/target-servers', target);
      await done(developer, 'PATCH', `/target-servers/${created.id}`, { host: 'other.test' });
      await done(developer, 'POST', `/target-servers/${created.id}/disable`);
    });

    test('a denied attempt is audited', async () => {
      await refused(developer, 'PATCH', `/target-servers/${targetId}`, { host: 'attacker.example' });
      const { entries } = await done(administrator, 'GET', '/audit?outcome=denied');
      assert.deepEqual(
        entries.map((entry: { operation: string; actorId: string }) => [entry.operation, entry.actorId]),
        [['updateTargetServer', developer.userId]],
      );
    });
  });

  describe('the production flag', () => {
    test('can’t be turned off while something is live, so that nothing else is deployed in between', async () => {
      await addServing(true);
      const path = `/environments/${environmentId}`;
      const off = await operator.call('PATCH', path, { production: false });
      assert.equal(off.status, 409);
      assert.match(off.data.message, /Undeploy it first/);
      const document = 'version: 1\nenvironments: [{name: live, production: false}]';
      const applied = await administrator.call('POST', `/organizations/${organizationId}/apply`, { document });
      assert.equal(applied.status, 409);
      assert.equal((await done(operator, 'GET', path)).production, true);
    });

    test('can’t be turned on while unapproved content is live', async () => {
      const path = `/environments/${environmentId}`;
      await done(operator, 'PATCH', path, { production: false });
      await addServing(false);
      assert.equal((await operator.call('PATCH', path, { production: true })).status, 409);
    });
  });

  describe('if the organization requires approval', () => {
    beforeEach(askForApproval);

    test('a change waits, is shown with its effect, and is carried out once another person approves it', async () => {
      const path = `/target-servers/${targetId}`;
      const change = await held('PATCH', path, { host: 'second.example' });
      assert.deepEqual(
        [change.operation, change.entityId, change.entityName, change.entityVersion, change.changes],
        [
          'updateTargetServer',
          targetId,
          'orders',
          1,
          [{ path: 'host', before: 'orders.example', after: 'second.example' }],
        ],
      );
      assert.equal((await done(administrator, 'GET', path)).host, 'orders.example');
      assert.equal((await done(operator, 'GET', '/production-changes?approvable=true')).total, 1);
      assert.equal((await done(administrator, 'GET', '/production-changes?approvable=true')).total, 0);
      const shown = await done(operator, 'GET', `/production-changes/${change.id}`);
      assert.deepEqual([shown.approval.allowed, shown.input.body], [true, { host: 'second.example' }]);
      const { notifications } = await done(operator, 'GET', '/notifications');
      assert.deepEqual(
        [notifications[0].kind, notifications[0].link],
        ['production_change', `/production-changes/${change.id}`],
      );
      const approved = await approve(change.id, operator, { reason: 'Moved last night.' });
      assert.deepEqual(
        [approved.status, approved.data.state, approved.data.decidedBy],
        [200, 'approved', operator.userId],
      );
      assert.equal((await done(administrator, 'GET', path)).host, 'second.example');
      const { entries } = await done(administrator, 'GET', `/audit/entities/target_server/${targetId}`);
      const [newest] = entries;
      assert.deepEqual(
        [newest.operation, newest.severity, newest.actorId],
        ['updateTargetServer', 'high', administrator.userId],
      );
      assert.match(newest.note, new RegExp(`Approved by .*${change.id}`));
      const { notifications: decisions } = await done(administrator, 'GET', '/notifications');
      assert.match(decisions[0].title, /was approved/);
    });

    test('the requester can’t approve it under any account', async () => {
      const change = await held('PATCH', `/target-servers/${targetId}`, { host: 'second.example' });
      const own = await approve(change.id, administrator);
      assert.equal(own.status, 403);
      assert.match(own.data.message, /Ask someone else to approve it/);
      const account = await addServiceAccount(administrator.userId, ['deployment.prod']);
      assert.equal((await approve(change.id, account)).status, 403);
      assert.equal((await approve(change.id, developer)).status, 403);
      const shown = await done(administrator, 'GET', `/production-changes/${change.id}`);
      assert.equal(shown.approval.allowed, false);
      const byAccount = await held(
        'PATCH',
        `/target-servers/${targetId}`,
        { host: 'third.example' },
        await addServiceAccount(operator.userId, ['target-server.write', 'deployment.prod']),
      );
      assert.equal((await approve(byAccount.id, operator)).status, 403);
      assert.equal((await approve(byAccount.id, administrator)).status, 200);
    });

    test('an account created by the requester can’t approve it', async () => {
      await sql`update organizations set created_at = now() - interval '2 days' where id = ${organizationId}`.execute(
        control.opened.database.system,
      );
      const password = 'seven green lanterns';
      const email = `${newId('usr')}@example.com`;
      const body = { email, name: 'Kim Vale', roleIds: ['operations_engineer'], password };
      await done(administrator, 'POST', '/users', body);
      const signedIn = await control.call('POST', '/auth/login', { email, password });
      const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
      const change = await held('PATCH', `/target-servers/${targetId}`, { host: 'second.example' });
      const path = `/production-changes/${change.id}/approve`;
      const { status, data } = await control.call('POST', path, {}, { cookie: cookie.join('; ') });
      assert.equal(status, 403);
      assert.match(data.message, /may belong to one person/);
    });

    test('an approval is rejected once the entity has changed in any way', async () => {
      const path = `/target-servers/${targetId}`;
      const first = await held('PATCH', path, { host: 'second.example' });
      const second = await held('POST', `${path}/disable`);
      assert.equal((await approve(second.id)).status, 200);
      const late = await approve(first.id);
      assert.equal(late.status, 409);
      assert.match(late.data.message, /changed since/);
      assert.equal((await done(administrator, 'GET', path)).host, 'orders.example');
      const rejected = await operator.call('POST', `/production-changes/${first.id}/reject`, { reason: 'Too late.' });
      assert.deepEqual([rejected.status, rejected.data.state], [200, 'rejected']);
      assert.equal((await approve(first.id)).status, 409);
      assert.equal((await approve(second.id)).status, 409, 'an approval is carried out once');
    });

    test('a change is void once its entity is gone', async () => {
      const change = await held('PATCH', `/target-servers/${targetId}`, { host: 'second.example' });
      const deletion = await held('DELETE', `/target-servers/${targetId}`);
      assert.equal((await approve(deletion.id)).status, 200);
      const late = await approve(change.id);
      assert.deepEqual([late.status, late.data.state], [200, 'void']);
    });

    test('an approval is rejected if the requester has lost the permission or their account', async () => {
      const requester = await control.addUser(organizationId, ['operations_engineer']);
      const change = await held('PATCH', `/target-servers/${targetId}`, { host: 'second.example' }, requester);
      await done(administrator, 'PUT', `/users/${requester.userId}/roles`, { roleIds: ['developer'] });
      const late = await approve(change.id);
      assert.equal(late.status, 409);
      assert.match(late.data.message, /no longer has permission/);
      await done(administrator, 'PUT', `/users/${requester.userId}/roles`, { roleIds: ['operations_engineer'] });
      await done(administrator, 'POST', `/users/${requester.userId}/suspend`);
      assert.equal((await approve(change.id)).status, 409);
      assert.equal((await done(administrator, 'GET', `/target-servers/${targetId}`)).host, 'orders.example');
    });

    test('a change that current rules reject is not carried out', async () => {
      const taken = await held('PATCH', `/environments/${environmentId}`, { hostNames: ['api.example.com'] });
      await sql`update environments set host_names = '{}' where id = ${environmentId}`.execute(
        control.opened.database.system,
      );
      await done(
        administrator,
        'POST',
        '/environments',
        environment('test', { production: false, hostNames: ['api.example.com'] }),
      );
      const late = await approve(taken.id);
      assert.equal(late.status, 409);
      assert.match(late.data.message, /Already used by another environment/);
    });

    test('only the requester can withdraw it, and only others can decide', async () => {
      const change = await held('POST', `/target-servers/${targetId}/disable`);
      const withdraw = (caller: TestCaller) => caller.call('POST', `/production-changes/${change.id}/withdraw`);
      assert.equal((await withdraw(operator)).status, 403);
      const withdrawn = await withdraw(administrator);
      assert.deepEqual([withdrawn.status, withdrawn.data.state], [200, 'withdrawn']);
      assert.equal((await approve(change.id)).status, 409);
    });

    test('secrets stay sealed: in no response, list, e-mail, audit entry or database row', async () => {
      const secret = 'opensesame-5d2a';
      const path = `/environments/${environmentId}/variables/TOKEN`;
      const change = await held('PUT', path, { value: secret, secret: true });
      const document = `version: 1\nenvironments: [{name: live, variables: [{name: OTHER, secret: true, value: ${secret}}]}]`;
      await held('POST', `/organizations/${organizationId}/apply`, { document });
      const texts = [
        change,
        await done(operator, 'GET', '/production-changes'),
        await done(operator, 'GET', `/production-changes/${change.id}`),
        await done(administrator, 'GET', '/audit'),
        (
          await sql`select row_to_json(p)::text, encode(sealed_input, 'escape') from production_changes p`.execute(
            control.opened.database.system,
          )
        ).rows,
        control.logLines,
      ];
      for (const text of texts) assert(!JSON.stringify(text).includes(secret));
      assert.equal((await approve(change.id)).status, 200);
      const { rows } = await sql<{ sealed: number }>`
        select length(sealed_input) as sealed from production_changes where id = ${change.id}`.execute(
        control.opened.database.system,
      );
      assert.deepEqual(rows, [{ sealed: 0 }], 'what was decided keeps no secret');
    });

    test('turning approvals off needs approval too, and omitting the setting keeps them on', async () => {
      const path = `/organizations/${organizationId}/settings`;
      await done(administrator, 'PATCH', path, { approval: { requiredFor: [] } });
      assert.equal((await done(administrator, 'GET', path)).approval.productionChanges, true);
      const off = { approval: { requiredFor: ['approved'], productionChanges: false } };
      const change = await held('PATCH', path, off);
      const document = 'version: 1\norganization: {settings: {approval: {requiredFor: [], productionChanges: false}}}';
      await held('POST', `/organizations/${organizationId}/apply`, { document });
      assert.equal((await done(administrator, 'GET', path)).approval.productionChanges, true);
      assert.equal((await approve(change.id)).status, 200);
      assert.equal((await done(administrator, 'GET', path)).approval.productionChanges, false);
      await done(administrator, 'PATCH', `/target-servers/${targetId}`, { host: 'second.example' });
    });

    test('a repeated call with its Idempotency-Key is held once', async () => {
      const target = { environmentId, name: 'second', host: 'second.example', port: 443 };
      const key = { 'idempotency-key': 'once' };
      const [first, again] = [
        await administrator.call('POST', '/target-servers', target, key),
        await administrator.call('POST', '/target-servers', target, key),
      ];
      assert.deepEqual([first.status, again.status, again.data], [202, 202, first.data]);
      assert.equal((await done(operator, 'GET', '/production-changes')).total, 1);
    });

    test('a stale If-Match is rejected before anything is held', async () => {
      const stale = { 'if-match': '"v7"' };
      const body = { host: 'second.example' };
      assert.equal((await administrator.call('PATCH', `/target-servers/${targetId}`, body, stale)).status, 412);
      assert.equal((await done(operator, 'GET', '/production-changes')).total, 0);
    });

    test('a document can be approved while what it changes is unchanged', async () => {
      const document =
        'version: 1\nenvironments: [{name: live, targetServers: [{name: orders, host: second.example}]}]';
      const body = { document };
      const first = await held('POST', `/organizations/${organizationId}/apply`, body);
      const second = await held('POST', `/organizations/${organizationId}/apply`, body);
      const planned = await done(administrator, 'POST', `/organizations/${organizationId}/apply`, {
        ...body,
        dryRun: true,
      });
      assert.equal(planned.applied, false);
      assert.equal((await approve(first.id)).status, 200);
      assert.equal((await done(administrator, 'GET', `/target-servers/${targetId}`)).host, 'second.example');
      assert.equal((await approve(second.id)).status, 409);
    });

    test('changes of another organization are unknown', async () => {
      const change = await held('POST', `/target-servers/${targetId}/disable`);
      const elsewhere = await control.addUser(await control.addOrganization(), ['organization_administrator']);
      assert.equal((await approve(change.id, elsewhere)).status, 404);
      const platform = await control.addUser(await control.addOrganization(), ['super_admin']);
      const named = await platform.call(
        'POST',
        `/production-changes/${change.id}/approve`,
        {},
        {
          'x-organization-id': organizationId,
        },
      );
      assert.deepEqual([named.status, named.data.state], [200, 'approved']);
    });
  });
});
