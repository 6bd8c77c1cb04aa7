import type { Word } from '@millrace/document-model';
import { boxAround, median } from './geometry.ts';

const letter = /^\p{L}$/u;
/** Fewer letters with blanks between them may be anything: initials, or columns that are called A, B and C. */
const leastLetters = 4;
/** The widest blank between letters of one word, of their height. */
const widestBlank = 1.2;
/** How much wider than between its letters the blank behind a word is. */
const wordBlank = 1.6;

/**
 * A line's words with those made one whose letters are spread, as in titles and logos: `G R I L L   H O U S E`.
 *
 * @param words in their order
 */
export function joinSpreadLetters(words: readonly Word[]): readonly Word[] {
  if (words.length < leastLetters) return words;
  const joined: Word[] = [];
  let run: Word[] = [];
  const endRun = () => {
    joined.push(...(run.length < leastLetters ? run : wordsOf(run)));
    run = [];
  };
  for (const word of words) {
    if (letter.test(word.text)) run.push(word);
    else {
      endRun();
      joined.push(word);
    }
  }
  endRun();
  return joined.length === words.length ? words : joined;
}

function wordsOf(letters: readonly Word[]): readonly Word[] {
  const blanks = letters.slice(1).map(({ box }, at) => Math.max(box.x0 - letters[at]!.box.x1, 0));
  const usual = median(blanks);
  const height = median(letters.map(({ box }) => box.y1 - box.y0));
  if (usual > widestBlank * height) return letters;
  const groups: Word[][] = [[letters[0]!]];
  for (const [at, word] of letters.slice(1).entries()) {
    if (blanks[at]! > wordBlank * usual + 0.1 * height) groups.push([word]);
    else groups.at(-1)!.push(word);
  }
  return groups.map((group) => (group.length === 1 ? group[0]! : wordOf(group)));
}

function wordOf(letters: readonly Word[]): Word {
  const [first] = letters as [Word];
  const confidence = Math.min(...letters.map((each) => each.confidence));
  const least = letters.flatMap(({ leastConfidence }) => (leastConfidence === undefined ? [] : [leastConfidence]));
  return {
    ...first,
    text: letters.map(({ text }) => text).join(''),
    box: boxAround(letters),
    confidence,
    ...(least.length > 0 && { leastConfidence: Math.min(...least) }),
  };
}
