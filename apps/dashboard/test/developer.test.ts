import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { invoicePdf } from '@millrace/extraction/testing';
import { checkAccessibility, visit, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import { verifySignature } from '@millrace/webhooks';
import { type Receiver, startReceiver } from '@millrace/webhooks/testing';
import type { Locator, Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';
import { picture } from './picture.ts';

describe('the developer screens', { skip: withoutBrowser }, () => {
  let tested: TestDashboard;
  let page: Page;
  let problems: readonly string[];
  let receiver: Receiver;
  /** What the receiver answers from now on. */
  let status = 200;

  before(async () => {
    tested = await startTestDashboard(import.meta.filename);
    receiver = await startReceiver((_request, response) => response.writeHead(status).end(`answered ${status}`));
    ({ page, problems } = await tested.open(await tested.signIn()));
  });
  after(async () => {
    await receiver?.close();
    await tested?.stop();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const dialog = () => page.getByRole('dialog');
  const shown = (text: string) => page.getByRole('alert').getByText(text).last().waitFor();
  const invalid = (field: Locator) => field.and(page.locator('[aria-invalid="true"]')).waitFor();
  const shownSecret = async () => {
    await page.getByText('Shown only once').waitFor();
    return (await page.locator('[data-secret]').textContent()) ?? '';
  };
  const goto = async (path: string, name: string | RegExp) => {
    await visit(page, `${tested.service.baseUrl}${path}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  /** The status of a call to the API with a key: 404 where the key is taken, since there is no such document. */
  const callWith = async (key: string) =>
    (await tested.service.call('/documents/doc_none', { headers: { 'x-api-key': key } })).status;
  const rowOf = (text: string | RegExp) => page.getByRole('row', { name: text }).first();

  describe('API keys', () => {
    let rawKey = '';

    test('a key is created, shown once with a first call, and works', async () => {
      await goto('/developer/keys', 'API keys');
      await button('Create key').click();
      await dialog().getByLabel('Calls per minute').fill('0');
      await dialog().getByRole('button', { name: 'Create' }).click();
      await invalid(dialog().getByLabel('Name'));
      await invalid(dialog().getByLabel('Calls per minute'));
      await checkAccessibility(page, 'a key’s form');
      await dialog().getByLabel('Name').fill('Bookkeeping');
      await dialog().getByLabel('Calls per minute').fill('');
      await dialog().getByRole('button', { name: 'Create' }).click();
      rawKey = await shownSecret();
      assert.match(rawKey, /^mr_live_\w{20,}$/);
      await dialog().getByText(`X-API-Key: ${rawKey}`).waitFor();
      await dialog().getByRole('button', { name: 'Copy', exact: true }).waitFor();
      await checkAccessibility(page, 'a new key');
      assert.equal(await callWith(rawKey), 404);
      await button('Done').click();
      await page.locator('[data-secret]').waitFor({ state: 'detached' });
      await rowOf(/Bookkeeping/).waitFor();
      assert.equal((await page.content()).includes(rawKey), false);
      await checkAccessibility(page, 'API keys');
    });

    test('a changed limit is enforced', async () => {
      await button('Edit Bookkeeping').click();
      await dialog().getByLabel('Calls per minute').fill('1');
      await dialog().getByRole('button', { name: 'Save' }).click();
      await shown('Bookkeeping saved.');
      const statuses = [await callWith(rawKey), await callWith(rawKey), await callWith(rawKey)];
      // Where a minute ends between them, its one call is followed by one that is refused.
      assert.ok(statuses.includes(429), statuses.join());
      await rowOf(/Bookkeeping/)
        .getByRole('cell', { name: '1', exact: true })
        .waitFor();
    });

    test('a key is limited to its scopes and has an expiry', async () => {
      await button('Create key').click();
      await dialog().getByLabel('Name').fill('Archive');
      await dialog().getByLabel('extract', { exact: true }).uncheck();
      await dialog().getByLabel('documents:read').uncheck();
      await dialog().getByLabel('types', { exact: true }).uncheck();
      await dialog().getByRole('button', { name: 'Create' }).click();
      await dialog().getByText('Choose at least one scope.').waitFor();
      await dialog().getByLabel('documents:read').check();
      await dialog().getByRole('combobox', { name: 'Expires' }).click();
      await page.getByRole('option', { name: 'In 30 days' }).click();
      await dialog().getByRole('button', { name: 'Create' }).click();
      const archiveKey = await shownSecret();
      await button('Done').click();
      const keyOf = async (name: string) =>
        tested.service.opened.database.system
          .selectFrom('api_keys')
          .selectAll()
          .where('name', '=', name)
          .executeTakeFirstOrThrow();
      const { scopes, expires_at } = await keyOf('Archive');
      assert.deepEqual(scopes, ['documents:read']);
      const days = (expires_at!.getTime() - Date.now()) / 86_400_000;
      assert.ok(days > 29 && days <= 30, String(days));
      assert.equal(await callWith(archiveKey), 404);
      const refused = await tested.service.call('/extract', {
        method: 'POST',
        headers: { 'x-api-key': archiveKey },
      });
      assert.equal(refused.status, 403);
      await rowOf(/Archive.*Active.*documents:read/).waitFor();

      await button('Edit Archive').click();
      await dialog().getByLabel('extract', { exact: true }).check();
      await dialog().getByLabel('documents:read').uncheck();
      await dialog().getByRole('combobox', { name: 'Expires' }).click();
      await page.getByRole('option', { name: 'Never' }).click();
      await dialog().getByRole('button', { name: 'Save' }).click();
      await shown('Archive saved.');
      const changed = await keyOf('Archive');
      assert.deepEqual([changed.scopes, changed.expires_at], [['extract'], null]);
      assert.equal(await callWith(archiveKey), 403);
    });

    test('an expired key is listed as such and rejected', async () => {
      const { raw } = await tested.service.addKey({ expiresAt: new Date(Date.now() - 1_000) });
      await page.reload();
      await rowOf(/Test.*Expired/).waitFor();
      assert.equal(await callWith(raw), 401);
    });

    test('a revoked key is rejected', async () => {
      await button('Revoke Bookkeeping').click();
      await dialog().getByRole('button', { name: 'Revoke' }).click();
      await shown('Bookkeeping revoked.');
      await rowOf(/Bookkeeping.*Revoked/).waitFor();
      assert.equal(await callWith(rawKey), 401);
    });
  });

  describe('webhooks', () => {
    let secret = '';
    let url = '';

    const sendTest = async () => {
      const before = receiver.posts.length;
      await button('Send test event').click();
      await eventually('the test event', () => receiver.posts.length > before);
      return receiver.posts.at(-1)!;
    };

    test('an endpoint is added and its secret shown once', async () => {
      await goto('/developer/webhooks', 'Webhooks');
      await button('Add endpoint').click();
      await dialog().getByLabel('URL').fill('ftp://receiver.example/');
      await dialog().getByRole('button', { name: 'Add' }).click();
      await invalid(dialog().getByLabel('URL'));
      await checkAccessibility(page, 'an endpoint’s form');
      url = `http://127.0.0.1:${receiver.port}/hook`;
      await dialog().getByLabel('URL').fill(url);
      await dialog().getByRole('button', { name: 'Add' }).click();
      secret = await shownSecret();
      assert.match(secret, /^whsec_/);
      await button('Done').click();
      await rowOf(/127\.0\.0\.1.*Active/).waitFor();
      await checkAccessibility(page, 'webhooks');
    });

    test('a test event arrives signed with that secret and is listed', async () => {
      await page.getByRole('link', { name: url }).click();
      await page.getByRole('heading', { level: 1, name: url }).waitFor();
      const { headers, body } = await sendTest();
      assert.equal(verifySignature(String(headers['x-svc-signature']), body, secret), null);
      await rowOf(/webhook\.test.*Delivered.*200/).waitFor();
      await checkAccessibility(page, 'an endpoint');
    });

    test('failed deliveries are marked, filtered and shown in full', async () => {
      status = 503;
      await sendTest();
      await rowOf(/webhook\.test.*Failed.*503/).waitFor();
      await page.getByRole('combobox', { name: 'Outcome' }).click();
      await page.getByRole('option', { name: 'Failed', exact: true }).click();
      await page.waitForURL(/outcome=failed/);
      await page.getByRole('row', { name: /Delivered/ }).waitFor({ state: 'detached' });
      await rowOf(/Failed/)
        .getByRole('link')
        .first()
        .click();
      await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
      await page.getByText('answered 503', { exact: true }).waitFor();
      await page.getByText('"event": "webhook.test"').waitFor();
      await page.getByText(/x-svc-signature: t=\d+,v1=[0-9a-f]{64}/i).waitFor();
      await checkAccessibility(page, 'a delivery');
    });

    test('the last scheduled attempt is marked as permanently failed and can be resent', async () => {
      const { system } = tested.service.opened.database;
      await system
        .updateTable('notifications')
        .set({ attempt_count: 5, run_at: new Date() })
        .where('state', '=', 'pending')
        .execute();
      await page.getByRole('link', { name: 'Endpoint' }).click();
      await rowOf(/Permanently failed/).waitFor();
      status = 200;
      const failed = receiver.posts.at(-1)!;
      const sent = receiver.posts.length;
      await rowOf(/Permanently failed/)
        .getByRole('button', { name: /^Resend/ })
        .click();
      await eventually('the event sent again', () => receiver.posts.length > sent);
      assert.deepEqual(receiver.posts.at(-1)!.body, failed.body);
      assert.notEqual(receiver.posts.at(-1)!.headers['x-svc-delivery'], failed.headers['x-svc-delivery']);
    });

    test('a paused endpoint receives nothing until it is resumed', async () => {
      await button('Pause').click();
      await shown('Endpoint paused.');
      await page.getByRole('alert').getByText('Paused', { exact: true }).waitFor();
      await checkAccessibility(page, 'a paused endpoint');
      const sent = receiver.posts.length;
      const answer = await tested.service.extract({ name: 'invoice.pdf', bytes: invoicePdf });
      assert.equal(answer.status, 200);
      await page.getByText('Pending').locator('..').getByText('1').waitFor();
      assert.equal(receiver.posts.length, sent);
      await button('Resume').click();
      await eventually('what was held back', () => receiver.posts.length > sent);
      assert.equal(JSON.parse(receiver.posts.at(-1)!.body.toString()).event, 'extraction.completed');
      await rowOf(/extraction\.completed.*Delivered/).waitFor();
      await page.getByText('Pending').locator('..').getByText('0').waitFor();
      await picture(page, 'webhook');
    });

    test('everything since a time is resent', async () => {
      const sent = receiver.posts.length;
      await button('Resend since…').click();
      await checkAccessibility(page, 'sending again since a time');
      await dialog().getByLabel('Only failed deliveries').uncheck();
      await dialog().getByRole('button', { name: 'Resend' }).click();
      await shown('Resending one event.');
      await eventually('the event sent again', () => receiver.posts.length > sent);
      assert.equal(JSON.parse(receiver.posts.at(-1)!.body.toString()).event, 'extraction.completed');
    });

    test('both secrets sign during a rotation', async () => {
      await button('Rotate secret').click();
      await dialog()
        .getByLabel(/^Overlap/)
        .fill('1000');
      await dialog().getByRole('button', { name: 'Rotate' }).click();
      await invalid(dialog().getByLabel(/^Overlap/));
      await checkAccessibility(page, 'replacing a secret');
      await dialog()
        .getByLabel(/^Overlap/)
        .fill('2');
      await dialog().getByRole('button', { name: 'Rotate' }).click();
      const next = await shownSecret();
      assert.notEqual(next, secret);
      await button('Done').click();
      await page.getByText('Two active secrets').waitFor();
      const { headers, body } = await sendTest();
      for (const either of [secret, next]) {
        assert.equal(verifySignature(String(headers['x-svc-signature']), body, either), null);
      }
    });

    test('an endpoint is removed', async () => {
      await button('Remove').click();
      await dialog().getByRole('button', { name: 'Remove' }).click();
      await shown('Endpoint removed.');
      await page.getByText('No endpoints yet.').waitFor();
    });
  });

  describe('logs', () => {
    test('calls are listed with their status, and filtered by status and key', async () => {
      assert.equal((await tested.service.call('/documents/doc_none')).status, 404);
      await eventually('the call', async () => {
        await goto('/developer/logs', 'Logs');
        await page.getByRole('cell').first().waitFor();
        return (await rowOf(/documents\/:id.*404/).count()) > 0;
      });
      await rowOf(/\/extract.*200/)
        .getByRole('link', { name: /^Open document/ })
        .waitFor();
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Rejected (4xx)' }).click();
      await page
        .getByRole('row', { name: /\/extract/ })
        .filter({ has: page.getByText('200', { exact: true }) })
        .waitFor({ state: 'detached' });
      await page.getByRole('combobox', { name: 'API key' }).click();
      await page.getByRole('option', { name: /Bookkeeping/ }).click();
      await page
        .getByRole('row', { name: /First key/ })
        .first()
        .waitFor({ state: 'detached' });
      await rowOf(/429.*Bookkeeping/).waitFor();
      await checkAccessibility(page, 'logs');
    });
  });

  test('a member sees everything, and why they can’t change it', async () => {
    await using opened = await tested.open(await tested.signIn({ role: 'member' }));
    const { page: own } = opened;
    await own.goto(`${tested.service.baseUrl}/developer/keys`);
    const create = own.getByRole('button', { name: 'Create key' });
    await create.focus();
    await own.getByRole('tooltip').getByText('Only administrators can do this.').waitFor();
    await own.keyboard.press('Enter');
    assert.equal(await own.getByRole('dialog').count(), 0);
    await own.getByRole('row', { name: /Bookkeeping/ }).waitFor();
    await checkAccessibility(own, 'API keys of a member');
  });

  test('nothing overflows on a phone', async () => {
    await using opened = await tested.open(await tested.signIn(), {
      viewport: { width: 360, height: 740 },
    });
    const { page: phone } = opened;
    for (const path of ['/developer/keys', '/developer/webhooks', '/developer/webhooks/callbacks', '/developer/logs']) {
      await visit(phone, `${tested.service.baseUrl}${path}`);
      await phone.getByRole('heading', { level: 1 }).waitFor();
      await phone.waitForLoadState('networkidle');
      assert.equal(await widthAtRest(phone), 360, path);
      await checkAccessibility(phone, `${path} on a phone`);
    }
  });

  test('no page had an error or called another host', () => {
    assert.deepEqual(problems, []);
  });
});
