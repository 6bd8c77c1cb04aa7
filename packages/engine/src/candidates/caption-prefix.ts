import type { Word } from '../document.ts';
import { documentTypes } from '../types/registry.ts';
import { foldText } from './date.ts';

/** Every field's captions of every type, folded and without punctuation. */
const captions: ReadonlySet<string> = new Set(
  documentTypes.flatMap((type) => type.fields.flatMap((field) => field.captions.map(captionText))),
);

const longestCaption = Math.max(1, ...[...captions].map((caption) => caption.split(' ').length));

const longestText = Math.max(1, ...[...captions].map((caption) => caption.length));

/** A caption as captions are compared: lower case, no accents, no punctuation, blanks folded. */
function captionText(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\d%#&/ ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const ends = new WeakMap<readonly Word[], number>();

/** The number of characters that a field's caption takes at the start of a line, the blank behind it included; 0 without one. */
export function captionPrefixEnd(words: readonly Word[]): number {
  let end = ends.get(words);
  if (end === undefined) {
    end = findEnd(words);
    ends.set(words, end);
  }
  return end;
}

function findEnd(words: readonly Word[]): number {
  let end = 0;
  let offset = 0;
  let joined = '';
  for (const word of words.slice(0, longestCaption)) {
    const text = captionText(word.text);
    if (text !== '') joined += `${joined === '' ? '' : ' '}${text}`;
    if (joined.length > longestText) break;
    offset += word.text.length + 1;
    if (captions.has(joined)) end = offset;
  }
  return end;
}
