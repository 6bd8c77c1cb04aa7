import type { Box, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import {
  hasPlace,
  hasStreet,
  isEstateLine,
  isMalaysianState,
  isStreetLine,
  stateCodes,
} from '../../candidates/address-lines.ts';
import { countryOf } from '../../candidates/country.ts';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import { repairedText } from '../../candidates/repair.ts';
import { detailStart, isDetail } from '../../candidates/spans.ts';
import { isOrganizationName, letterHeight } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { boxAround } from '../../layout/geometry.ts';
import { visualRows } from '../../layout/neighbours.ts';
import { isOfCustomer, isTitledPerson, topOfFirstSum } from './head.ts';

/** Below what the scorer thinks of an address that it found. */
const confidence = 56;
/** Rows of a head, and of an address, at the most. */
const headRows = 20;
const longestAddress = 6;
/** Letters that much larger are a name's. */
const largerName = 1.35;

interface Row {
  readonly lines: readonly TextLine[];
  readonly text: string;
  readonly box: Box;
}

/**
 * The one address at the head of a receipt as the rows that go on below each other from a street to the last that names a
 * place, or to the shop's telephone and numbers, whatever stands above them. Of several it is the one above
 * the receipt's title; null where none is.
 */
export function addressOfRows(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  const end = topOfFirstSum(layout);
  const rows = visualRows(layout)
    .filter(([line]) => line!.page === page?.number && line!.box.y0 < end)
    .slice(0, headRows)
    .map((lines): Row => ({ lines, text: lines.map(({ text }) => text.trim()).join(' '), box: boxAround(lines) }));
  const found: (readonly Row[])[] = [];
  let at = 1;
  while (at < rows.length) {
    const address = startsAddress(rows, at) ? addressFrom(rows, at) : [];
    if (address.length > 0) found.push(address);
    at += Math.max(1, address.length);
  }
  const [first, second] = found;
  const isFirst = first && (!second || rows.slice(rows.indexOf(first.at(-1)!), rows.indexOf(second[0]!)).some(isTitle));
  return isFirst ? addressOf(first) : null;
}

const day = /\d[/.-](?:\d{1,2}|\p{L}{3,9})[/.-](?:19|20)?\d\d(?!\d)/u;

/** Below a receipt's title and its date stands the customer's address. */
function isTitle({ text }: Row): boolean {
  return isHeading(text) || isFormPhrase(text) || day.test(text);
}

/** How far apart the words of a line may be, in its heights. */
const widestGap = 2.5;

/** Whether a row is a line with wide gaps at the most, and no columns side by side. */
function isOneLine({ lines }: Row): boolean {
  return lines.every(({ box }, at) => at === 0 || box.x0 - lines[at - 1]!.box.x1 <= widestGap * (box.y1 - box.y0));
}

/** What says that an address follows: `HQ ADD: LOT 11, JALAN KAPAR`. */
const addressCaption = /^(?:(?:hq|shop|store|outlet|branch) )?add(?:r|ress)?\b\.?[ :]+/iu;

/** Lots, units and houses as Malaysia and Singapore number them: `Lot NO : 20`, `No: G3`. */
const lot = /^(?:lot|p\.?t|no|unit|shop|suite|level|bl(?:oc)?k)\b[ .:]*(?:no\b[ .:]*)?#?(?:\p{L}{1,2}[ .-]{0,2})?\d/iu;

function startsAddress(rows: readonly Row[], at: number): boolean {
  const [above, row, below] = [rows[at - 1]!, rows[at]!, rows[at + 1]];
  const text = row.text.replace(addressCaption, '');
  const isEstate = isEstateLine(text) && below !== undefined && isStreetLine(below.text);
  const isStreet =
    isEstate || lot.test(text) || (isStreetLine(text) && !isCode(text)) || (hasPlace(text) && hasStreet(text));
  return (
    isStreet &&
    isOneLine(row) &&
    isPart(text) &&
    !isOfCustomer(above.text) &&
    !isTitledPerson(above.text) &&
    !(below && heightOf(row) > largerName * heightOf(below))
  );
}

/** A place that looks like a number with its street: `41150 Klang, Selangor`, `4785-123 Trofa`. */
function isCode(text: string): boolean {
  return /^\d{4,5}(?:-\d{3})? /.test(text) && hasPlace(text) && !hasStreet(text);
}

/** The rows from a street to its place; none where nothing shows that they are an address. */
function addressFrom(rows: readonly Row[], start: number): readonly Row[] {
  const isOwnPlace = (row: Row, at: number) => isCoded(row.text) && (at > 0 || hasStreet(row.text));
  // Behind a postal code only a region or a country goes on.
  const isEnded = (at: number) => /\d/.test(rows[at]!.text) && rows.slice(start, at).some(isOwnPlace);
  const isOwn = (row: Row, at: number) => isOneLine(row) && isPart(row.text) && goesOn(rows, at) && !isEnded(at);
  let end = start + 1;
  while (end < rows.length && end - start < longestAddress && isOwn(rows[end]!, end)) end += 1;
  const own = rows.slice(start, end);
  const place = own.findLastIndex(({ text }) => isPlace(text));
  if (place >= 0) return own.slice(0, place + 1);
  const next = rows[end];
  const isParted = own.length > 1 || /\p{L}, ?\p{Lu}|\d,? [-–] \p{Lu}\p{Ll}{2}/u.test(own[0]!.text);
  return next && isParted && goesOn(rows, end) && isContact(next.text) ? own : [];
}

function goesOn(rows: readonly Row[], at: number): boolean {
  const [upper, lower] = [rows[at - 1]!.box, rows[at]!.box];
  const height = Math.max(upper.y1 - upper.y0, lower.y1 - lower.y0);
  const offset = Math.min(Math.abs(upper.x0 - lower.x0), Math.abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) / 2);
  return lower.y0 - upper.y1 <= height && offset <= 1.5 * height;
}

/** Whether a row may be a part of an address: neither a caption, a number, a date nor a title. */
function isPart(text: string): boolean {
  return (
    (/\p{L}{2}/u.test(text) || /^\d{5}$/.test(text)) &&
    text.length <= 70 &&
    !/[@%$€£]|\p{L}# ?\d|www\.|^\(.{3,}\)$|\d[:.]\d\d(?!\d)/iu.test(text) &&
    !day.test(text) &&
    (!text.includes(':') || lot.test(text)) &&
    !isContact(text) &&
    isOrganizationName(text) !== 'legal_form' &&
    !isHeading(text) &&
    !isFormPhrase(text)
  );
}

/** Whether a row is the telephone or a number of a shop, as they stand below its address. */
function isContact(text: string): boolean {
  return isDetail(text) || detailStart(text) >= 0;
}

/** A postal code before or behind its town, in whatever form. */
const codeWithTown = /(?<![\d-])\d{5}[,.]? ?\p{L}{2}|\p{L}{3}[,.]? ?\d{5}[.,]?$|(?<!\p{L})S ?\(?\d{6}\)?$|^\d{5}$/u;

function isCoded(text: string): boolean {
  return hasPlace(text) || (codeWithTown.test(text.replace(/[\s.,]+$/, '')) && !lot.test(text));
}

function isPlace(text: string): boolean {
  const bare = text.replace(/[\s.,]+$/, '');
  return (
    hasPlace(bare) ||
    isMalaysianState(bare.slice(bare.lastIndexOf(',') + 1)) ||
    codeWithTown.test(bare) ||
    countryOf(bare) !== null ||
    hasState(bare)
  );
}

/** A town with its state and without a postal code: `JUNCTION CITY KS`. */
function hasState(text: string): boolean {
  const [, code = ''] = /^\p{Lu}[\p{L} .'’-]{2,30}[, ]+([A-Z]{2})$/u.exec(text) ?? [];
  return stateCodes.has(code);
}

function addressOf(rows: readonly Row[]): ExtractedValue {
  const lines = rows.flatMap((row) => row.lines);
  const texts = rows.map((row) =>
    row.lines
      .map((line) => repairedText(line).trim())
      .join(' ')
      .replace(/[\s,;]+$/, ''),
  );
  const [first, ...rest] = texts;
  // A narrow roll leaves the postal code for the next row.
  const address = [first!.replace(addressCaption, ''), ...rest].join(', ').replace(/, (?=\d{5}$)/u, ' ');
  return composedValue(
    address,
    confidence,
    lines.map((line) => ({ line })),
  );
}

function heightOf({ lines }: Row): number {
  return Math.max(...lines.map(letterHeight));
}
