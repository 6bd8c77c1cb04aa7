import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkAccessibility, colourRules, visit, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { type Developer, developerOf } from './developer.ts';
import { type RunningPortal, startPortal } from './portal.ts';
import { addInvoice } from './scenario.ts';

const desk = { width: 1_440, height: 900 };
const phone = { width: 360, height: 780 };

suite('every screen of the portal’s app', { skip: withoutBrowser }, () => {
  let running: RunningPortal;
  let owner: Developer;
  let paths: readonly string[];
  before(async () => {
    running = await startPortal(import.meta.filename);
    owner = await developerOf(running, 'owner', { window: { viewport: desk } });
    paths = await fill();
  });
  after(() => running?.stop());

  /** Gives the account one of everything; the addresses of its screens. */
  async function fill(): Promise<readonly string[]> {
    const { orders, stock } = running.apis;
    const { id: appId } = await owner.call('POST', '/portal/apps', { displayName: 'W'.repeat(60) });
    await owner.call('POST', `/portal/apps/${appId}/credentials`, { name: 'M'.repeat(60) });
    const ordered = { appId, productId: orders.id, ratePlanId: orders.plans.prepaid };
    const { id: subscriptionId } = await owner.call('POST', '/portal/subscriptions', ordered);
    await owner.call('POST', '/portal/subscriptions', { appId, productId: stock.id, ratePlanId: stock.plans.business });
    await owner.call('POST', '/portal/users', { email: `${'u'.repeat(60)}@example.com`, role: 'viewer' });
    await owner.call('POST', '/portal/balance/top-up-requests', { subscriptionId, amountMinor: 5_000 });
    await owner.call('PUT', '/portal/budget', { currency: 'EUR', amountMinor: 5_000 });
    const provider = {
      name: 'P'.repeat(60),
      issuer: 'http://127.0.0.1:9',
      clientId: 'x',
      emailDomains: ['example.org'],
    };
    await running.administrator.call('PUT', `/developers/${owner.user.developerId}/identity-provider`, provider);
    const invoiceId = await addInvoice(running.control, running.administrator, owner.user.developerId);
    return [
      '/register',
      '/sign-in',
      '/sign-in/callback?state=x',
      '/forgot-password',
      '/reset-password?token=x',
      '/accept-invitation?token=x',
      '/confirm?token=x',
      '/account',
      '/account/start?product=orders',
      '/account/apps',
      `/account/apps/${appId}`,
      '/account/subscriptions',
      `/account/subscriptions/${subscriptionId}`,
      '/account/usage',
      '/account/usage/requests',
      '/account/invoices',
      `/account/invoices/${invoiceId}`,
      '/account/balance',
      '/account/team',
      '/account/settings',
      '/account/security',
      '/account/absent',
      '/products/orders/operations/placeOrder',
    ];
  }

  /** Opens a screen, complete: as a link within the app does, except for a page that the server renders. */
  async function open(page: Page, path: string): Promise<void> {
    const url = `${running.baseUrl}${path}`;
    await (path.startsWith('/products/') ? page.goto(url) : visit(page, url));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByLabel('Loading').first().waitFor({ state: 'hidden' });
    await page.waitForLoadState('networkidle');
  }

  test('meets WCAG 2.2 AA by axe in light and dark colours, and fits a phone', async () => {
    const { page } = owner;
    const faults: string[] = [];
    for (const path of paths) {
      await open(page, path);
      await checkAccessibility(page, `${path}, light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await checkAccessibility(page, `${path}, dark`, colourRules);
      await page.setViewportSize(phone);
      await checkAccessibility(page, `${path}, on a phone`);
      const width = await widthAtRest(page);
      if (width !== phone.width) faults.push(`${path}: ${width} px`);
      await page.setViewportSize(desk);
      await page.emulateMedia({ colorScheme: 'light' });
    }
    assert.deepEqual(faults, []);
    await owner.leave();
  });
});
