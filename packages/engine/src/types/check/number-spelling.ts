import { withoutOneLetter } from '../../candidates/near-words.ts';
import { numberWords } from '../../compose/number-words.ts';
import { amountOfWords } from './amount-of-words.ts';

/** Words of amounts that OCR misreads in handwriting. */
const words = [...Object.keys(numberWords), 'hundred', 'thousand', 'lakh', 'and', 'only', 'dollars', 'pounds'];

const wordsByForm = new Map<string, Set<string>>();
for (const word of words) {
  // The sign that some typefaces have for `fi` is not read at all.
  for (const form of [...withoutOneLetter(word), word.replace('fi', '')]) {
    wordsByForm.set(form, (wordsByForm.get(form) ?? new Set()).add(word));
  }
}

/** More misread words leave too little of an amount. */
const mostMisread = 2;
const longestText = 120;

/**
 * An amount in words of which OCR misread one or two, put right so that they say an amount that stands elsewhere in
 * figures: `Two hundred fonty and no/100`. Null where no such amount does.
 */
export function respelled(text: string, isPrinted: (amount: number) => boolean): string | null {
  if (text.length > longestText) return null;
  const all = [...text.matchAll(/\p{L}{3,}/gu)];
  const misread = all.filter(([word]) => !words.includes(word.toLowerCase()));
  const isAmount = all.some(([word]) => word.toLowerCase() in numberWords || /^(?:hundred|thousand)$/i.test(word));
  if (misread.length === 0 || misread.length > mostMisread || !isAmount) return null;
  let texts = [{ text, shift: 0 }];
  for (const match of misread) {
    const near = new Set(
      withoutOneLetter(match[0].toLowerCase()).flatMap((form) => [...(wordsByForm.get(form) ?? [])]),
    );
    texts = texts.flatMap((each) =>
      [...near].map((word) => ({
        text: `${each.text.slice(0, match.index + each.shift)}${inCaseOf(match[0], word)}${each.text.slice(match.index + each.shift + match[0].length)}`,
        shift: each.shift + word.length - match[0].length,
      })),
    );
  }
  const stated = texts.filter((each) => {
    const amount = amountOfWords(each.text);
    return amount !== null && amount > 0 && isPrinted(amount);
  });
  return stated.length === 1 ? stated[0]!.text : null;
}

function inCaseOf(read: string, word: string): string {
  if (read === read.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(read) ? word[0]!.toUpperCase() + word.slice(1) : word;
}
