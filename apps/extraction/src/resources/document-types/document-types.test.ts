import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ownTypeLimits } from '@millrace/document-model/own-type';
import { eventually } from '@millrace/eventually';
import { exampleDefinition, exampleFile } from '@millrace/extraction-contract/document-types';
import { tenantTransaction } from '@millrace/postgres';
import { createAccount } from '../../accounts/store.ts';
import { signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { startTestService, type TestService, textPdf } from '../../http/testing.ts';
import { newId } from '../../identifiers.ts';
import { type ConfirmedValues, figuresOf } from './rules.ts';

const name = 'calibration_certificate';
const definition = { name, ...exampleDefinition };

const certificate = (
  number: string,
  date: string,
  captions: readonly [string, string] = ['Certificate no', 'Calibration date'],
) =>
  textPdf([
    [
      'Calibration certificate',
      '',
      `${captions[0]}: ${number}`,
      `${captions[1]}: ${date}`,
      '',
      'We thank you for your order.',
    ],
  ]);

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
type Json = any;

describe('document types of one’s own', () => {
  let service: TestService;
  let browser: TestBrowser;
  let strangersKey: string;

  before(async () => {
    service = await startTestService();
    browser = await signInAs(service, { role: 'administrator' });
    const accountId = newId('acc');
    await tenantTransaction(service.opened.database, accountId, (transaction) =>
      createAccount(transaction, 'Stranger'),
    );
    strangersKey = (await service.addKey({ accountId })).raw;
  });
  after(() => service?.stop());

  async function call(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; body: Json }> {
    const response = await service.call(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key && { 'x-api-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  }

  async function extract(
    number: string,
    date: string,
    docType = name,
    captions?: readonly [string, string],
  ): Promise<Json> {
    const file = { name: 'certificate.pdf', bytes: await certificate(number, date, captions) };
    const response = await service.extract(file, { form: { doc_type: docType } });
    return response.json();
  }

  test('are created, read, changed against a version, and deleted', async () => {
    const created = await call('POST', '/types', definition);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    assert.equal(created.body.version, 1);
    assert.equal((await call('POST', '/types', definition)).status, 409);
    assert.deepEqual((await call('GET', `/types/${name}`)).body, created.body);
    const { types } = (await call('GET', '/types')).body;
    assert.equal(types.length, 22);
    assert.deepEqual([types[1].name, types[1].origin], ['invoice', 'built_in']);
    assert.deepEqual([types.at(-1).name, types.at(-1).origin], [name, 'own']);

    const change = { version: 1, ...exampleDefinition, title: 'Certificate' };
    const changed = await call('PUT', `/types/${name}`, change);
    assert.deepEqual([changed.status, changed.body.title, changed.body.version], [200, 'Certificate', 2]);
    assert.equal((await call('PUT', `/types/${name}`, change)).status, 409);

    assert.equal((await call('DELETE', `/types/${name}`)).status, 200);
    assert.equal((await call('GET', `/types/${name}`)).status, 404);
    assert.equal((await call('DELETE', `/types/${name}`)).status, 404);
    assert.equal((await call('POST', '/types', definition)).body.version, 3);
  });

  test('go through a file, created or replaced', async () => {
    const { body: file } = await call('GET', `/types/${name}/export`);
    assert.deepEqual(file, exampleFile);
    assert.equal((await call('POST', '/types/import', file)).status, 409);
    const renamed = { ...file, type: { ...file.type, title: 'Imported' } };
    const replaced = await call('POST', '/types/import?replace=true', renamed);
    assert.deepEqual([replaced.status, replaced.body.title, replaced.body.version], [200, 'Imported', 4]);
    const copy = await call('POST', '/types/import', { ...file, type: { ...file.type, name: 'a_copy' } });
    assert.deepEqual([copy.status, copy.body.name], [200, 'a_copy']);
    await call('DELETE', '/types/a_copy');
    const wrong = await call('POST', '/types/import', { ...file, format_version: 2 });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.error.message, /format_version/);
  });

  test('are refused with the field at fault', async () => {
    const field = exampleDefinition.fields[0]!;
    const refused: readonly (readonly [unknown, RegExp])[] = [
      [{ ...definition, name: 'invoice' }, /name.*built-in/],
      [{ ...definition, name: '__proto__' }, /name/],
      [{ ...definition, name: 'Upper' }, /name/],
      [{ ...definition, name: 'x'.repeat(41) }, /name/],
      [{ ...definition, name: 'no_fields', fields: [] }, /fields/],
      [{ ...definition, name: 'twice', fields: [field, field] }, /fields\.1\.name.*twice/],
      [
        { ...definition, name: 'many', fields: Array.from({ length: 61 }, (_, at) => ({ ...field, name: `f${at}` })) },
        /fields/,
      ],
      [{ ...definition, name: 'odd', fields: [{ ...field, kind: 'regexp' }] }, /fields\.0\.kind/],
      [{ ...definition, name: 'long', fields: [{ ...field, captions: ['x'.repeat(81)] }] }, /fields\.0\.captions\.0/],
      [{ ...definition, name: 'deep', fields: [{ ...field, examples: [{ a: { b: {} } }] }] }, /fields\.0\.examples\.0/],
      [{ ...definition, name: 'extra', owner: 'me' }, /owner/],
      [{ ...definition, name: 'proto', fields: [{ ...field, name: 'constructor' }] }, /fields\.0\.name.*reserved/],
    ];
    for (const [body, expected] of refused) {
      const { body: answer, status } = await call('POST', '/types', body);
      assert.equal(status, 400, JSON.stringify(body).slice(0, 100));
      assert.match(answer.error.message, expected);
    }
    const many = {
      ...definition,
      name: 'many',
      fields: Array.from({ length: 10_000 }, (_, at) => ({ ...field, name: `f${at}` })),
    };
    assert.ok([400, 413].includes((await call('POST', '/types', many)).status));
    const { body } = await browser.call('POST', '/types', { ...definition, name: 'odd', title: '' });
    assert.deepEqual(body.error.fields, [{ path: 'title', message: 'Can’t be empty.' }]);
  });

  test('are another account’s business', async () => {
    for (const [method, path, body] of [
      ['GET', `/types/${name}`],
      ['GET', `/types/${name}/export`],
      ['GET', `/types/${name}/figures`],
      ['PUT', `/types/${name}`, { version: 4, ...exampleDefinition }],
      ['DELETE', `/types/${name}`],
    ] as const) {
      assert.equal((await call(method, path, body, strangersKey)).status, 404, `${method} ${path}`);
    }
    assert.equal((await call('GET', '/types', undefined, strangersKey)).body.types.length, 21);
    const file = { name: 'certificate.pdf', bytes: await certificate('CC-2026-0117', '2026-03-14') };
    const form = { doc_type: name };
    const headers = { 'x-api-key': strangersKey };
    const lenient: Json = await (await service.extract(file, { form, headers })).json();
    assert.equal(lenient.meta.doc_type, 'general');
    assert.equal((await service.extract(file, { form, headers, query: '?strict=true' })).status, 400);
    assert.equal((await call('PUT', `/types/${name}`, { version: 4, ...exampleDefinition })).status, 200);
  });

  test('are extracted at once, queued, detected, filtered, exported and shown', async () => {
    const { fields, meta } = await extract('CC-2026-0117', '14 March 2026');
    assert.equal(meta.doc_type, name);
    assert.deepEqual(fields, { certificate_number: 'CC-2026-0117', calibrated_on: '2026-03-14' });
    const file = { name: 'certificate.pdf', bytes: await certificate('CC-2026-0118', '2026-03-15') };
    const queued: Json = await (await service.extract(file, { form: { doc_type: name }, query: '?async=true' })).json();
    let job: Json = null;
    await eventually('the job', async () => {
      job = (await call('GET', `/jobs/${queued.job_id}`)).body;
      return job.state === 'done';
    });
    assert.equal((await call('GET', `/documents/${job.document_id}`)).body.meta.doc_type, name);
    const csv = (await call('GET', `/documents.csv?doc_type=${name}`)).body as string;
    assert.match(csv.split('\r\n')[0]!, /certificate_number,calibrated_on$/);
    assert.match(csv, /CC-2026-0118,2026-03-15/);
    const list = (await browser.call('GET', `/documents?type=${name}`)).body;
    assert.equal(list.items.length, 2);
    const detail = (await browser.call('GET', `/documents/${job.document_id}`)).body;
    assert.deepEqual(
      detail.fieldDefinitions.map((field: Json) => [field.name, field.required]),
      [
        ['certificate_number', true],
        ['calibrated_on', false],
      ],
    );
    const columns = (await browser.call('GET', '/documents/columns')).body.fields;
    assert.ok(columns.some((field: Json) => field.name === 'certificate_number'));
    const inbox = await browser.call('PATCH', '/inbox', { docType: name });
    assert.deepEqual([inbox.status, inbox.body.docType], [200, name], JSON.stringify(inbox.body));
    assert.equal((await browser.call('PATCH', '/inbox', { docType: 'no_such_type' })).status, 400);
  });

  test('learn from confirmed documents, and show how well they do', async () => {
    const captions = ['Our sign', 'Seen on'] as const;
    const first = await extract('CC-2026-0200', '2026-01-07', name, captions);
    assert.equal(first.fields.calibrated_on, undefined);
    const id = first.meta.document_id;
    const { body: before } = await browser.call('GET', `/documents/${id}`);
    const corrected = await browser.call('PATCH', `/documents/${id}/values`, {
      version: before.version,
      changes: [
        { field: 'calibrated_on', value: '2026-01-07' },
        { field: 'certificate_number', value: 'CC-2026-0200' },
      ],
    });
    assert.equal(corrected.status, 200, JSON.stringify(corrected.body));
    const confirmed = await browser.call('POST', `/documents/${id}/confirmation`, { version: corrected.body.version });
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
    const next = await extract('CC-2026-0201', '2026-02-09', name, captions);
    assert.equal(next.fields.calibrated_on, '2026-02-09');
    const figures = (await call('GET', `/types/${name}/figures`)).body;
    assert.equal(figures.documents, 1);
    assert.deepEqual(figures.fields[1], { name: 'calibrated_on', right: 0, corrected: 0, missing: 1 });
    assert.deepEqual(figures.columns[0], { name: 'test_point', right: 0, corrected: 0, missing: 0 });
  });

  test('count line items by their cells, wherever a line was added or removed', () => {
    const type = { ...definition, fields: [] };
    const line = (point: string, deviation?: number) => ({ test_point: point, ...(deviation && { deviation }) });
    const countOf = (extractedLines: object[], confirmedLines: object[]) => {
      const document = { extracted: {}, confirmed: {}, extractedLines, confirmedLines } as ConfirmedValues;
      return figuresOf(type, [document]).columns.map(({ corrected, missing, right }) => [right, corrected, missing]);
    };
    const [low, middle, high] = [line('low', 1), line('middle', 2), line('high', 3)];
    assert.deepEqual(countOf([low, middle, high], [low, middle, high]), [
      [3, 0, 0],
      [3, 0, 0],
    ]);
    assert.deepEqual(countOf([middle, high], [low, middle, high]), [
      [2, 0, 1],
      [2, 0, 1],
    ]);
    assert.deepEqual(countOf([low, middle, high], [low, high]), [
      [2, 1, 0],
      [2, 1, 0],
    ]);
    assert.deepEqual(countOf([low, line('middel'), high], [low, middle, high]), [
      [2, 1, 0],
      [2, 0, 1],
    ]);
    assert.deepEqual(countOf([low, low], []), [
      [0, 2, 0],
      [0, 2, 0],
    ]);
  });

  test('leave their documents readable when they are deleted', async () => {
    const { meta } = await extract('CC-2026-0300', '2026-03-14');
    assert.equal((await browser.call('DELETE', `/types/${name}`)).status, 200);
    const read = await call('GET', `/documents/${meta.document_id}`);
    assert.deepEqual([read.status, read.body.fields.certificate_number], [200, 'CC-2026-0300']);
    const detail = (await browser.call('GET', `/documents/${meta.document_id}`)).body;
    assert.deepEqual(
      detail.fieldDefinitions.map((field: Json) => field.label),
      ['Certificate number', 'Calibrated on'],
    );
    assert.equal((await extract('CC-2026-0301', '2026-03-14')).meta.doc_type, 'general');
    assert.equal((await browser.call('GET', '/inbox')).body.docType, null);
  });

  test('are at most as many as allowed', async () => {
    for (let at = 0; at < ownTypeLimits.types; at += 1) {
      assert.equal((await call('POST', '/types', { ...definition, name: `type_${at}` })).status, 201);
    }
    const { body, status } = await call('POST', '/types', { ...definition, name: 'one_more' });
    assert.equal(status, 400);
    assert.match(body.error.message, /at most 100/);
  });

  test('are changed by administrators alone', async () => {
    const member = await signInAs(service, { role: 'member' });
    assert.equal((await member.call('GET', '/types')).status, 200);
    assert.equal((await member.call('POST', '/types', definition)).status, 403);
    assert.equal((await member.call('DELETE', '/types/type_1')).status, 403);
  });
});
