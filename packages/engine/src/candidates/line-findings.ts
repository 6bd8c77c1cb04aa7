import type { TextLine } from '../document.ts';
import { findNumbers } from './amount.ts';
import { findIbans } from './bank.ts';
import { captionPrefixEnd } from './caption-prefix.ts';
import { findCountries } from './country.ts';
import { findCurrencies } from './currency.ts';
import { findDates } from './date.ts';
import { spansOf } from './spans.ts';
import { findTaxIds } from './tax-id.ts';

/** A function of a line that is worked out once for each line and kept as long as the line is. */
export function oncePerLine<Result>(find: (line: TextLine) => Result): (line: TextLine) => Result {
  const known = new WeakMap<TextLine, { readonly result: Result }>();
  return (line) => {
    let entry = known.get(line);
    if (!entry) {
      entry = { result: find(line) };
      known.set(line, entry);
    }
    return entry.result;
  };
}

/** What the recognisers find in a line that several stages look at: the locale's decision, the candidates, the rows. */
export const numbersIn = oncePerLine(({ text }) => findNumbers(text));
export const datesIn = oncePerLine(({ text }) => findDates(text));
export const currenciesIn = oncePerLine(({ text }) => findCurrencies(text));
export const countriesIn = oncePerLine(({ text }) => findCountries(text));
export const ibansIn = oncePerLine(({ text }) => findIbans(text));
export const taxIdsIn = oncePerLine(({ text }) => findTaxIds(text));

/** The line's spans, with what stands behind its caption. */
export const spansIn = oncePerLine(({ text, words }) => spansOf(text, captionPrefixEnd(words)));
