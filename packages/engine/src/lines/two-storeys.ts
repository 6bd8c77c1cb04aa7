import { boxAround, overlap } from '../layout/geometry.ts';
import { boundariesOf, splitRow, textOf } from './columns.ts';
import { type Captions, type Header, type Heading, headingsOf, type Row } from './header.ts';
import type { Item } from './items.ts';

/** How far above an item's numbers the row that says what it is may stand, in heights of its line. */
const rowGap = 1.5;
/** In how many of the items a row above says what they are. */
const namedShare = 0.6;

/**
 * Gives items what stands in the row above their numbers, where a header of two rows has the columns of both: `Item
 * Material Description` above `Order qty. Unit Price Net value`.
 */
export function takeUpperRows(
  items: readonly Item[],
  header: Header,
  body: readonly Row[],
  { rows, captions }: { readonly rows: readonly Row[]; readonly captions: Captions },
): void {
  const bare = items.filter(({ texts }) => !texts.has('description'));
  const columns = bare.length < namedShare * items.length ? null : upperColumns(header, rows, captions);
  if (!columns) return;
  const uppers = bare.flatMap((item) => {
    const row = rowAbove(item, body, items[items.indexOf(item) - 1]);
    return row ? [{ item, row }] : [];
  });
  if (uppers.length < namedShare * items.length) return;
  const upperBody = uppers.map(({ row }) => row);
  const boundaries = boundariesOf({ ...header, headings: columns.headings }, upperBody);
  const split = uppers.map(({ item, row }) => ({ item, row: splitRow(row, boundaries, () => false) }));
  const codes = split.map(({ row }) => textOf(row.cells[columns.description - 1] ?? []));
  const isCoded =
    codes.every((code) => /\d/.test(code)) && !codes.every((code, at) => Number(code) === (at + 1) * Number(codes[0]));
  for (const { item, row } of split) {
    const [code, words] = [columns.description - 1, columns.description].map((column) => row.cells[column] ?? []);
    if (words!.length > 0) item.texts.set('description', [{ page: row.page, words: words! }]);
    if (isCoded && !item.texts.has('product_code')) item.texts.set('product_code', [{ page: row.page, words: code! }]);
  }
}

interface UpperColumns {
  readonly headings: readonly Heading[];
  readonly description: number;
}

/** The columns of a header's upper row, which say what an item is and stand over those of its numbers; null where they do not. */
function upperColumns(header: Header, rows: readonly Row[], captions: Captions): UpperColumns | null {
  const [upper, lower] = [header.firstRow - 1, header.firstRow].map((at) =>
    (rows[at] ?? []).flatMap((line) => headingsOf(line, captions)),
  ) as [Heading[], Heading[]];
  const description = upper.findLastIndex(({ names }) => names.includes('description'));
  const height = (upper[0]?.box.y1 ?? 0) - (upper[0]?.box.y0 ?? 0);
  const isNear = upper.length > 1 && lower.length > 1 && lower[0]!.box.y0 - upper[0]!.box.y1 < rowGap * height;
  const isStacked = upper.some(
    ({ names, box }) =>
      names.length > 0 &&
      lower.some((other) => {
        const isOther = other.names.length > 0 && !other.names.some((name) => names.includes(name));
        return isOther && overlap(box.x0, box.x1, other.box.x0, other.box.x1) > 0;
      }),
  );
  if (!isNear || description < 0 || !isStacked || lower.some(({ names }) => names.includes('description'))) return null;
  return { headings: upper, description };
}

function rowAbove(item: Item, body: readonly Row[], before: Item | undefined): Row | null {
  const above = body.findLast(
    ([line]) => line && line.page === item.page && (line.box.y0 + line.box.y1) / 2 < item.top,
  );
  const box = above && boxAround(above);
  if (!above || !box || !above.some(({ text }) => /\p{L}{2}/u.test(text))) return null;
  const isNear = item.top - box.y1 < rowGap * (box.y1 - box.y0);
  return isNear && !(before && before.page === item.page && box.y0 <= before.top) ? above : null;
}
