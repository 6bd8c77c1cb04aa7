import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { portalPassword } from '@millrace/control/portal/users/testing';
import { withoutBrowser } from '@millrace/ui/testing';
import { type Developer, developerOf } from './developer.ts';
import { type RunningPortal, startPortal } from './portal.ts';

suite('the account in the portal', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  let owner: Developer;
  before(async () => {
    running = await startPortal(import.meta.filename);
    owner = await developerOf(running);
  });
  after(() => running?.stop());

  test('users are invited, and their invitations sent again or withdrawn', async () => {
    await owner.goto('/account/team', 'Team');
    await owner.press('Invite user');
    const form = owner.dialog('Invite user');
    await form.getByLabel('E-mail address').fill('kim@example.com');
    await owner.choose(form.getByLabel('Role'), /^Billing/);
    await owner.send('Invite user', 'Invite user');
    await owner.shown('kim@example.com');
    const invited = async () => (await owner.get('/portal/users')).invitations;
    assert.equal((await invited())[0].role, 'billing');
    await owner.press('Resend invitation: kim@example.com');
    await owner.page.getByText('Invitation sent to kim@example.com.').first().waitFor();
    await owner.press('Withdraw invitation: kim@example.com');
    await owner.send('Withdraw invitation?', 'Withdraw');
    await owner.page.locator('#root').getByText('kim@example.com').waitFor({ state: 'detached' });
    assert.deepEqual(await invited(), []);
  });

  test('a user’s role is changed, and the user removed', async () => {
    const { userId, email } = await running.portal.addUser('viewer', owner.user.developerId);
    await owner.page.reload();
    await owner.heading('Team');
    const row = owner.page.getByRole('row', { name: new RegExp(email) });
    await row.getByRole('button', { name: /^Change role/ }).click();
    const form = owner.dialog('Change role: Robin Doe');
    await owner.choose(form.getByLabel('Role'), /^Developer/);
    await owner.send('Change role: Robin Doe', 'Save');
    const { users } = await owner.get('/portal/users');
    assert.equal(users.find(({ id }: { id: string }) => id === userId).role, 'developer');
    await row.getByRole('button', { name: /^Remove/ }).click();
    await owner.send('Remove Robin Doe?', 'Remove');
    await row.waitFor({ state: 'detached' });
    assert.equal((await owner.get('/portal/users')).total, 1);
  });

  test('a user leaves the account, which its last owner can’t', async () => {
    const leaving = await developerOf(running, 'viewer', { developerId: owner.user.developerId });
    await leaving.goto('/account/team', 'Team');
    await leaving.press('Leave account');
    const left = leaving.page.waitForURL((url) => !url.pathname.includes('/account'));
    await leaving.button('Leave account', leaving.dialog('Leave this account?')).click();
    await left;
    assert.equal((await leaving.user.call('GET', '/portal/session')).status, 401);
    assert.equal((await owner.get('/portal/users')).total, 1);
    await leaving.page.close();

    await owner.press('Leave account');
    await owner.button('Leave account', owner.dialog('Leave this account?')).click();
    await owner.page.getByText('Make someone else an owner first.').waitFor();
    await owner.press('Cancel');
  });

  test('profile, account and billing profile are saved', async () => {
    await owner.goto('/account/settings', 'Settings');
    const save = (index: number) => owner.page.getByRole('button', { name: 'Save' }).nth(index).click();
    await owner.page.getByLabel('Your name').fill('Robin Owner');
    await save(0);
    await owner.page.getByText('Profile saved.').waitFor();
    await owner.page.getByLabel('Company').first().fill('Example Shops Ltd');
    await save(1);
    await owner.page.getByText('Account saved.').waitFor();
    await owner.page.getByLabel('Company or person on the invoice').fill('Example Shops Ltd');
    await owner.page.getByLabel('Street and number').fill('12 High Street');
    await owner.page.getByLabel('Postal code').fill('D02 XY00');
    await owner.page.getByLabel('City').fill('Dublin');
    await owner.page.getByLabel('Country').fill('Ireland');
    await save(2);
    await owner.page.getByText('Must be a country code').waitFor();
    await owner.page.getByLabel('Country').fill('IE');
    const saved = owner.page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());
    await save(2);
    await saved;
    const account = await owner.get('/portal/account');
    assert.equal(account.company, 'Example Shops Ltd');
    assert.equal(account.billing.address.city, 'Dublin');
    assert.equal((await owner.get('/portal/session')).user.name, 'Robin Owner');
  });

  test('the portal is in the language of the profile', async () => {
    await owner.goto('/account/security', 'Security');
    await owner.goto('/account/settings', 'Settings');
    await owner.choose(owner.page.getByLabel('Language').first(), 'Deutsch');
    await owner.page.getByRole('button', { name: 'Save' }).first().click();
    await owner.heading('Einstellungen');
    await owner.page.locator('html[lang="de"]').waitFor();
    await owner.page.getByRole('link', { name: 'Abonnements' }).click();
    await owner.heading('Abonnements');
    await owner.page.goto(`${running.baseUrl}/account/settings?lang=en`);
    await owner.heading('Settings');
  });

  test('the password is changed, and other sessions are ended', async () => {
    const signIn = () =>
      running.portal.call('POST', '/portal/sessions', { email: owner.user.email, password: portalPassword });
    assert.equal((await signIn()).status, 200);
    assert.equal((await signIn()).status, 200);
    await owner.goto('/account/security', 'Security');
    const total = async () => (await owner.get('/portal/sessions')).total;
    const before = await total();
    await owner.page
      .getByRole('button', { name: /^End session from/ })
      .first()
      .click();
    await owner.page.getByText('Session ended.').waitFor();
    assert.equal(await total(), before - 1);
    await owner.press('End all other sessions');
    await owner.send('End all other sessions?', 'End all other sessions');
    assert.equal(await total(), 1);
    await owner.page.getByLabel('Current password').fill(portalPassword);
    await owner.page.getByLabel('New password').fill('nine violet lanterns');
    await owner.press('Change password');
    await owner.page.getByText('Password changed.').waitFor();
    assert.equal((await signIn()).status, 401);
    await owner.leave();
  });
});
