import type { Word } from '../document.ts';
import { documentTypes } from '../types/registry.ts';
import { foldText } from './date.ts';

/** Every field's captions of every type, folded and without punctuation. */
const captions: ReadonlySet<string> = new Set(
  documentTypes.flatMap((type) => type.fields.flatMap((field) => field.captions.map(captionText))),
);

const longestCaption = Math.max(1, ...[...captions].map((caption) => caption.split(' ').length));

/** A caption as captions are compared: lower case, no accents, no punctuation, blanks folded. */
export function captionText(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\d%#&/ ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The number of characters that a field's caption takes at the start of a line, the blank behind it included; 0 without one. */
export function captionPrefixEnd(words: readonly Word[]): number {
  let end = 0;
  let offset = 0;
  let joined = '';
  for (const word of words.slice(0, longestCaption)) {
    joined += `${joined === '' ? '' : ' '}${word.text}`;
    offset += word.text.length + 1;
    if (captions.has(captionText(joined))) end = offset;
  }
  return end;
}
