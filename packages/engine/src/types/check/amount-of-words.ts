import { numberWords } from '../../compose/number-words.ts';

/** Words that end a group of digits; a lakh and a crore are India's. */
const largeNumberWords: Readonly<Record<string, number>> = {
  thousand: 1_000,
  lakh: 100_000,
  lakhs: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
  crores: 10_000_000,
};

/** What an amount is counted in, and its hundredths. */
export const majorUnit =
  /^(?:dollars?|pounds?|euros?|rupees?|pesos?|ringgit|naira|shillings?|rand|dirhams?|riyals?|takas?|cedis?|kwacha|baht)$/;

const minorUnit =
  /^(?:cents?|c|pence|penny|p|paise|paisa|centavos?|sen|kobo|fils|halalas?|poisha|pesewas?|ngwee|satang)$/;

/** Whose unit it is, and what stands about an amount: `US Dollars`, `Ringgit Malaysia`. */
const besidesNumbers = /^(?:and|only|exactly|us|canadian|singapore|malaysia|sterling|philippine)$/;

/** A nought of the hundredths that OCR takes for a letter: `5op`. */
export const noughtAsLetter = /(?<=(?<![\p{L}\d])\d)[oO](?=p?(?![\p{L}\d]))/gu;

/**
 * The amount that English words say, such as `One hundred five and 50/100` or `Two thousand euro, fifty cent only`; null
 * where they say none.
 */
export function amountOfWords(text: string): number | null {
  const cents = /(?:and|&)?\s*(\d{1,2}|no|xx)\s*\/\s*100/i.exec(text);
  const plain = (cents ? text.slice(0, cents.index) : text).replace(noughtAsLetter, '0').toLowerCase();
  // OCR takes a nought for a letter.
  const words = plain.replace(/(?<![a-z\d])[0o]{2}(?![a-z\d])/g, '00').match(/[a-z]+|\d+/g) ?? [];
  let total = 0;
  let group = 0;
  let known = 0;
  let major: number | null = null;
  let hundredths: number | null = null;
  for (const word of words) {
    if (word in numberWords) group += numberWords[word]!;
    else if (word === 'hundred') group *= 100;
    else if (word in largeNumberWords) {
      total += group * largeNumberWords[word]!;
      group = 0;
    } else if (majorUnit.test(word) && major === null) {
      if (known > 0) major = total + group;
      [total, group] = [0, 0];
      continue;
    } else if (minorUnit.test(word) && major !== null && hundredths === null && total + group < 100) {
      hundredths = total + group;
      [total, group] = [0, 0];
    } else if (/^\d{1,2}$/.test(word) && major !== null && group === 0) group = Number(word);
    else if (besidesNumbers.test(word)) continue;
    else return null;
    known += 1;
  }
  // What stands behind the unit and is not called hundredths is no amount, such as a number of lines.
  if (known === 0 || (major !== null && total + group > 0)) return null;
  return (major ?? total + group) + (hundredths ?? 0) / 100 + (cents ? (Number(cents[1]) || 0) / 100 : 0);
}
