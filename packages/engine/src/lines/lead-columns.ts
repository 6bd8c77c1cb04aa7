import type { Item } from './items.ts';
import { placedCount } from './values.ts';

/** How many of a list's items have what stands before their names where it is a column. */
const columnShare = 0.8;
const leastItems = 3;

/** What an article's number is at least, where a till prints it before the name with no heading: four digits are HSN's as well. */
const codeAhead = /^(?=\d*[1-9])\d{4,14}$/;

/**
 * Takes the article's number that stands before the name for the item's code, where nearly all items of a list have one there:
 * of a list whose others have a long one, a short number is one as well.
 */
export function takeCodesAhead(items: readonly Item[]): void {
  const isCoded = (item: Item) => item.texts.has('product_code') || codeOf(item) !== null;
  const coded = items.filter(isCoded);
  if (coded.length < leastItems || coded.length < columnShare * items.length) return;
  for (const item of items) {
    const [first, ...others] = item.texts.get('description') ?? [];
    const code = item.texts.has('product_code') ? null : codeOf(item);
    if (!first || !code) continue;
    item.texts.set('product_code', [{ page: first.page, words: [code] }]);
    item.texts.set('description', [{ page: first.page, words: first.words.slice(1) }, ...others]);
  }
}

function codeOf(item: Item) {
  const [word, ...name] = item.texts.get('description')?.[0]?.words ?? [];
  const isNamed = name.some(({ text }) => /\p{L}{2}/u.test(text));
  return word && isNamed && codeAhead.test(word.text) ? word : null;
}

/** How many different marks a till has for what is taxed, or is food, at the most. */
const mostMarks = 4;

/** Takes the marks of the tax off the ends of names, where they stand in a column before the amounts: `MILK GAL NF 3.29`. */
export function takeMarksBehind(items: readonly Item[]): void {
  const markOf = (item: Item) => {
    const words = item.texts.get('description')?.at(-1)?.words ?? [];
    const last = words.at(-1);
    return words.length > 1 && last && /^\p{Lu}{1,2}$/u.test(last.text) ? last : null;
  };
  const marks = items.flatMap((item) => markOf(item) ?? []);
  const isColumn =
    marks.length >= leastItems &&
    marks.length >= columnShare * items.length &&
    new Set(marks.map(({ text }) => text)).size <= Math.min(mostMarks, marks.length - 1);
  if (!isColumn) return;
  for (const item of items) {
    const pieces = item.texts.get('description') ?? [];
    const last = pieces.at(-1);
    if (last && markOf(item))
      item.texts.set('description', [...pieces.slice(0, -1), { page: last.page, words: last.words.slice(0, -1) }]);
  }
}

/** A count before a name, perhaps with its sign. */
const countAhead = /^[1-9]\d?[xX×]?$/u;

/**
 * Takes the count that stands before an item's name, where all others of the list have theirs there: the number behind the
 * name then is a part of it, as the measure of a glass in `1 House White 250`.
 */
export function takeCountsAhead(items: readonly Item[]): void {
  const startOf = (item: Item) => item.texts.get('description')?.[0]?.words[0];
  const isAhead = (item: Item) => {
    const [count] = item.numbers.get('quantity')?.piece.words ?? [];
    const name = startOf(item);
    return count !== undefined && name !== undefined && count.box.x1 <= name.box.x0;
  };
  const doubtful = items.filter(
    (item) => !isAhead(item) && !item.numbers.has('price_unit') && countAhead.test(startOf(item)?.text ?? ''),
  );
  if (
    doubtful.length === 0 ||
    items.filter(isAhead).length < Math.max(2, columnShare * (items.length - doubtful.length))
  )
    return;
  for (const item of doubtful) {
    const [first, ...others] = item.texts.get('description')!;
    const [count, ...name] = first!.words;
    const measure = item.numbers.get('quantity')?.piece.words ?? [];
    if (name.length === 0) continue;
    item.numbers.set('quantity', placedCount(Number.parseInt(count!.text, 10), first!.page, [count!]));
    item.texts.set('description', [{ page: first!.page, words: [...name, ...measure] }, ...others]);
  }
}
