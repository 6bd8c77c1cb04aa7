import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { withoutBrowser } from '@millrace/ui/testing';
import { startTestConsole, type TestConsole } from './console.ts';
import { type Operator, operate, operatorOf } from './operator.ts';

suite('reviews and notifications, in the browser', { skip: withoutBrowser }, () => {
  let running: TestConsole;
  before(async () => {
    running = await startTestConsole(import.meta.filename);
  });
  after(() => running?.stop());

  /** A proxy without blocking findings, with a request for its approval. */
  async function requestOf(operator: Operator): Promise<{ readonly id: string; readonly proxyId: string }> {
    const environment = await operator.post('/environments', { name: 'test', displayName: 'Test' });
    const target = { environmentId: environment.id, name: 'orders-backend', host: 'orders.example', port: 443 };
    await operator.post('/target-servers', target);
    const proxy = { name: 'orders', displayName: 'Orders', basePath: '/v1/orders', protocol: 'rest' };
    const { id: proxyId } = await operator.post('/proxies', { ...proxy, authScheme: 'api_key' });
    const route = { method: 'GET', pathPattern: '/{orderId}', targetServer: 'orders-backend' };
    await operator.post(`/proxies/${proxyId}/routes`, route);
    for (const code of await blockingCodes(operator, proxyId)) {
      const endsAt = new Date(Date.now() + 86_400_000).toISOString();
      const reason = 'Not what this test is about.';
      await operator.post('/governance/waivers', { proxyId, code, location: null, reason, endsAt });
    }
    const { id } = await operator.post(`/proxies/${proxyId}/lifecycle/requests`, { toStage: 'approved', note: '' });
    return { id, proxyId };
  }
  async function blockingCodes(operator: Operator, proxyId: string): Promise<Set<string>> {
    await operator.post(`/proxies/${proxyId}/governance/evaluate`);
    const { findings } = await operator.get(`/proxies/${proxyId}/governance?pageSize=100`);
    const blocking = findings.filter((finding: { blocking: boolean }) => finding.blocking);
    return new Set(blocking.map(({ code }: { code: string }) => code));
  }
  const colleagueOf = ({ organizationId }: Operator) => operatorOf(running, { organizationId });
  const bell = (operator: Operator, unread: number) =>
    operator.button(unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`);

  test('a request is rejected for a reason that its author sees', () =>
    operate(running, async (author) => {
      const { id } = await requestOf(author);
      const reviewer = await colleagueOf(author);
      await reviewer.goto(`/review-queue/${id}`);
      await reviewer.press('Reject');
      await reviewer.dialog('Reject orders?').getByLabel('Reason').fill('The quota is missing.');
      await reviewer.send('Reject orders?', 'Reject');
      await reviewer.shown('The quota is missing.');
      assert.equal((await author.get(`/lifecycle/requests/${id}`)).state, 'rejected');
      await author.goto(`/review-queue/${id}`);
      await author.shown('The quota is missing.');
      assert.deepEqual(reviewer.problems, []);
      await reviewer.close();
    }));

  test('a request is withdrawn on its own page, and another one on the proxy’s page', () =>
    operate(running, async (author) => {
      const first = await requestOf(author);
      await author.goto(`/review-queue/${first.id}`);
      await author.press('Withdraw');
      await author.shown('Withdrawn');
      const path = `/proxies/${first.proxyId}/lifecycle/requests`;
      const second = await author.post(path, { toStage: 'approved', note: '' });
      await author.goto(`/proxies/${first.proxyId}`);
      await author.press('Withdraw');
      await author.button('Request approval').waitFor();
      for (const { id } of [first, second]) {
        assert.equal((await author.get(`/lifecycle/requests/${id}`)).state, 'withdrawn');
      }
    }));

  test('a notification is read when its link is followed, the others all at once', () =>
    operate(running, async (author) => {
      const reviewer = await colleagueOf(author);
      const { id } = await requestOf(author);
      await author.post(`/lifecycle/requests/${id}/comments`, { text: 'Please look at the quota.' });
      await reviewer.post(`/lifecycle/requests/${id}/comments`, { text: 'I do.' });
      await author.post(`/lifecycle/requests/${id}/comments`, { text: 'Thank you.' });
      await reviewer.goto('/');
      await bell(reviewer, 2).click();
      await reviewer.page.getByRole('link', { name: 'orders: review the move from draft to approved' }).click();
      await reviewer.heading('orders: Draft → Approved');
      await bell(reviewer, 1).click();
      await reviewer.press('Mark all as read');
      await bell(reviewer, 0).waitFor();
      assert.equal((await reviewer.get('/notifications')).unread, 0);
      assert.deepEqual(reviewer.problems, []);
      await reviewer.close();
    }));

  test('a notification of a decided request no longer waits', () =>
    operate(running, async (author) => {
      const [first, second] = [await colleagueOf(author), await colleagueOf(author)];
      const { id } = await requestOf(author);
      await second.goto('/');
      await bell(second, 1).click();
      await second.page.getByText('waiting for a decision').waitFor();
      await first.post(`/lifecycle/requests/${id}/reject`, { reason: 'The quota is missing.' });
      await second.page.reload();
      await bell(second, 0).click();
      await second.page.getByText('no longer waiting').waitFor();
      assert.equal(await second.page.getByText('waiting for a decision').count(), 0);
      await first.close();
      await second.close();
    }));
});
