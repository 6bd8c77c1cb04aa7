import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { addPortalUser, addRegistration } from '@millrace/control/portal/testing';
import { withoutBrowser } from '@millrace/ui/testing';
import type { Locator } from 'playwright-core';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate, operatorOf } from './operator.ts';

/** One transparent pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

suite('the developer portal, in the console', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  const settingsOf = (operator: Operator) => operator.get('/portal-settings');
  const saved = (operator: Operator, text: string) =>
    operator.page.getByRole('alert').filter({ hasText: text }).waitFor();
  const group = (operator: Operator, name: string): Locator => operator.page.getByRole('group', { name, exact: true });

  /** A published product; its id. */
  async function productOf(operator: Operator, name: string): Promise<string> {
    const { id } = await operator.post('/products', { name: name.toLowerCase(), displayName: name });
    return id;
  }

  /** A guide whose only version is published; its id. */
  async function guideOf(operator: Operator): Promise<string> {
    const { id } = await operator.post('/portal-guides', {
      slug: 'first-call',
      title: 'Your first call',
      source: 'Send the key.',
    });
    await operator.post(`/portal-guides/${id}/publish`);
    return id;
  }

  test('the portal is opened, with texts and legal pages', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      await operator.goto('/');
      await page.getByRole('link', { name: 'Portal', exact: true }).click();
      await operator.heading('Developer portal');
      await operator.shown('Closed');
      await page.getByLabel('Open the portal').check();
      await operator.choose(page.getByRole('combobox', { name: 'Who may register' }), 'Anybody, after approval');
      await page.getByLabel('Title').fill('Harbour developers');
      await group(operator, 'English').getByLabel('Headline').fill('Orders by API');
      await group(operator, 'German').getByLabel('Headline').fill('Bestellungen per API');
      await page.getByLabel('Terms of use').fill('http://harbour.example/terms');
      await operator.press('Save');
      await page.getByText('Must be an address that starts with https://.').waitFor();
      await page.getByLabel('Terms of use').fill('https://harbour.example/terms');
      await operator.press('Save');
      await saved(operator, 'Settings saved.');
      const link = page.getByRole('link', { name: 'Open the portal' });
      assert.match((await link.getAttribute('href')) ?? '', /^\/portal\/[\w-]+$/);
      const { open, registration, title, texts, legal } = await settingsOf(operator);
      assert.deepEqual(
        [open, registration, title, texts.en.headline, texts.de.headline, legal.terms],
        [
          true,
          'approval',
          'Harbour developers',
          'Orders by API',
          'Bestellungen per API',
          'https://harbour.example/terms',
        ],
      );
    }));

  test('colours that can’t be read are named at once, and rejected by the server', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      await operator.goto('/developer-portal/look');
      const accent = group(operator, 'Light mode').getByLabel('Accent');
      const preview = page.getByRole('region', { name: 'Preview of light mode' });
      const problem = 'Accent on background has a contrast of 1.3; at least 3 is needed.';
      await preview.getByText('Subscribe').waitFor();
      await accent.fill('#dddddd');
      await preview.getByText(problem).waitFor();
      await accent.press('Escape');
      await operator.press('Save');
      await group(operator, 'Light mode').getByText(problem).waitFor();
      await accent.fill('#0f766e');
      await preview.getByText('Subscribe').waitFor();
      await accent.press('Escape');
      await operator.press('Save');
      await saved(operator, 'Colours saved.');
      assert.equal((await settingsOf(operator)).theme.light.accent, '#0f766e');
    }));

  test('logos are uploaded and removed, one for each mode', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      await operator.goto('/developer-portal/look');
      const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
      const inputs = page.locator('input[type=file]');
      await inputs.nth(0).setInputFiles(file);
      await page.getByAltText('Logo of the portal', { exact: true }).waitFor();
      await inputs.nth(1).setInputFiles(file);
      await page.getByAltText('Logo of the portal in dark mode').waitFor();
      assert.deepEqual(await operator.get('/portal-settings/logo'), { light: png, dark: png });
      await operator.press('Remove logo for dark mode');
      await operator.shown('No logo for dark mode');
      await operator.press('Remove logo');
      await operator.shown('No logo');
      assert.equal((await settingsOf(operator)).logo, null);
    }));

  test('API products are put in order, featured, hidden and opened to anybody', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const orders = await productOf(operator, 'Orders');
      const stock = await productOf(operator, 'Stock');
      // More than one page of products.
      for (let number = 0; number < 100; number += 1) await productOf(operator, `Archive-${number}`);
      const choose = async (label: string, option: string) => {
        const field = page.getByRole('combobox', { name: label });
        await operator.choose(field, option);
        await field.press('Escape');
      };
      await operator.goto('/developer-portal/catalog');
      await choose('Add an API product to the order', 'Orders');
      await choose('Add an API product to the order', 'Stock');
      await operator.press('Move Stock up');
      await choose('On the home page', 'Orders');
      await choose('Not in the catalog', 'Stock');
      await choose('Sandbox products', 'Orders');
      await operator.press('Save');
      await saved(operator, 'Catalog saved.');
      let { catalog, sandboxProductIds } = await settingsOf(operator);
      assert.deepEqual(
        [catalog, sandboxProductIds],
        [{ order: [stock, orders], featured: [orders], hidden: [stock] }, [orders]],
      );
      await operator.press('Move Stock down');
      await operator.press('Remove Orders from the order');
      const answer = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await operator.press('Save');
      await (await answer).finished();
      ({ catalog } = await settingsOf(operator));
      assert.deepEqual(catalog.order, [stock]);
    }));

  test('a guide is created, written with a preview, published, unpublished and deleted', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const product = await productOf(operator, 'Orders');
      await operator.goto('/developer-portal/guides');
      await operator.press('Create guide');
      await operator.dialog('Create guide').getByLabel('Title').fill('Your first call');
      await operator.dialog('Create guide').getByRole('button', { name: 'Create', exact: true }).click();
      await operator.heading('Your first call');
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText('Nothing to preview yet.').waitFor();
      await page.getByLabel('Summary').fill('From key to answer');
      await page.getByLabel('Text', { exact: true }).fill('# Key\n\nSend **it**. <b>No HTML</b>');
      await preview.getByRole('heading', { name: 'Key' }).waitFor();
      await preview.getByText('<b>No HTML</b>').waitFor();
      await operator.press('Save version');
      await saved(operator, 'Version 2 saved.');
      await operator.press('Publish');
      await operator.shown('Published');
      const { guides } = await operator.get('/portal-guides');
      const { id, slug, guideVersion, publishedVersion, summary } = guides[0];
      assert.deepEqual(
        [slug, guideVersion, publishedVersion, summary],
        ['your-first-call', 2, 2, 'From key to answer'],
      );

      await operator.press('Edit');
      const field = operator.dialog('Edit guide').getByRole('combobox', { name: 'API products' });
      await operator.choose(field, 'Orders');
      await field.press('Tab');
      await operator.send('Edit guide', 'Save');
      assert.deepEqual((await operator.get(`/portal-guides/${id}`)).productIds, [product]);

      await operator.press('Unpublish');
      await operator.confirm('Unpublish Your first call?', 'Unpublish');
      await operator.shown('Draft');
      assert.equal((await operator.get(`/portal-guides/${id}`)).publishedVersion, null);
      await operator.press('Delete');
      await operator.confirm('Delete Your first call?', 'Delete');
      await operator.heading('Developer portal');
      assert.equal(await operator.statusOf(`/portal-guides/${id}`), 404);
    }));

  test('an earlier version of a guide is shown, published and restored', () =>
    operate(running, async (operator) => {
      const { page } = operator;
      const id = await guideOf(operator);
      await operator.call('PATCH', `/portal-guides/${id}`, { source: 'Send no key.' });
      await operator.post(`/portal-guides/${id}/publish`);
      await operator.goto(`/developer-portal/guides/${id}/versions`);
      await operator.press('Show version 1');
      await operator.dialog('Version 1').getByText('Send the key.').waitFor();
      await operator.dialog('Version 1').getByRole('button', { name: 'Close' }).click();
      await operator.press('Publish version 1');
      await page.getByText('Version 1 published', { exact: true }).first().waitFor();
      assert.equal((await operator.get(`/portal-guides/${id}`)).publishedVersion, 1);
      await operator.press('Restore version 1');
      await operator.confirm('Restore version 1?', 'Restore');
      await operator.button('Show version 3').waitFor();
      const { guideVersion, source } = await operator.get(`/portal-guides/${id}`);
      assert.deepEqual([guideVersion, source], [3, 'Send the key.']);
    }));

  test('registrations are approved, or rejected for a reason', () =>
    operate(running, async (operator) => {
      for (const name of ['Lena', 'Noor']) {
        const registrant = { name, email: `${name.toLowerCase()}@books.example`, company: 'Books & Co' };
        await addRegistration(running.control, operator.organizationId, registrant);
      }
      await operator.goto('/developer-portal/registrations');
      await operator.press('Approve Lena');
      await operator.shown('Approved');
      const { developers } = await operator.get('/developers');
      assert.deepEqual(
        developers.map(({ email }: { readonly email: string }) => email),
        ['lena@books.example'],
      );
      await operator.press('Reject Noor');
      await operator.dialog('Reject Noor?').getByLabel('Reason').fill('For partners only.');
      await operator.send('Reject Noor?', 'Reject');
      await operator.shown('Rejected');
      const { registrations } = await operator.get('/portal-registrations?state=rejected');
      assert.deepEqual([registrations[0].name, registrations[0].reason], ['Noor', 'For partners only.']);
    }));

  test('a domain is added with its record, verified, made primary, and deleted', () =>
    operate(running, async (operator) => {
      const hostName = 'developers.harbour.example';
      const domain = async () => (await operator.get('/portal-domains')).domains[0];
      await operator.goto('/developer-portal/domains');
      await operator.press('Add domain');
      const dialog = operator.dialog('Add domain');
      await dialog.getByLabel('Host name').fill(hostName);
      await operator.button('Add', dialog).click();
      await dialog.getByText(`_millrace.${hostName}`, { exact: true }).waitFor();
      await dialog.getByText((await domain()).recordValue, { exact: true }).waitFor();
      await operator.button('Close', dialog).last().click();
      await dialog.waitFor({ state: 'detached' });

      await operator.press(`Show record of ${hostName}`);
      const record = operator.dialog(`DNS record of ${hostName}`);
      for (const name of ['Copy name', 'Copy value']) await operator.button(name, record).waitFor();
      await operator.button('Close', record).click();

      // No DNS server answers in tests.
      await operator.press(`Verify ${hostName}`);
      await saved(operator, 'DNS record looked up.');
      const { state, problem } = await domain();
      assert.equal(state, 'pending');
      await operator.shown(problem);

      await running.control.opened.database.system
        .updateTable('portal_domains')
        .set({ verified_at: new Date() })
        .where('organization_id', '=', operator.organizationId)
        .execute();
      await operator.page.reload();
      await operator.press(`Make ${hostName} primary`);
      await operator.shown('Primary');
      assert.equal((await domain()).primary, true);
      await operator.press(`Make ${hostName} secondary`);
      await operator.shown('Verified');
      assert.equal((await domain()).primary, false);
      await operator.press(`Delete ${hostName}`);
      await operator.confirm(`Delete ${hostName}?`, 'Delete');
      await operator.gone(hostName);
      assert.equal(await domain(), undefined);
    }));

  test('portal users of a developer are invited, suspended and activated', () =>
    operate(running, async (operator) => {
      const { developerId, userId } = await addPortalUser(running.control, operator.caller);
      const listed = () => operator.get(`/developers/${developerId}/portal-users`);
      await operator.goto(`/developers/${developerId}`);
      await operator.page.getByRole('link', { name: 'Portal users' }).click();
      await operator.press('Suspend Portal owner');
      await operator.confirm('Suspend Portal owner?', 'Suspend');
      await operator.shown('Suspended');
      assert.deepEqual((await listed()).users[0].state, 'suspended');
      await operator.press('Activate Portal owner');
      await operator.button('Suspend Portal owner').waitFor();
      const [user] = (await listed()).users;
      assert.deepEqual([user.id, user.state], [userId, 'active']);

      await operator.press('Invite portal user');
      const dialog = operator.dialog('Invite portal user');
      await dialog.getByLabel('Email').fill('kim@books.example');
      await operator.choose(dialog.getByRole('combobox', { name: 'Role' }), 'Billing');
      await operator.send('Invite portal user', 'Invite');
      await operator.shown('kim@books.example');
      const { email, role } = (await listed()).invitations[0];
      assert.deepEqual([email, role], ['kim@books.example', 'billing']);
      await operator.press('Withdraw the invitation of kim@books.example');
      await operator.confirm('Withdraw invitation?', 'Withdraw');
      await operator.gone('kim@books.example');
      assert.deepEqual((await listed()).invitations, []);
    }));

  const withoutPictures = process.env.MILLRACE_SCREENSHOTS !== '1' && 'takes pictures for the documentation';
  test('the demo organization’s portal is worth showing', { skip: withoutPictures }, async () => {
    await using stack = new AsyncDisposableStack();
    const demo = await startTestConsole(import.meta.filename, { MILLRACE_SEED: '1' });
    stack.defer(() => demo.stop());
    const guides = async () => (await demo.control.call('GET', '/portal/guides?organization=acme')).data.guides ?? [];
    while ((await guides()).length === 0) await setTimeout(200);
    const { id: organizationId } = await demo.control.opened.database.system
      .selectFrom('organizations')
      .select('id')
      .where('name', '=', 'acme')
      .executeTakeFirstOrThrow();
    const operator = await operatorOf(demo, { organizationId });
    const { page } = operator;
    const picture = (name: string) =>
      page.screenshot({ path: join(import.meta.dirname, '../../../docs', `${name}.png`) });
    await operator.goto('/portal/acme?lang=en');
    await picture('portal-home');
    await operator.goto('/portal/acme/products/document-extraction?lang=en');
    await picture('portal-product');
    const [{ id }] = (await operator.get('/portal-guides?language=en')).guides;
    await operator.goto(`/developer-portal/guides/${id}`);
    await page.getByRole('region', { name: 'Preview' }).getByRole('heading').first().waitFor();
    await picture('console-guide');
  });
});
