import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addProduct, done } from '../../consumers/products/testing.ts';
import { startTestControl, type TestControl } from '../../testing.ts';
import { openPortal, type TestPortal } from '../settings/testing.ts';

describe('guides', () => {
  let control: TestControl;
  let portal: TestPortal;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());
  beforeEach(async () => {
    portal = await openPortal(control);
  });

  const write = (fields: object = {}) =>
    done(portal.administrator, 'POST', '/portal-guides', {
      slug: 'first-call',
      title: 'Your first call',
      source: '# Key\n\nSend <b>it</b>.',
      ...fields,
    });
  const post = (path: string, body: object = {}) => done(portal.administrator, 'POST', `/portal-guides/${path}`, body);

  test('a draft is not shown, a published version is, and stays while the next one is written', async () => {
    const { id } = await write({ summary: 'From key to answer' });
    assert.equal((await portal.visit('/guides/first-call')).status, 404);
    assert.deepEqual((await portal.visit('/guides')).data.guides, []);
    await post(`${id}/publish`);
    await done(portal.administrator, 'PATCH', `/portal-guides/${id}`, { source: '# Other' });
    const { data } = await portal.visit('/guides/first-call');
    assert.deepEqual(
      [data.title, data.guideVersion, data.html],
      ['Your first call', 1, '<h2 id="section-key">Key</h2>\n<p>Send &lt;b&gt;it&lt;/b&gt;.</p>\n'],
    );
    const { data: list } = await portal.visit('/guides');
    assert.deepEqual(list.guides, [
      { slug: 'first-call', language: 'en', title: 'Your first call', summary: 'From key to answer' },
    ]);
    const published = await post(`${id}/publish`);
    assert.deepEqual([published.publishedVersion, published.guideVersion], [2, 2]);
    assert.match((await portal.visit('/guides/first-call')).data.html, /Other/);
    await post(`${id}/unpublish`);
    assert.equal((await portal.visit('/guides/first-call')).status, 404);
  });

  test('an earlier version is restored as a new one', async () => {
    const { id } = await write();
    await done(portal.administrator, 'PATCH', `/portal-guides/${id}`, { source: 'second', title: 'Second' });
    const restored = await post(`${id}/versions/1/restore`);
    assert.deepEqual([restored.guideVersion, restored.title], [3, 'Your first call']);
    const { versions, total } = await done(portal.administrator, 'GET', `/portal-guides/${id}/versions`);
    assert.deepEqual(
      [total, versions.map(({ guideVersion }: { guideVersion: number }) => guideVersion)],
      [3, [3, 2, 1]],
    );
    const second = await done(portal.administrator, 'GET', `/portal-guides/${id}/versions/2`);
    assert.deepEqual([second.source, second.published], ['second', false]);
  });

  test('an edit of position and products makes no version', async () => {
    const productId = await addProduct(portal.administrator, { public: true });
    const { id } = await write();
    const changed = await done(portal.administrator, 'PATCH', `/portal-guides/${id}`, {
      position: 3,
      productIds: [productId],
    });
    assert.deepEqual([changed.guideVersion, changed.position, changed.version], [1, 3, 2]);
    const unknown = { productIds: ['prd_00000000000000000000000009'] };
    assert.equal((await portal.administrator.call('PATCH', `/portal-guides/${id}`, unknown)).status, 400);
  });

  test('translations share an address, and a reader gets the language that there is', async () => {
    const english = await write();
    const german = await write({ language: 'de', title: 'Der erste Aufruf' });
    const only = await write({ slug: 'nur', language: 'de', title: 'Nur deutsch', position: 1 });
    for (const { id } of [english, german, only]) await post(`${id}/publish`);
    const { status, data } = await portal.administrator.call('POST', '/portal-guides', {
      slug: 'first-call',
      title: 'Again',
      source: '',
    });
    assert.deepEqual([status, Object.keys(data.errors)], [400, ['slug']]);
    const titles = async (language: string) =>
      (await portal.visit(`/guides?language=${language}`)).data.guides.map(({ title }: { title: string }) => title);
    assert.deepEqual(await titles('en'), ['Your first call', 'Nur deutsch']);
    assert.deepEqual(await titles('de'), ['Der erste Aufruf', 'Nur deutsch']);
    const { data: shown } = await portal.visit('/guides/nur?language=en');
    assert.deepEqual([shown.language, shown.languages], ['de', ['de']]);
  });

  test('private products of a guide are named to developers only', async () => {
    const productId = await addProduct(portal.administrator, { displayName: 'Secret' });
    const { id } = await write({ productIds: [productId] });
    await post(`${id}/publish`);
    assert.deepEqual((await portal.visit('/guides/first-call')).data.products, []);
    const { data } = await portal.visitSignedIn('/guides/first-call');
    assert.equal(data.products[0].displayName, 'Secret');
  });

  test('a preview is what the portal would show, and stores nothing', async () => {
    const preview = await post('preview', { source: '[x](javascript:alert(1)) <script>' });
    assert.deepEqual(preview, { html: '<p>[x](javascript:alert(1)) &lt;script&gt;</p>\n', headings: [] });
    assert.equal((await done(portal.administrator, 'GET', '/portal-guides')).total, 0);
    const large = { source: 'ä'.repeat(100_001) };
    assert.equal((await portal.administrator.call('POST', '/portal-guides/preview', large)).status, 400);
  });
});
