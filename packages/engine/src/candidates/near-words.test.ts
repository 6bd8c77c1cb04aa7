import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextLine, WordSource } from '@millrace/document-model';
import { NearWords } from './near-words.ts';

const lineOf = (text: string, source: WordSource = 'ocr:ppocr:1'): TextLine => {
  const box = { x0: 0, y0: 0, x1: 9, y1: 9 };
  return { page: 1, words: [{ text, box, source, confidence: 1 }], text, box };
};

test('a word that was read one letter off is the only known word near it', () => {
  const captions = new NearWords(['employee', 'employer', 'recipient', 'number']);
  assert.equal(captions.textOf(lineOf('Recipent’s nurnber')), 'recipient’s nurnber');
  assert.equal(captions.textOf(lineOf('Emp1oyee nunber')), 'employee number');
  assert.equal(captions.textOf(lineOf('Self-employed')), 'Self-employed');
  assert.equal(captions.textOf(lineOf('Employer number')), 'Employer number');
});

test('typeset words are what they are', () => {
  assert.equal(new NearWords(['recipient']).textOf(lineOf('recipent', 'text')), 'recipent');
});
