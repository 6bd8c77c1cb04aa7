import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasStreet, isStreetLine } from '../../candidates/address-lines.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf, rowOf } from '../../layout/neighbours.ts';

/** Bounds on hostile pages. */
const lineLimit = 200;
const mostRows = 8;
const confidence = 84;

/** The caption of a part of an address, with the part behind it in the same line or in a column of its own. */
const partCaption = (word: string) => new RegExp(`^${word}\\s*(?::|$)\\s*`, 'iu');
const [address, city, state] = [partCaption('(?:branch )?address'), partCaption('city'), partCaption('state')];
const otherCaption = /^\p{Lu}[\p{L}/. ]{2,20}:/u;

/** What stands at a caption's right, without the colon that may begin it. */
interface Part {
  readonly line: TextLine;
  readonly start: number;
  readonly text: string;
}

/**
 * The branch's address in a column of captions with its town apart, as India's banks print it: `Address : 4 Mill Road`, more
 * of it below, `City : PUNE 411004`, `State : MAHARASHTRA`. Null where there is no such column.
 */
export function branchAddress(layout: Layout): ExtractedValue | null {
  for (const caption of layout.lines.slice(0, lineLimit)) {
    const first = address.test(caption.text) ? partAt(caption, address, layout) : null;
    if (!first) continue;
    const below = [first.line];
    while (below.length < mostRows) {
      const next = neighboursOf(layout, below.at(-1)!).below;
      if (!next || next.page !== caption.page) break;
      below.push(next);
    }
    const towns = layout.lines.filter(
      (line) => line.page === caption.page && city.test(line.text) && Math.abs(line.box.x0 - caption.box.x0) < 3,
    );
    const town = towns.find((line) => line.box.y0 > caption.box.y0);
    const townPart = town && partAt(town, city, layout);
    if (!town || !townPart) continue;
    const streets = [
      first,
      ...below
        .slice(1)
        .filter((line) => line.box.y1 < town.box.y1 - 2)
        .map(wholeLine),
    ];
    const bare = streets.filter(
      ({ text }, at) => at > 0 || isStreetLine(text) || /\d/.test(text) || streets.length < 2,
    );
    const under = neighboursOf(layout, town).below;
    const province = under && state.test(under.text) ? partAt(under, state, layout) : null;
    const parts = [...bare, townPart, ...(province ? [province] : [])];
    const text = parts.map((part) => part.text.replace(/[,\s]+$/, '')).join(', ');
    if (!hasStreet(text) && !bare.some((part) => isStreetLine(part.text))) continue;
    return composedValue(
      text,
      confidence,
      parts.map(({ line, start }) => ({ line, start, end: line.text.length })),
    );
  }
  return null;
}

function partAt(caption: TextLine, pattern: RegExp, layout: Layout): Part | null {
  const [own = ''] = pattern.exec(caption.text) ?? [];
  const behind = caption.text.slice(own.length);
  if (behind !== '') return { line: caption, start: own.length, text: behind };
  const { right } = neighboursOf(layout, caption);
  return right && rowOf(layout, caption).includes(right) && !otherCaption.test(right.text) ? wholeLine(right) : null;
}

function wholeLine(line: TextLine): Part {
  const [mark] = /^[:\s]*/.exec(line.text)!;
  return { line, start: mark.length, text: line.text.slice(mark.length) };
}
