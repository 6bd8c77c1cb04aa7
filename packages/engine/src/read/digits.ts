import type { ReadDocument, Word } from '@millrace/document-model';

/** Digits beyond ASCII, full-width signs, and the Arabic marks of decimals and thousands. */
const foreign = /[\uff01-\uff5e\u066b\u066c]|(?![0-9\u{10000}-\u{10ffff}])\p{Nd}/u;
const everyForeign = new RegExp(foreign, 'gu');

/**
 * A text with its digits, and the full-width signs around them, as ASCII has them: amounts, dates and numbers are found
 * in every script. Its length stays the same.
 */
export function withPlainDigits(text: string): string {
  return foreign.test(text) ? text.replaceAll(everyForeign, plainOf) : text;
}

function plainOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x66b) return '.';
  if (code === 0x66c) return ',';
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  // A script's ten digits lie in a row (The Unicode Standard, 4.6), the first of them behind something else.
  let first = code;
  while (code - first < 9 && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String(code - first);
}

/** A document whose words have plain digits. */
export function plainDigits(document: ReadDocument): ReadDocument {
  const isForeign = (words: readonly Word[]) => words.some(({ text }) => foreign.test(text));
  if (!document.pages.some((page) => page.readings.some(({ words }) => isForeign(words)) || isForeign(page.words))) {
    return document;
  }
  const plain = (words: readonly Word[]) => words.map((word) => ({ ...word, text: withPlainDigits(word.text) }));
  return {
    ...document,
    pages: document.pages.map((page) => ({
      ...page,
      words: plain(page.words),
      readings: page.readings.map((reading) => ({ ...reading, words: plain(reading.words) })),
    })),
  };
}
