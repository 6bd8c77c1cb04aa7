import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Extraction, ReadDocument, Word, WordSource } from '@millrace/document-model';
import { typesetPage } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { unconfirmedPlaces, withoutLoneWords } from './lone-words.ts';

const type = documentTypeOf('receipt');
const passes: readonly WordSource[] = ['ocr:ppocr:1', 'ocr:tesseract:2', 'ocr:ppocr:3'];

function wordsOf(text: string, source: WordSource, leastConfidence = 0.3): readonly Word[] {
  return text.split(' ').map((each, at) => ({
    text: each,
    box: { x0: 50 * at, y0: 0, x1: 50 * at + 40, y1: 9 },
    source,
    confidence: 0.9,
    leastConfidence,
  }));
}

const addressed = (value: string) =>
  ({
    fields: {
      merchant_address: {
        value,
        confidence: 80,
        provenance: [{ page: 1, box: { x0: 0, y0: -1, x1: 400, y1: 10 }, text: value, source: 'ocr:ppocr:1' }],
        flags: [],
      },
    },
  }) as unknown as Extraction;

function documentOf(...texts: readonly string[]): ReadDocument {
  const readings = texts.map((text, at) => ({ source: passes[at]!, words: wordsOf(text, passes[at]!) }));
  return {
    mediaType: 'image/jpeg',
    pages: [{ ...typesetPage(1, []), words: readings[0]!.words, readings }],
    attachments: [],
  };
}

test('an address goes without an answer where one pass alone read a word of it so', () => {
  const answered = (value: string, ...texts: readonly string[]) =>
    Object.keys(withoutLoneWords(type, addressed(value), documentOf(...texts)).fields).length;
  assert.equal(answered('17 Jalan SE11A', '17 Jalan SE11A', '17 Jalan SETIA', '17 Jalan SEIIA'), 0);
  assert.equal(answered('17 Jalan SETIA', '17 Jalan SETIA', '17 Jalan SETlA', '17, Jalan SETIA'), 1);
  assert.equal(answered('Hauptstraße 4', 'HauptstraBe 4', 'Hauptstraße 4', 'HauptstraBe 4'), 1);
  assert.equal(answered('17 Jalan SE11A', '17 Jalan SE11A', '17 Jalan SETIA'), 1);
});

test('an address with a doubtful letter is worth reading again, and no other', () => {
  const document = documentOf('17 Jalan Setia');
  const [page] = document.pages;
  assert.equal(unconfirmedPlaces(type, addressed('17 Jalan Setia'), document).length, 1);
  const sure = { ...document, pages: [{ ...page!, words: wordsOf('17 Jalan Setia', 'ocr:ppocr:1', 0.9) }] };
  assert.equal(unconfirmedPlaces(type, addressed('17 Jalan Setia'), sure).length, 0);
  assert.equal(unconfirmedPlaces(documentTypeOf('invoice'), addressed('17 Jalan Setia'), document).length, 0);
});
