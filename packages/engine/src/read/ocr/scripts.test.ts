import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { ingest } from '../../ingest/ingest.ts';
import { createReader } from '../reader.ts';
import { scriptLanguages } from './scripts.ts';

const reader = createReader({ scriptLanguages });
after(() => reader.close());

/** The answer for an invoice that was drawn in the script, as a file beside this one. */
const answerOf = async (name: string, by = reader) => {
  const bytes = await readFile(new URL(`pictures/${name}.png`, import.meta.url));
  const limits = { sizeBytes: 1_000_000, pages: 1 };
  const document = await by.read(ingest(bytes, limits), limits);
  const { fields, locale } = extractFromWords(document, { docType: 'invoice', fields: null }).extraction;
  const given = (field: string) => fields[field]?.value;
  return { language: locale.language, date: given('invoice_date'), total: given('total_amount') };
};

test('pictures in Hebrew, Arabic and Japanese are answered in their language, with their dates and amounts', async () => {
  assert.deepEqual(await answerOf('hebrew'), { language: 'he', date: '2024-03-14', total: 2538.9 });
  assert.deepEqual(await answerOf('arabic'), { language: 'ar', date: '2024-03-14', total: 2495.5 });
  assert.equal((await answerOf('japanese')).language, 'ja');
});

test('a script that is not asked for is not read', async () => {
  const other = createReader({ scriptLanguages: ['ar'] });
  try {
    assert.notEqual((await answerOf('hebrew', other)).language, 'he');
  } finally {
    await other.close();
  }
});
