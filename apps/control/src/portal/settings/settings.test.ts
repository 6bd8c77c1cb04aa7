import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addProduct, done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { examplePng } from './contract.ts';
import { openPortal, type TestPortal } from './testing.ts';

describe('portal settings', () => {
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    portal = await openPortal(control);
  });

  const change = (body: object) => portal.administrator.call('PATCH', '/portal-settings', body);

  test('have readable defaults, and a change keeps the others', async () => {
    const before = await done(portal.administrator, 'GET', '/portal-settings');
    assert.deepEqual(
      [before.open, before.registration, before.title, before.defaultLanguage, before.logo, before.version],
      [true, 'open', null, 'en', null, 2],
    );
    // The defaults pass their own check.
    const changed = await done(portal.administrator, 'PATCH', '/portal-settings', {
      registration: 'approval',
      title: 'Acme developers',
      theme: before.theme,
    });
    assert.deepEqual(changed, { ...before, registration: 'approval', title: 'Acme developers', version: 3 });
    const { data } = await portal.visit('');
    assert.deepEqual([data.title, data.registration, data.organization], ['Acme developers', 'approval', portal.name]);
    assert.equal(data.url, `${control.baseUrl}/portal/${portal.name}`);
  });

  test('a closed portal has nothing for visitors', async () => {
    await done(portal.administrator, 'PATCH', '/portal-settings', { open: false });
    assert.equal((await portal.visit('')).status, 404);
    assert.equal((await portal.visit('/catalog')).status, 404);
  });

  test('colours that can’t be read are rejected with their contrast', async () => {
    const { theme } = await done(portal.administrator, 'GET', '/portal-settings');
    const { status, data } = await change({
      theme: { light: { ...theme.light, text: '#959595' }, dark: { ...theme.dark, accent: '#12161d' } },
    });
    assert.equal(status, 400);
    assert.deepEqual(data.errors, {
      'theme.light.text': 'Text on background has a contrast of 2.9; at least 4.5 is needed.',
      'theme.dark.accent': 'Accent on background has a contrast of 1; at least 3 is needed.',
    });
    assert.deepEqual((await portal.visit('')).data.theme.light.text, theme.light.text);
  });

  test('whatever is no colour, no secure address or no product is rejected by its field', async () => {
    const { theme, legal } = await done(portal.administrator, 'GET', '/portal-settings');
    const wrong: readonly (readonly [string, object])[] = [
      ['theme.light.text', { theme: { ...theme, light: { ...theme.light, text: 'red;}body{display:none' } } }],
      ['legal.terms', { legal: { ...legal, terms: 'http://acme.example/' } }],
      ['legal.imprint', { legal: { ...legal, imprint: 'javascript:alert(1)' } }],
      ['sandboxProductIds', { sandboxProductIds: ['prd_00000000000000000000000009'] }],
      ['catalog', { catalog: { order: ['prd_00000000000000000000000009'], featured: [], hidden: [] } }],
    ];
    for (const [field, body] of wrong) {
      const { status, data } = await change(body);
      assert.equal(status, 400, field);
      assert.deepEqual(Object.keys(data.errors), [field]);
    }
  });

  test('of a stale version change nothing', async () => {
    const { status } = await portal.administrator.call(
      'PATCH',
      '/portal-settings',
      { title: 'Stale' },
      { 'if-match': '"v1"' },
    );
    assert.equal(status, 412);
    assert.notEqual((await portal.visit('')).data.title, 'Stale');
  });

  test('a logo is a small PNG file that visitors get, for dark backgrounds its own', async () => {
    assert.equal((await portal.visit('/logo')).status, 404);
    const gif = { png: Buffer.from('GIF89a').toString('base64') };
    assert.equal((await portal.administrator.call('PUT', '/portal-settings/logo', gif)).status, 400);
    const set = await done(portal.administrator, 'PUT', '/portal-settings/logo', { png: examplePng });
    assert.equal(set.logo.sizeBytes, 70);
    const { status, headers } = await portal.visit('/logo?variant=dark');
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
    assert.equal((await portal.visit('')).data.logo.light, set.logo.sha256);
    assert.deepEqual(await done(portal.administrator, 'GET', '/portal-settings/logo'), {
      light: examplePng,
      dark: null,
    });
    await done(portal.administrator, 'PUT', '/portal-settings/logo', { png: null });
    assert.equal((await portal.visit('/logo')).status, 404);
  });

  test('the stamp changes with whatever the pages show, and with nothing else', async () => {
    const { administrator } = portal;
    const stamp = async () => (await portal.visit('')).data.stamp;
    let last = await stamp();
    assert.equal(await stamp(), last);
    const isNew = async (what: string) => {
      const now = await stamp();
      assert.notEqual(now, last, what);
      last = now;
    };
    await done(administrator, 'PATCH', '/portal-settings', { title: 'Another' });
    await isNew('settings');
    const productId = await addProduct(administrator, { public: true });
    await isNew('product');
    await done(administrator, 'PATCH', `/products/${productId}`, { description: 'Other' });
    await isNew('description of a product');
    const charge = { name: 'calls', meter: 'requests', model: 'per_unit', unitPrice: '0.1' };
    const plan = {
      productId,
      name: 'standard',
      displayName: 'Standard',
      type: 'pay_as_you_go',
      currency: 'EUR',
      charges: [charge],
    };
    const { id: planId } = await done(administrator, 'POST', '/rate-plans', plan);
    assert.equal(await stamp(), last, 'a draft of a rate plan shows nowhere');
    await done(administrator, 'POST', `/rate-plans/${planId}/publish`);
    await isNew('rate plan');
    await done(administrator, 'PATCH', '/billing/settings', { period: 'quarter' });
    await isNew('billing period');
    const guide = { slug: 'start', title: 'Start', source: 'x' };
    const { id: guideId } = await done(administrator, 'POST', '/portal-guides', guide);
    await done(administrator, 'POST', `/portal-guides/${guideId}/publish`);
    await isNew('guide');
    const email = `${guideId}@example.com`;
    await done(administrator, 'POST', '/developers', { email, name: 'Kim' });
    assert.equal(await stamp(), last, 'developers show nowhere');
  });
});
