import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { textPdf } from '@millrace/extraction/testing';
import { checkAccessibility, visit, widthAtRest, withoutBrowser } from '@millrace/ui/testing';
import type { Page } from 'playwright-core';
import { startTestDashboard, type TestDashboard } from './dashboard.ts';
import { picture } from './picture.ts';

const certificate = textPdf([
  ['Calibration certificate', '', 'Certificate no: CC-2026-0117', 'Calibration date: 14 March 2026'],
]);

describe('document types of one’s own', { skip: withoutBrowser }, () => {
  let tested: TestDashboard;
  let session: Awaited<ReturnType<TestDashboard['signIn']>>;
  let page: Page;
  let problems: readonly string[];

  before(async () => {
    tested = await startTestDashboard(import.meta.filename);
    session = await tested.signIn();
    ({ page, problems } = await tested.open(session));
  });
  after(() => tested?.stop());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const shown = (text: string) => page.getByRole('alert').getByText(text).last().waitFor();
  const part = (name: string) => page.getByRole('group', { name, exact: true });
  const stored = async () => (await session.call('GET', '/types/calibration_certificate')).body;
  const chip = async (within: string, label: string, text: string) => {
    await part(within).getByLabel(label).first().fill(text);
    await page.keyboard.press('Enter');
  };

  test('an administrator defines a type, and errors stand at their fields', async () => {
    await visit(page, `${tested.service.baseUrl}/types`);
    await heading('Document types');
    await page.getByRole('link', { name: 'New type' }).click();
    await heading('New document type');
    await button('Create type').click();
    await page.getByLabel('Title').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('Title').fill('Calibration certificate');
    await page.locator('form').getByLabel('Name').first().fill('calibration_certificate');
    await page.locator('form').getByLabel('Description').first().fill('Of a measuring instrument');
    await part('Field 1').getByLabel('Name').fill('calibrated_on');
    await part('Field 1').getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Date', exact: true }).click();
    await chip('Field 1', 'Captions', 'Calibration date');
    await button('Add field').click();
    await part('Field 2').getByLabel('Name').fill('certificate_number');
    await part('Field 2').getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Number or code' }).click();
    await chip('Field 2', 'Captions', 'Certificate no');
    await chip('Field 2', 'Examples', 'CC-2025-0001');
    await part('Field 2').getByLabel('Required').click({ force: true });
    await button('Add field').click();
    await button('Remove field 3').click();
    await button('Move certificate_number up').click();
    await button('Add column').click();
    await part('Column 1').getByLabel('Name').fill('test_point');
    await chip('Column 1', 'Captions', 'Test point');
    await checkAccessibility(page, 'the editor of a type');
    await button('Create type').click();
    await heading('Calibration certificate');
    const { columns, fields } = await stored();
    assert.deepEqual(
      fields.map(({ name, kind, captions, examples, required }: (typeof fields)[number]) => ({
        name,
        kind,
        captions,
        examples,
        required,
      })),
      [
        {
          name: 'certificate_number',
          kind: 'identifier',
          captions: ['Certificate no'],
          examples: ['CC-2025-0001'],
          required: true,
        },
        { name: 'calibrated_on', kind: 'date', captions: ['Calibration date'], examples: [], required: false },
      ],
    );
    assert.deepEqual(columns[0].captions, ['Test point']);
  });

  test('it is changed, and a change of an older version is refused', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await heading('Edit Calibration certificate');
    await page.getByLabel('Title').fill('Certificate');
    const { version, name: _name, createdAt: _created, updatedAt: _updated, ...definition } = await stored();
    await session.call('PUT', '/types/calibration_certificate', { version, ...definition });
    await button('Save').click();
    await page
      .getByText(/changed in the meantime/)
      .first()
      .waitFor();
    assert.equal((await stored()).title, 'Calibration certificate');
    await page.reload();
    await page.getByLabel('Title').fill('Certificate');
    await button('Save').click();
    await heading('Certificate');
    assert.equal((await stored()).title, 'Certificate');
  });

  test('a document is tried, confirmed, and counted', async () => {
    await button('Try a document').click();
    await page
      .getByRole('dialog')
      .locator('input[type="file"]')
      .setInputFiles({
        name: 'certificate.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from(certificate),
      });
    await button('Extract').click();
    await page.waitForURL(/\/documents\/doc_/);
    const id = page.url().split('/').at(-1)!.split('?')[0];
    await eventually(
      'the document to be extracted',
      async () => (await session.call('GET', `/documents/${id}`)).body.state === 'done',
    );
    const { body } = await session.call('GET', `/documents/${id}`);
    assert.equal(body.fields.certificate_number.value, 'CC-2026-0117');
    assert.equal((await session.call('POST', `/documents/${id}/confirmation`, { version: body.version })).status, 200);
    await visit(page, `${tested.service.baseUrl}/types/calibration_certificate`);
    // What was confirmed elsewhere is shown once the page is read again.
    await page.reload();
    const figures = page.getByRole('region', { name: 'How well each field does' });
    await figures.getByRole('row').filter({ hasText: 'certificate_number' }).filter({ hasText: '100' }).waitFor();
    await figures.getByRole('row').filter({ hasText: 'lines.test_point' }).waitFor();
    await checkAccessibility(page, 'a type');
    await picture(page, 'type');
    await visit(page, `${tested.service.baseUrl}/documents`);
    // By its title, not as its name reads.
    await page
      .getByRole('row', { name: /certificate\.pdf/ })
      .first()
      .getByRole('cell', { name: 'Certificate', exact: true })
      .waitFor();
    await checkAccessibility(page, 'documents with an own type');
  });

  test('it is exported, deleted after a question, and imported', async () => {
    await visit(page, `${tested.service.baseUrl}/types/calibration_certificate`);
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export').click()]);
    assert.equal(download.suggestedFilename(), 'calibration_certificate.json');
    const text = readFileSync(await download.path(), 'utf8');
    assert.equal(JSON.parse(text).type.title, 'Certificate');
    await button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading('Document types');
    assert.equal((await session.call('GET', '/types/calibration_certificate')).status, 404);
    await button('Import').click();
    const file = page.getByRole('dialog').locator('input[type="file"]');
    await file.setInputFiles({ name: 'no.json', mimeType: 'application/json', buffer: Buffer.from('no JSON') });
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText(/This is no JSON file/).waitFor();
    await file.setInputFiles({ name: 'type.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.getByLabel('Replace a type of the same name').click({ force: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await heading('Certificate');
    await shown('Certificate imported.');
    assert.equal((await stored()).title, 'Certificate');
  });

  test('the screens hold on a phone and in the dark, and members may only look', async () => {
    const member = await tested.signIn({ role: 'member' });
    await using phone = await tested.open(member, { colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    for (const [path, title] of [
      ['/types', 'Document types'],
      ['/types/calibration_certificate', 'Certificate'],
      ['/types/calibration_certificate/edit', 'Edit Certificate'],
    ] as const) {
      await visit(phone.page, `${tested.service.baseUrl}${path}`);
      await phone.page.getByRole('heading', { level: 1, name: title }).waitFor();
      await checkAccessibility(phone.page, `${path} on a phone, in the dark`);
      assert.equal(await widthAtRest(phone.page), 390, path);
    }
    await visit(phone.page, `${tested.service.baseUrl}/types`);
    assert.equal(await phone.page.getByRole('button', { name: 'Import' }).isDisabled(), true);
    assert.deepEqual([...problems, ...phone.problems], []);
  });
});
