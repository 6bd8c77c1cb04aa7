import type { Word } from '@millrace/document-model';
import { documentTypes } from '../types/registry.ts';
import { foldText } from './date.ts';

const isCaptionText = /^[\p{L}\d%#&/]*$/u;

/** Every field's captions of every type, folded and without punctuation. */
const captions: ReadonlySet<string> = new Set(
  documentTypes.flatMap((type) => type.fields.flatMap((field) => field.captions.map(captionText))),
);

const longestCaption = Math.max(1, ...[...captions].map((caption) => caption.split(' ').length));

/** The captions and all that they begin with up to a blank. */
const beginnings: ReadonlySet<string> = new Set(
  [...captions].flatMap((caption) => {
    const words = caption.split(' ');
    return words.map((_, index) => words.slice(0, index + 1).join(' '));
  }),
);

/** A caption as captions are compared: lower case, no accents, no punctuation, blanks folded. */
function captionText(text: string): string {
  const folded = foldText(text);
  if (isCaptionText.test(folded)) return folded;
  return folded
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
    if (joined !== '' && !beginnings.has(joined)) break;
    offset += word.text.length + 1;
    if (captions.has(joined)) end = offset;
  }
  return end;
}
