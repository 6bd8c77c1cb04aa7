import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue, Extraction, Word, WordSource } from '@millrace/document-model';
import { typesetPage } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { markedLanguageOf, unmarkedPlaces, withMarks } from './letter-marks.ts';

test('names and words for payment may have lost their marks, other words and numbers not', () => {
  const read = (value: string): ExtractedValue => ({
    value,
    confidence: 80,
    provenance: [{ page: 1, box: { x0: 0, y0: 0, x1: 9, y1: 9 }, text: value, source: 'ocr:ppocr:1' }],
    flags: [],
  });
  const placesOf = (fields: Readonly<Record<string, string>>) =>
    unmarkedPlaces(
      documentTypeOf('receipt'),
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, read(value)])),
    ).length;
  assert.equal(placesOf({ merchant_name: 'Cafe du Port', payment_method: 'Especes' }), 2);
  assert.equal(placesOf({ payment_method: 'Visa', receipt_number: '7719' }), 0);
});

test('short texts may have lost their marks, and one reading that has them is enough', () => {
  const box = { x0: 0, y0: 0, x1: 99, y1: 9 };
  const wordFrom = (source: WordSource, text: string): Word => ({ text, box, source, confidence: 1 });
  const title: ExtractedValue = {
    value: 'Leiterin Qualitatsmanagement',
    confidence: 80,
    provenance: [{ page: 1, box, text: 'Leiterin Qualitatsmanagement', source: 'ocr:ppocr:1' }],
    flags: [],
  };
  assert.equal(unmarkedPlaces(documentTypeOf('business_card'), { job_title: title }).length, 1);
  const words = [wordFrom('ocr:ppocr:1', 'Qualitatsmanagement')];
  const readings = [
    { source: 'ocr:ppocr:1', words },
    { source: 'ocr:tesseract:2', words: [wordFrom('ocr:tesseract:2', 'Qualitätsmanagement')] },
  ] as const;
  const { fields } = withMarks({ fields: { job_title: title } } as unknown as Extraction, {
    mediaType: 'image/jpeg',
    pages: [{ ...typesetPage(1, []), words, readings }],
    attachments: [],
  });
  assert.equal(fields.job_title?.value, 'Leiterin Qualitätsmanagement');
});

test('a capital with its mark may have been read as a small letter', () => {
  const box = { x0: 0, y0: 0, x1: 99, y1: 9 };
  const name: ExtractedValue = {
    value: 'GARCiA SOLER',
    confidence: 80,
    provenance: [{ page: 1, box, text: 'GARCiA SOLER', source: 'ocr:ppocr:1' }],
    flags: [],
  };
  const readings = [
    { source: 'ocr:tesseract:2', words: [{ text: 'GARCÍA', box, source: 'ocr:tesseract:2', confidence: 1 }] },
  ] as const;
  const { fields } = withMarks({ fields: { employee_name: name } } as unknown as Extraction, {
    mediaType: 'image/jpeg',
    pages: [{ ...typesetPage(1, []), words: [], readings }],
    attachments: [],
  });
  assert.equal(fields.employee_name?.value, 'GARCÍA SOLER');
});

test('letters that are no letter with a mark, and figures taken for one, are put back as well', () => {
  const box = { x0: 0, y0: 0, x1: 99, y1: 9 };
  const address: ExtractedValue = {
    value: 'Spotdzielnia Zotw, HauptstraBe 16, Krak6w',
    confidence: 80,
    provenance: [{ page: 1, box, text: '', source: 'ocr:ppocr:1' }],
    flags: [],
  };
  const words = ['Spółdzielnia', 'Żółw', 'Hauptstraße', '1ß', 'Kraków', 'Zażółć'].map((text) => ({
    text,
    box,
    source: 'ocr:tesseract:2' as const,
    confidence: 1,
  }));
  const { fields } = withMarks({ fields: { vendor_address: address } } as unknown as Extraction, {
    mediaType: 'image/jpeg',
    pages: [{ ...typesetPage(1, []), words: [], readings: [{ source: 'ocr:tesseract:2', words }] }],
    attachments: [],
  });
  assert.equal(fields.vendor_address?.value, 'Spółdzielnia Żółw, Hauptstraße 16, Kraków');
});

test('a paper in English has the names of the country that issued it', () => {
  const issuedBy = (country: string, language: string) =>
    markedLanguageOf({
      locale: { language },
      fields: { issuing_country: { value: country, confidence: 90, provenance: [], flags: [] } },
    } as unknown as Extraction);
  assert.equal(issuedBy('PL', 'en'), 'pl');
  assert.equal(issuedBy('BE', 'de'), 'de');
  assert.equal(issuedBy('GB', 'en'), null);
});
