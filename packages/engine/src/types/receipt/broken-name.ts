import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { isStreetLine } from '../../candidates/address-lines.ts';
import { isHeading } from '../../candidates/headings.ts';
import { composedValue } from '../../compose/value.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';

/** A company's legal form with no name before it. */
const formAlone =
  /^(?:\([mk]l?\) ?)?(?:(?:pte|pty|pvt|sdn|bhd|ltd|limited|inc|llc|gmbh|co|kg|lda|ltda|s\.?r\.?l|s\.?p\.?a|s\.?a\.?r\.?l|s\.?l|b\.?v)\.?(?: ?& ?| |$))+$/iu;
/** What goes on with a name and begins none. */
const formFirst = /^(?:enterprise|trading|sdn|bhd|pte|pty|pvt|co\.|c[po]\.? ?\(m\)|&|and)(?!\p{L})/iu;
/** What a name does not end with. */
const openEnd = /(?:[&+(]|(?<!\p{L})(?:and|und|et|dan))$/iu;
const mostLines = 4;

/** Whether a text is a company's legal form alone, for which a narrow roll had no room beside its name: `Pte Ltd`. */
export function isFormAlone(text: string): boolean {
  return formAlone.test(text.trim());
}

/**
 * The merchant by all lines of its name, of which a narrow roll left some for the next one: what ends with `&` or within
 * parentheses goes on below, and a legal form belongs to what stands above it. None by a legal form alone, or by a name that
 * ends nowhere.
 */
export function withBrokenName(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { merchant_name: name, ...others } = fields;
  const [place, ...more] = name?.provenance ?? [];
  const line = place && more.length === 0 ? layout.lines.find((each) => isOnLine(place, each)) : undefined;
  if (!name || !line) return { ...fields };
  const lines = [line];
  const text = String(name.value).trim();
  const isBegun = () => isBeginning(lines[0]!.text);
  const isClosed = () => isComplete(lines.length > 1 ? textOf(lines) : text);
  while (!isBegun() && lines.length < mostLines) {
    const above = adjoining(layout, lines[0]!, neighboursOf(layout, lines[0]!).above);
    if (above.length === 0) break;
    lines.unshift(...above);
  }
  while (lines.length < mostLines) {
    const below = adjoining(layout, lines.at(-1)!, neighboursOf(layout, lines.at(-1)!).below);
    if (below.length === 0 || (isClosed() && isBeginning(below[0]!.text))) break;
    lines.push(...below);
  }
  if ((isFormAlone(text) && lines.length === 1) || !isClosed()) return others;
  if (lines.length === 1 || !isBegun()) return { ...fields };
  const whole = composedValue(
    textOf(lines),
    name.confidence,
    lines.map((each) => ({ line: each })),
  );
  return { ...fields, merchant_name: whole };
}

function isBeginning(text: string): boolean {
  return !isFormAlone(text) && !formFirst.test(text.trim());
}

function textOf(lines: readonly TextLine[]): string {
  return lines.map(({ text }) => text.trim()).join(' ');
}

function isComplete(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return !openEnd.test(text) && count('(') <= count(')');
}

/** The row of a neighbour that may be of the same name: near, of like size, and nothing else; none otherwise. */
function adjoining(layout: Layout, line: TextLine, other: TextLine | null): readonly TextLine[] {
  if (!other) return [];
  const { row } = neighboursOf(layout, other);
  const text = textOf(row);
  const height = (each: TextLine) => each.box.y1 - each.box.y0;
  const gap = Math.max(line.box.y0 - other.box.y1, other.box.y0 - line.box.y1);
  const isLike = height(other) < 1.6 * height(line) && height(line) < 1.6 * height(other);
  const isOther = /[:@]|\d{3}/.test(text) || isHeading(text) || isStreetLine(text);
  return gap < height(line) && isLike && !isOther ? row : [];
}
