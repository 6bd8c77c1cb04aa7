import type { TextLine } from '@millrace/document-model';
import { median } from './geometry.ts';
import { lineOf } from './text-lines.ts';

/** The widest blank between the words of such a line, in heights of its letters. */
const widest = 2.9;
/** How far a blank may be off the usual one of its address, as a share of that. */
const tolerance = 0.3;
/** Blanks that show that they are of one width. */
const leastBlanks = 3;
/** Lines of an address, and rows that its next line is looked for in. */
const addressLines = 5;
const rowsAbove = 2;

/** Pieces of a row, from left to right, with nothing but wide blanks between them. */
interface Chain {
  readonly row: number;
  readonly pieces: readonly TextLine[];
  readonly blanks: readonly number[];
}

/**
 * Rows of lines with those of an address made whole whose words stand two or three blanks apart, as payroll services
 * print it for the window of an envelope: rows below one another at one left edge, the last of which ends with an
 * American postal code, and whose blanks are all of one width, as the columns of a table never are.
 *
 * @param rows of a page, from top to bottom, each from left to right
 */
export function joinWideBlanks(rows: readonly (readonly TextLine[])[]): TextLine[][] {
  const chains = rows.map((row, at) => chainsOf(row, at));
  const whole = new Map<TextLine, TextLine>();
  const gone = new Set<TextLine>();
  for (const last of chains.flat()) {
    if (!endsWithCode(last)) continue;
    const address = addressAbove(last, chains);
    const blanks = address.flatMap((chain) => chain.blanks);
    const usual = median(blanks);
    if (blanks.length < leastBlanks || blanks.some((blank) => Math.abs(blank - usual) > tolerance * usual)) continue;
    for (const { pieces } of address) {
      whole.set(
        pieces[0]!,
        lineOf(
          pieces[0]!.page,
          pieces.flatMap(({ words }) => words),
        ),
      );
      for (const piece of pieces.slice(1)) gone.add(piece);
    }
  }
  return whole.size === 0
    ? rows.map((row) => [...row])
    : rows.map((row) => row.filter((line) => !gone.has(line)).map((line) => whole.get(line) ?? line));
}

function chainsOf(row: readonly TextLine[], at: number): readonly Chain[] {
  const chains: { row: number; pieces: TextLine[]; blanks: number[] }[] = [];
  for (const line of row) {
    const open = chains.at(-1);
    const before = open?.pieces.at(-1);
    const blank = before ? line.box.x0 - before.box.x1 : Infinity;
    const isNear = before !== undefined && blank > 0 && blank < widest * Math.max(height(line), height(before));
    if (open && isNear) {
      open.pieces.push(line);
      open.blanks.push(blank);
    } else chains.push({ row: at, pieces: [line], blanks: [] });
  }
  return chains.filter(({ pieces }) => pieces.length > 1 && pieces.every(isOfAddress));
}

/** An amount or a caption's colon is none of an address. */
function isOfAddress({ text }: TextLine): boolean {
  return !/[\d,]\.\d\d(?!\d)|:$/.test(text);
}

function endsWithCode({ pieces }: Chain): boolean {
  return /\p{Lu}{2},? \d{5}(?:-\d{4})?$/u.test(pieces.map(({ text }) => text).join(' '));
}

/** The chains of an address from its last one up: each right above the next, at the same left edge. */
function addressAbove(last: Chain, chains: readonly (readonly Chain[])[]): readonly Chain[] {
  const address = [last];
  while (address.length < addressLines) {
    const below = address[0]!;
    const line = below.pieces[0]!;
    const above = chains
      .slice(Math.max(0, below.row - rowsAbove), below.row)
      .flat()
      .findLast(
        ({ pieces: [first] }) =>
          Math.abs(first!.box.x0 - line.box.x0) < 0.5 * height(line) &&
          line.box.y0 - first!.box.y1 < 1.6 * height(line),
      );
    if (!above) break;
    address.unshift(above);
  }
  return address;
}

const height = ({ box }: TextLine) => box.y1 - box.y0;
