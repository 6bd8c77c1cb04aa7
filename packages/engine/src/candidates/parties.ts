import type { Layout, TextLine } from '@millrace/document-model';
import { neighboursOf, visualRows } from '../layout/neighbours.ts';
import { lineOf } from '../layout/text-lines.ts';
import { isPairOfWords, isStreetLine } from './address-lines.ts';
import { captionPrefixEnd } from './caption-prefix.ts';
import { spansIn } from './line-findings.ts';
import { fold, type PlacedCandidate, placed } from './placed.ts';
import { repairLetters } from './repair.ts';
import { hasLetters, shapeOf } from './shape.ts';
import { companyEndOf, detailStart, isDetail, spansOf } from './spans.ts';

/** Bounds on what one document may propose, against hostile pages. */
const addressLines = 8;
const addressLimit = 1500;
const nameJoinLines = 3;

/** Lines of one visual row with no more than this many heights between them may be one text that was set wide. */
const rowGap = 3;

/** A line, or several side by side as one. */
interface Run {
  readonly line: TextLine;
  /** The layout's own lines that it is made of, from left to right. */
  readonly parts: readonly TextLine[];
}

/**
 * Names of people and organizations: lines and their usual parts (behind a caption, before a registration number), wide
 * set words side by side, and at the top of a page up to three lines below each other.
 */
export function proposeNames(lines: readonly TextLine[], layout: Layout): PlacedCandidate[] {
  const candidates: PlacedCandidate[] = [];
  const runs = runsOf(layout);
  for (const line of lines) {
    if (line.text.length > 2000) continue;
    for (const span of spansIn(line)) {
      const value = nameValue(line.text.slice(span.start, span.end), line);
      if (!isName(value)) continue;
      const organization = placed('organization', value, span.quality, layout, [line], span.start, span.end);
      candidates.push(organization, { ...organization, kind: 'name' });
    }
  }
  const seen = new Set<Run>();
  for (const line of lines) {
    const run = runs.get(line)!;
    if (seen.has(run)) continue;
    seen.add(run);
    const page = layout.document.pages.find(({ number }) => number === line.page);
    if (!page || line.box.y0 > page.height * 0.4) continue;
    proposeJoined(run, runs, layout, candidates);
  }
  return candidates;
}

function proposeJoined(
  first: Run,
  runs: ReadonlyMap<TextLine, Run>,
  layout: Layout,
  candidates: PlacedCandidate[],
): void {
  const stretch: Run[] = [];
  let next: Run | null = first;
  while (next && stretch.length < nameJoinLines && isName(next.line.text) && !next.line.text.includes('@')) {
    stretch.push(next);
    const parts = stretch.flatMap((run) => run.parts);
    const before = stretch.slice(0, -1).map(({ line }) => line.text);
    if (before.join(' ').length > 90) return;
    if (parts.length > 1) {
      for (const span of spansOf(next.line.text)) {
        if (span.start > 0) continue;
        const value = nameValue([...before, next.line.text.slice(0, span.end)].join(' '), first.line).replace(
          /[\s,;:*-]+$/,
          '',
        );
        if (!isName(value)) continue;
        const ended = partsUntil(next, span.end);
        const lines = [...stretch.slice(0, -1).flatMap((run) => run.parts), ...ended.parts];
        candidates.push(
          placed('organization', value, (stretch.length > 1 ? 0.4 : 0.6) * span.quality, layout, lines, 0, ended.end),
        );
      }
    }
    next = runBelow(runs, layout, next, 1.2);
  }
}

/** The parts of a run up to one of its characters, and that character's place in the last of them. */
function partsUntil({ parts }: Run, end: number): { parts: readonly TextLine[]; end: number } {
  let offset = 0;
  const taken: TextLine[] = [];
  for (const part of parts) {
    taken.push(part);
    if (end <= offset + part.text.length) return { parts: taken, end: end - offset };
    offset += part.text.length + 1;
  }
  return { parts: taken, end: taken.at(-1)!.text.length };
}

/** Addresses: stretches of one to eight lines below each other, cut before a telephone or tax number, that have a digit and letters. */
export function proposeAddresses(lines: readonly TextLine[], layout: Layout): PlacedCandidate[] {
  const candidates: PlacedCandidate[] = [];
  const runs = runsOf(layout);
  const alone = new Map(lines.map((line) => [line, { line, parts: [line] }]));
  const seen = new Set<Run>();
  for (const line of lines) {
    proposeStretches(alone.get(line)!, alone, layout, candidates, false);
    const run = runs.get(line)!;
    if (!seen.has(run)) proposeStretches(run, runs, layout, candidates, true);
    seen.add(run);
    if (candidates.length > addressLimit) break;
  }
  return candidates;
}

/** @param wide proposes only stretches in which a run has several parts, the others having been proposed. */
function proposeStretches(
  first: Run,
  runs: ReadonlyMap<TextLine, Run>,
  layout: Layout,
  candidates: PlacedCandidate[],
  wide: boolean,
): void {
  if (wide && !isWideBelow(first, runs, layout)) return;
  const { text, words } = first.line;
  const starts = [0];
  const caption = captionPrefixEnd(words);
  if (caption > 0 && caption < text.length) starts.push(caption);
  const colon = /:(?!\d\d)/.exec(text);
  if (colon && colon.index + 3 < text.length && colon.index + 1 !== caption) starts.push(colon.index + 1);
  const separator = / [·•|–-] |, /.exec(text);
  if (separator) starts.push(separator.index + separator[0].length);
  const company = companyEndOf(text);
  if (company > 0 && !starts.includes(company)) starts.push(company);
  for (const from of starts) {
    const start = from + (/^[\s:;,.*-]*/.exec(text.slice(from))?.[0].length ?? 0);
    const stretch: Run[] = [];
    let joined = '';
    let run: Run | null = first;
    while (run && stretch.length < addressLines) {
      const { detail, endsAbove, endsHere } = addressEnd(run.line);
      if (endsAbove) break;
      stretch.push(run);
      const end = detail > 0 ? detail : run.line.text.length;
      const part = withoutCountryCode(run.line.text.slice(stretch.length === 1 ? start : 0, end).trim());
      joined += joined === '' ? part : /[,.;:/&-]$/.test(joined) ? ` ${part}` : `, ${part}`;
      const value = addressText(joined, first.line);
      if (value.length > 260) break;
      if (
        isAddress(value) &&
        (!wide || stretch.some(({ parts }) => parts.length > 1)) &&
        !hasNameAboveStreet(stretch)
      ) {
        const ended = partsUntil(run, end);
        const begun = partsFrom(stretch[0]!, start);
        const lines =
          stretch.length === 1
            ? begun.parts.filter((part) => ended.parts.includes(part))
            : [...begun.parts, ...stretch.slice(1, -1).flatMap(({ parts }) => parts), ...ended.parts];
        if (lines.length > 0)
          candidates.push(
            placed('address', value, /\d{4,}/.test(value) ? 0.9 : 0.5, layout, lines, begun.start, ended.end),
          );
      }
      if (endsHere) break;
      run = runBelow(runs, layout, run, 1.8);
    }
  }
}

function hasNameAboveStreet(stretch: readonly Run[]): boolean {
  return stretch.some(({ line }, at) => {
    const below = stretch[at + 1]?.line.text;
    return below !== undefined && isPairOfWords(line.text) && isStreetLine(below);
  });
}

interface AddressEnd {
  /** Where a detail that is in no address begins; -1 without one. */
  readonly detail: number;
  readonly endsAbove: boolean;
  readonly endsHere: boolean;
}

const addressEnds = new WeakMap<TextLine, AddressEnd>();

/** Whether a line, or a detail in it, ends an address: above the line, or with it. */
function addressEnd(line: TextLine): AddressEnd {
  let end = addressEnds.get(line);
  if (!end) {
    const detail = detailStart(line.text);
    end = {
      detail,
      endsAbove: detail === 0 || isDetail(line.text),
      endsHere: detail > 0 || isAmountLine(line.text),
    };
    addressEnds.set(line, end);
  }
  return end;
}

/** Whether any run that an address from this one on may reach has several parts. */
function isWideBelow(first: Run, runs: ReadonlyMap<TextLine, Run>, layout: Layout): boolean {
  let run: Run | null = first;
  for (let count = 0; run && count < addressLines; count += 1) {
    if (run.parts.length > 1) return true;
    run = runBelow(runs, layout, run, 1.8);
  }
  return false;
}

/** The parts of a run from one of its characters on, and that character's place in the first of them. */
function partsFrom({ parts }: Run, start: number): { parts: readonly TextLine[]; start: number } {
  let offset = 0;
  for (const [index, part] of parts.entries()) {
    if (start <= offset + part.text.length) return { parts: parts.slice(index), start: Math.max(0, start - offset) };
    offset += part.text.length + 1;
  }
  return { parts, start: 0 };
}

/** An address of joined lines, without the marks at its ends. */
function addressText(joined: string, line: TextLine): string {
  const text = fold(joined)
    .replace(/^[\s,;:*-]+/, '')
    .replace(/[\s;:*-]+$/, '');
  return isRecognised(line) ? repairLetters(text) : text;
}

/** A country's code before the postal code (`DE 80333 München`) says what the country's own line or the rest of the page does. */
export function withoutCountryCode(text: string): string {
  return text.replace(/(?<=^|[,·•|–-] )(?:(?!DX)[A-Z]{2} |(?!DX|LT|LV)[A-Z]{2}-|D-|A-|F-)(?=\d{4,5} \p{L})/gu, '');
}

function nameValue(text: string, line: TextLine): string {
  const folded = fold(text);
  return isRecognised(line) ? repairLetters(folded) : folded;
}

function isRecognised(line: TextLine): boolean {
  return line.words[0]?.source.startsWith('ocr:') ?? false;
}

function isAddress(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && hasLetters(value, 5);
}

function isAmountLine(text: string): boolean {
  return /\d[.,]\d{2}\s*(?:[A-Z€$]{1,3})?$/.test(text) && !/\p{L}{4,}/u.test(text);
}

function isName(value: string): boolean {
  if (value.length > 90 || value.length < 2) return false;
  const { letters, inked } = shapeOf(value);
  return letters >= 1 && letters * 2 >= inked;
}

const runsByLayout = new WeakMap<Layout, ReadonlyMap<TextLine, Run>>();

/** Each line with those beside it that stand near enough to be the same text. */
function runsOf(layout: Layout): ReadonlyMap<TextLine, Run> {
  let runs = runsByLayout.get(layout);
  if (!runs) {
    const found = new Map<TextLine, Run>();
    for (const row of visualRows(layout)) {
      let parts: TextLine[] = [];
      const finish = () => {
        if (parts.length === 0) return;
        const line =
          parts.length === 1
            ? parts[0]!
            : lineOf(
                parts[0]!.page,
                parts.flatMap(({ words }) => words),
              );
        const run = { line, parts };
        for (const part of parts) found.set(part, run);
        parts = [];
      };
      for (const line of row) {
        const last = parts.at(-1);
        const height = line.box.y1 - line.box.y0;
        if (last && (line.box.x0 - last.box.x1 > rowGap * height || parts.length >= 8)) finish();
        parts.push(line);
      }
      finish();
    }
    runs = found;
    runsByLayout.set(layout, runs);
  }
  return runs;
}

/** The next run of the same column, if it follows within `gap` heights. */
function runBelow(runs: ReadonlyMap<TextLine, Run>, layout: Layout, run: Run, gap: number): Run | null {
  let nearest: TextLine | null = null;
  for (const part of run.parts) {
    const { below } = neighboursOf(layout, part);
    if (below && (!nearest || below.box.y0 < nearest.box.y0)) nearest = below;
  }
  if (!nearest) return null;
  const { box } = run.line;
  const height = Math.max(box.y1 - box.y0, nearest.box.y1 - nearest.box.y0);
  return nearest.box.y0 - box.y1 <= gap * height ? (runs.get(nearest) ?? null) : null;
}
