import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { linkOfMail } from '@millrace/mail/testing';
import { withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate } from './operator.ts';

const password = 'seven copper lanterns';

suite('who has access, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  const userOf = (operator: Operator, name: string, roleIds: readonly string[] = ['developer']) =>
    operator.post('/users', {
      name,
      email: `${name.toLowerCase()}.${operator.organizationId.slice(-8)}@example.com`,
      roleIds,
      password,
    });
  const signIn = (email: string, secret = password) =>
    running.control.call('POST', '/auth/login', { email, password: secret });

  test('a user is created with roles and a password, and can sign in', () =>
    operate(running, async (operator) => {
      const email = `kim.${operator.organizationId.slice(-8)}@example.com`;
      await operator.goto('/users');
      await operator.press('Create user');
      const dialog = operator.dialog('Create user');
      await dialog.getByLabel('Name').fill('Kim Created');
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await dialog.getByRole('combobox', { name: 'Roles' }).click();
      await operator.page.getByRole('option', { name: 'Auditor' }).click();
      await operator.page.keyboard.press('Escape');
      await operator.button('Create', dialog).click();
      await operator.heading('Kim Created');
      await operator.shown('Auditor');
      assert.equal((await signIn(email)).status, 200);
    }));

  test('a user is edited, suspended, activated and deleted', () =>
    operate(running, async (operator) => {
      const { id, email } = await userOf(operator, 'Robin');
      await operator.goto(`/users/${id}`);
      await operator.press('Edit');
      await operator.dialog('Edit user').getByLabel('Name').fill('Robin Renamed');
      await operator.dialog('Edit user').getByLabel('Time zone').fill('Asia/Tokyo');
      await operator.send('Edit user', 'Save');
      await operator.heading('Robin Renamed');
      assert.equal((await operator.get(`/users/${id}`)).timeZone, 'Asia/Tokyo');

      await operator.press('Suspend');
      await operator.confirm('Suspend Robin Renamed?', 'Suspend');
      await operator.shown('Suspended');
      assert.equal((await signIn(email)).status, 401);
      await operator.press('Activate');
      await operator.shown('Active');
      assert.equal((await signIn(email)).status, 200);

      await operator.press('Delete');
      await operator.confirm('Delete Robin Renamed?', 'Delete', email);
      await operator.heading('Users');
      assert.equal(await operator.statusOf(`/users/${id}`), 404);
    }));

  test('the sessions of a user are listed and ended', () =>
    operate(running, async (operator) => {
      const colleague = await running.control.addUser(operator.organizationId, ['developer']);
      await operator.goto(`/users/${colleague.userId}`);
      await operator.page.getByRole('cell', { name: '127.0.0.1' }).waitFor();
      await operator.press('End all sessions');
      const { name } = await operator.get(`/users/${colleague.userId}`);
      await operator.confirm(`End all sessions of ${name}?`, 'End all sessions');
      await operator.shown(`${name} is not signed in anywhere.`);
      assert.equal((await colleague.call('GET', '/auth/session')).status, 401);
    }));

  test('an invitation is resent and withdrawn, and its link then rejected', () =>
    operate(running, async (operator) => {
      const email = `pat.${operator.organizationId.slice(-8)}@example.com`;
      await operator.post('/invitations', { name: 'Pat', email, roleIds: ['auditor'] });
      await operator.goto('/users/invitations');
      await operator.press(`Resend to ${email}`);
      await operator.page
        .getByRole('alert')
        .filter({ hasText: `Invitation sent to ${email} again.` })
        .waitFor();
      await operator.press(`Withdraw the invitation of ${email}`);
      await operator.confirm('Withdraw invitation?', 'Withdraw');
      await operator.shown('Withdrawn');
      const link = await linkOfMail(join(running.control.dataDirectory, 'mail'), email, 'accept-invitation');
      const token = new URL(link).searchParams.get('token');
      const accepted = await running.control.call('POST', '/invitations/accept', { token, name: 'Pat', password });
      assert.equal(accepted.status, 400, JSON.stringify(accepted.data));
    }));

  test('an edited role applies to its users, and is deleted once nobody has it', () =>
    operate(running, async (operator) => {
      const role = await operator.post('/roles', { name: 'Reader', permissions: ['proxy.read'] });
      const colleague = await running.control.addUser(operator.organizationId, [role.id]);
      assert.equal((await colleague.call('GET', '/products')).status, 403);
      await operator.goto(`/roles/${role.id}`);
      await operator.shown('1 user has this role.');
      await operator.page.getByRole('group', { name: 'Product', exact: true }).getByLabel('read').check();
      await operator.press('Save');
      await operator.page.getByRole('alert').filter({ hasText: 'Role saved' }).waitFor();
      assert.equal((await colleague.call('GET', '/products')).status, 200);

      assert.equal(await operator.button('Delete').getAttribute('aria-disabled'), 'true');
      await operator.call('PUT', `/users/${colleague.userId}/roles`, { roleIds: ['auditor'] });
      await operator.page.reload();
      await operator.shown('0 users have this role.');
      await operator.press('Delete');
      await operator.confirm('Delete Reader?', 'Delete');
      await operator.heading('Roles');
      assert.equal(await operator.statusOf(`/roles/${role.id}`), 404);
    }));

  test('a service account is created, edited, suspended, activated and deleted', () =>
    operate(running, async (operator) => {
      await operator.goto('/service-accounts');
      await operator.press('Create service account');
      const dialog = operator.dialog('Create service account');
      await dialog.getByLabel('Name').fill('Pipeline');
      await dialog.getByRole('group', { name: 'Proxy', exact: true }).getByLabel('read').check();
      await operator.button('Create', dialog).click();
      await operator.heading('Pipeline');
      const id = /sva_\w+/.exec(operator.page.url())![0];
      const { token } = await operator.post(`/service-accounts/${id}/tokens`, { name: 'Build', lifetimeDays: 30 });
      const byToken = async (path: string) =>
        (await running.control.call('GET', path, undefined, { authorization: `Bearer ${token}` })).status;
      assert.equal(await byToken('/proxies'), 200);

      // Issuing the token changed its version.
      await operator.page.reload();
      await operator.press('Edit');
      await operator.dialog('Edit service account').getByLabel('Description').fill('Builds and deploys.');
      await operator
        .dialog('Edit service account')
        .getByRole('group', { name: 'Product', exact: true })
        .getByLabel('read')
        .check();
      await operator.send('Edit service account', 'Save');
      await operator.shown('Builds and deploys.');
      assert.equal(await byToken('/products'), 200);

      await operator.press('Suspend');
      await operator.confirm('Suspend Pipeline?', 'Suspend');
      await operator.shown('Suspended');
      assert.equal(await byToken('/proxies'), 401);
      await operator.press('Activate');
      await operator.shown('Active');
      assert.equal(await byToken('/proxies'), 200);

      await operator.press('Delete');
      await operator.confirm('Delete Pipeline?', 'Delete', 'Pipeline');
      await operator.heading('Service accounts');
      assert.equal(await byToken('/proxies'), 401);
    }));

  test('an organization is created, renamed, suspended, activated and deleted by a Super Admin', () =>
    operate(
      running,
      async (operator) => {
        await operator.goto('/organizations');
        await operator.press('Create organization');
        const dialog = operator.dialog('Create organization');
        await dialog.getByLabel('Name').fill('Harbour Trade');
        await dialog.getByLabel('Code').fill('harbour-trade');
        await operator.button('Create', dialog).click();
        await operator.heading('Harbour Trade');
        const id = /org_\w+/.exec(operator.page.url())![0];
        const member = await running.control.addUser(id, ['organization_administrator']);

        await operator.press('Edit');
        await operator.dialog('Edit organization').getByLabel('Name').fill('Harbour Trading');
        await operator.send('Edit organization', 'Save');
        await operator.heading('Harbour Trading');

        await operator.press('Suspend');
        await operator.confirm('Suspend Harbour Trading?', 'Suspend', 'harbour-trade');
        await operator.shown('Suspended');
        assert.notEqual((await member.call('GET', '/proxies')).status, 200);
        await operator.press('Activate');
        await operator.shown('Active');
        assert.equal((await member.call('GET', '/proxies')).status, 200);

        const { database } = running.control.opened;
        for (const table of ['sessions', 'user_roles'] as const) {
          await database.system.deleteFrom(table).where('organization_id', '=', id).execute();
        }
        await database.system.deleteFrom('users').where('organization_id', '=', id).execute();
        await operator.press('Delete');
        await operator.confirm('Delete Harbour Trading?', 'Delete', 'harbour-trade');
        await operator.heading('Organizations');
        assert.equal(await operator.statusOf(`/organizations/${id}`), 404);
      },
      { roles: ['super_admin'] },
    ));
});
