import type { Box, TextLine, Word } from '@millrace/document-model';
import { boxAround, overlap } from '../layout/geometry.ts';
import type { ColumnDefinition } from '../types/definition.ts';
import { captionForm, isUnpriced } from './vocabulary.ts';

/** One heading of a table; `names` are the columns that its caption may stand for, empty where none is known. */
export interface Heading {
  readonly names: readonly string[];
  readonly text: string;
  readonly words: readonly Word[];
  readonly box: Box;
}

/** A table's header: which of the document's visual rows it takes, and its headings from left to right. */
export interface Header {
  /** False for the header of another kind of table, where the one before ends. */
  readonly accepted: boolean;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly headings: readonly Heading[];
}

export type Row = readonly TextLine[];

/** Captions in the form in which they are compared, each with the columns that it may stand for. */
export type Captions = ReadonlyMap<string, readonly string[]>;

const captionWordLimit = 6;
const headerRowLimit = 5;
const rowLengthLimit = 60;
const rowWordLimit = 150;

const gathered = new WeakMap<readonly ColumnDefinition[], Captions>();

/**
 * Gathers the captions of column definitions and of pseudo columns that the reader of rows knows of. Made once for a
 * type's columns, which always come with the same pseudo columns.
 */
export function gatherCaptions(
  definitions: readonly ColumnDefinition[],
  ...pseudo: readonly Pick<ColumnDefinition, 'name' | 'captions'>[]
): Captions {
  const known = gathered.get(definitions);
  if (known) return known;
  const captions = new Map<string, string[]>();
  for (const { name, captions: texts } of [...definitions, ...pseudo]) {
    for (const text of texts) {
      const form = captionForm(text) || text.trim();
      // `Netto-Preis` and `Nettopreis` are one caption.
      for (const key of new Set([form, form.replaceAll(' ', '')])) {
        const names = captions.get(key);
        if (!names) captions.set(key, [name]);
        else if (!names.includes(name)) names.push(name);
      }
    }
  }
  gathered.set(definitions, captions);
  return captions;
}

/**
 * Finds the headers of tables among a document's visual rows: rows of captions without amounts, over up to five
 * printed rows where captions are broken.
 *
 * @param accepts whether columns of these names, and perhaps one of none that is known, make a table of the kind that is
 * looked for; other headers are given with `accepted` false.
 */
export function findHeaders(
  rows: readonly Row[],
  captions: Captions,
  accepts: (names: ReadonlySet<string>, hasUnknown: boolean) => boolean,
): Header[] {
  const headers: Header[] = [];
  let taken = -1;
  for (let at = 0; at < rows.length; at++) {
    const whole = rows[at] as Row;
    if (at <= taken || whole.length > rowLengthLimit || (whole.length === 1 && (whole[0] as TextLine).words.length < 3))
      continue;
    const row = whole.filter((line) => !hasFigures(line));
    if (row.some(({ text }) => statedPattern.test(text))) continue;
    if (row.length < wideTable && row.some(({ text }) => isUnpriced(text))) continue;
    if (row.length === 0 || row.length < whole.length - 1) continue;
    if (row.reduce((sum, line) => sum + line.words.length, 0) > rowWordLimit) continue;
    const own = row.flatMap((line) => headingsOf(line, captions));
    const isLikely = own.some((heading) => heading.names.length > 0);
    const spelt = isLikely ? own.map((heading) => misspelt(heading, captions)) : own;
    const known = new Set(spelt.flatMap((heading) => heading.names)).size;
    // A value beside the table may stand at its header's height.
    const isBeside = row.length < whole.length;
    const header = known >= (isBeside ? 3 : 2) ? withBrokenCaptions(rows, at, own, captions, taken) : null;
    const hasUnknown =
      header?.headings.some(({ names, text }) => names.length === 0 && /\p{L}{3}/u.test(text)) ?? false;
    if (header && accepts(new Set(header.headings.flatMap((heading) => heading.names)), hasUnknown)) {
      headers.push(header);
      taken = header.lastRow;
    } else if (
      !isBeside &&
      !isBelow(row, rows[taken]) &&
      known >= 1 &&
      row.length >= 3 &&
      row.every((line) => line.words.length <= 3)
    ) {
      headers.push({ accepted: false, firstRow: at, lastRow: at, headings: spelt });
      taken = at;
    }
  }
  return headers;
}

/** How many headings in a row are captions, though one of them is `Free`: what was given on top, as wholesalers list it. */
const wideTable = 6;

/** A caption with its value is none of a header: `State Name : Maharashtra, Code : 27`. */
const statedPattern = /:\s*\S/;

/** Whether a row stands right below the last row of a header, whose captions then go on in it. */
function isBelow(row: Row, last: Row | undefined): boolean {
  const [a, b] = [row[0], last?.[0]];
  if (!a || !b || a.page !== b.page) return false;
  return a.box.y0 - b.box.y1 < 2 * (a.box.y1 - a.box.y0);
}

/** Whether rows are the repeat of a header, as a table has it on every page. */
export function isSameHeader(a: Header, b: Header): boolean {
  return (
    a.headings.length === b.headings.length && a.headings.every((heading, at) => heading.text === b.headings[at]?.text)
  );
}

/** Whether a line has an amount, a long number or nothing but a number in it, as no heading has. */
function hasFigures(line: TextLine): boolean {
  return /^\d+$/.test(line.text) || line.words.some((word) => /\d[.,]\d\d|\d{4,}/.test(word.text));
}

/**
 * The headings in one line of text. Words part where the gap is wider than a blank or where a caption ends and another
 * begins; what is no caption stays a heading of its own, so that its column is known.
 */
export function headingsOf(line: TextLine, captions: Captions): Heading[] {
  const whole = namesOf(line.text, captions);
  if (whole.length > 0) return [{ names: whole, text: captionForm(line.text), words: line.words, box: line.box }];
  const pieces: { words: Word[]; names: readonly string[]; isPlain: boolean }[] = [];
  let at = 0;
  while (at < line.words.length) {
    let found: readonly string[] = [];
    let length = 1;
    for (let count = Math.min(captionWordLimit, line.words.length - at); count >= 1; count--) {
      const names = namesOf(
        line.words
          .slice(at, at + count)
          .map((word) => word.text)
          .join(' '),
        captions,
      );
      if (names.length > 0) {
        found = names;
        length = count;
        break;
      }
    }
    const words = line.words.slice(at, at + length);
    const last = pieces.at(-1);
    // Two captions of other columns are two headings however near; other words part at a gap wider than a blank.
    const isOther =
      last?.isPlain &&
      last.words.at(-1)?.text !== '/' &&
      found.length > 0 &&
      !found.some((name) => last.names.includes(name));
    if (last && !isOther && !hasGap(last.words.at(-1) as Word, words[0] as Word)) {
      last.words.push(...words);
      last.isPlain = false;
      if (last.names.length === 0) last.names = found;
    } else {
      pieces.push({ words: [...words], names: found, isPlain: found.length > 0 });
    }
    at += length;
  }
  return pieces.map(({ words, names }) => {
    const text = words.map((word) => word.text).join(' ');
    const exact = namesOf(text, captions);
    return {
      names: exact.length > 0 ? exact : names.length > 0 ? names : namesWithin(text, captions),
      text: captionForm(text),
      words,
      box: boxAround(words),
    };
  });
}

function hasGap(a: Word, b: Word): boolean {
  // `Part number / Description` is one heading.
  if (a.text === '/' || b.text === '/') return b.box.x0 - a.box.x1 > a.box.y1 - a.box.y0;
  return b.box.x0 - a.box.x1 > 0.38 * Math.max(a.box.y1 - a.box.y0, b.box.y1 - b.box.y0);
}

function namesOf(text: string, captions: Captions): readonly string[] {
  const form = captionForm(text) || text.trim();
  const bare = form.replace(taxation, '');
  return (
    captions.get(form) ??
    captions.get(form.replaceAll(' ', '')) ??
    (bare === '' || bare === form ? undefined : captions.get(bare)) ??
    []
  );
}

/** What headings of prices say of the tax in them, behind the caption: `EP netto`, `P.U. HT`, `Rate excl. GST`. */
const taxation =
  / (?:netto|brutto|net|gross|h ?t|t ?t ?c|hors taxes?|(?:excl?|incl?|inkl|exkl|ex|zzgl|sin|con|senza)(?: (?:vat|gst|tax|mwst|ust|btw|iva|tva))?)$/u;

/** What a caption of several words may stand for by one of its words, the last first: `Material/Beschreibung`. */
function namesWithin(text: string, captions: Captions): readonly string[] {
  for (const word of captionForm(text).split(' ').reverse()) {
    const names = word.length >= 4 ? captions.get(word) : undefined;
    if (names) return names;
  }
  return [];
}

/** A heading whose caption OCR misread by one letter. */
function misspelt(heading: Heading, captions: Captions): Heading {
  if (heading.names.length > 0 || heading.text.length < 6 || heading.text.length > 30) return heading;
  for (const [caption, names] of captions) {
    if (Math.abs(caption.length - heading.text.length) <= 1 && isOneEditApart(caption, heading.text))
      return { ...heading, names };
  }
  return heading;
}

function isOneEditApart(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}

/**
 * The header with those headings parted that stand so near together that they were read as one: where the body has two
 * columns below.
 */
export function partHeadings(header: Header, body: readonly Row[], captions: Captions): Header {
  const rows = body.filter((row) => row.filter((line) => /\d/.test(line.text)).length >= 2).slice(0, 50);
  const headings = header.headings.flatMap((heading, at) => {
    if (heading.words.length < 2 || rows.length === 0) return [heading];
    const left = header.headings[at - 1];
    const right = header.headings[at + 1];
    const from = left ? (left.box.x1 + heading.box.x0) / 2 : heading.box.x0 - 1;
    const to = right ? (heading.box.x1 + right.box.x0) / 2 : heading.box.x1 + 1;
    const twofold = rows.filter(
      (row) => row.filter(({ box, text }) => box.x1 > from && box.x0 < to && /\d/.test(text)).length >= 2,
    );
    if (twofold.length < 0.6 * rows.length) return [heading];
    for (let count = 1; count < heading.words.length; count++) {
      const parts = [heading.words.slice(0, count), heading.words.slice(count)].map((words): Heading => {
        const text = words.map((word) => word.text).join(' ');
        return {
          names: namesOf(text, captions),
          text: captionForm(text),
          words,
          box: boxAround(words),
        };
      });
      const [first, second] = parts as [Heading, Heading];
      if (first.names.length > 0 && second.names.length > 0 && second.box.x0 >= first.box.x1) return parts;
    }
    return [heading];
  });
  return { ...header, headings };
}

/** Adds the rows right above and below a row of captions, where their lines stand over or under its headings. */
function withBrokenCaptions(
  rows: readonly Row[],
  at: number,
  own: readonly Heading[],
  captions: Captions,
  taken: number,
): Header {
  const stacks = own.map((heading) => ({ lines: [heading] }));
  const isPart = (row: Row, neighbour: Row): boolean => {
    const a = row[0] as TextLine;
    const b = neighbour[0] as TextLine;
    if (a.page !== b.page || row.length > rowLengthLimit || !mayBePart(row)) return false;
    const height = Math.max(a.box.y1 - a.box.y0, b.box.y1 - b.box.y0);
    const distance = Math.abs((a.box.y0 + a.box.y1 - b.box.y0 - b.box.y1) / 2);
    // Captions of parts of a column stand further below: `IGST` over `%` and `Amt`.
    const isCaptions = row.every(({ text }) => namesOf(text, captions).length > 0);
    return distance < (isCaptions ? 2.4 : 1.7) * height;
  };
  let firstRow = at;
  let lastRow = at;
  while (
    lastRow + 1 < rows.length &&
    lastRow - at < headerRowLimit &&
    isPart(rows[lastRow + 1] as Row, rows[lastRow] as Row)
  )
    lastRow++;
  while (
    firstRow - 1 > taken &&
    at - firstRow < headerRowLimit &&
    isPart(rows[firstRow - 1] as Row, rows[firstRow] as Row)
  )
    firstRow--;
  for (const row of [...rows.slice(firstRow, at).toReversed(), ...rows.slice(at + 1, lastRow + 1)]) {
    for (const line of row) {
      for (const heading of headingsOf(line, captions)) {
        const under = stacks.filter((stack) =>
          stack.lines.some(({ box }) => overlap(box.x0, box.x1, heading.box.x0, heading.box.x1) > 0),
        );
        // A title alone above the captions is none: `Professional Services` above `Date`, `Hours` and `Amount`.
        const isNoCaption =
          heading.names.every((name) => name === 'description') && namesOf(heading.text, captions).length === 0;
        const isTitle = row.length === 1 && isNoCaption && rows.indexOf(row) < at;
        if (under.length === 1) under[0]?.lines.push(heading);
        else if (under.length === 0 && !isTitle) stacks.push({ lines: [heading] });
      }
    }
  }
  const headings = stacks.map(({ lines }): Heading => {
    const sorted = lines.toSorted((a, b) => a.box.y0 - b.box.y0);
    const text = captionForm(sorted.map((line) => line.text).join(' '));
    const joined = captions.get(text) ?? captions.get(text.replaceAll(' ', '')) ?? [];
    const [first] = lines;
    const names =
      joined.length > 0
        ? joined
        : first && first.names.length > 0
          ? first.names
          : (sorted.find((line) => line.names.length > 0)?.names ?? []);
    return { names, text, words: sorted.flatMap((line) => line.words), box: boxAround(sorted) };
  });
  const spelt = headings.map((heading) => misspelt(heading, captions));
  return {
    accepted: true,
    firstRow,
    lastRow,
    headings: spelt.sort((a, b) => a.box.x0 + a.box.x1 - b.box.x0 - b.box.x1),
  };
}

/** Short texts without figures, and not a sentence. */
function mayBePart(row: Row): boolean {
  return row.every((line) => line.words.length <= 4 && !/\d/.test(line.text) && !/:|[!?]$/.test(line.text));
}
