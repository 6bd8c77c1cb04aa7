import type { Layout, TextLine } from '@millrace/document-model';
import { overlap } from '../layout/geometry.ts';
import { tokensOf } from '../score/captions.ts';
import type { DocumentType } from '../types/definition.ts';
import { letterHeight } from './names.ts';
import type { Stretch } from './value.ts';

/** Lines side by side in one column, read as one: a position and, at the right margin, its period. */
interface SectionRow {
  /** The lines' texts, two blanks between them. */
  readonly text: string;
  readonly lines: readonly TextLine[];
}

/** A part of a document under a heading of its own. */
export interface Section {
  /** The field whose caption the heading is; null for a heading of no field. */
  readonly field: string | null;
  readonly heading: TextLine;
  /** What stands on the heading's line behind it. */
  readonly rest: { readonly start: number; readonly text: string } | null;
  readonly rows: readonly SectionRow[];
}

/**
 * The sections of a document, by headings that are captions of the type's fields: alone on their line, or followed by a
 * colon and text. Where headings stand in columns, each section takes the lines of its own column.
 *
 * @param furtherHeadings captions, as `keyOf` writes them, of sections that belong to no field but end another.
 */
export function sectionsOf(
  type: DocumentType,
  fields: readonly string[],
  layout: Layout,
  furtherHeadings: ReadonlySet<string> = new Set(),
): Section[] {
  const byCaption = new Map<string, string>();
  for (const name of fields) {
    const definition = type.fields.find((field) => field.name === name);
    for (const caption of definition?.captions ?? []) {
      const key = keyOf(caption);
      if (!byCaption.has(key)) byCaption.set(key, name);
    }
  }
  const headings = layout.lines.flatMap((line) => {
    const found = headingOf(line, byCaption, furtherHeadings);
    return found ? [{ line, ...found }] : [];
  });
  const columns = columnStarts(
    headings.map(({ line }) => line),
    layout,
  );
  const columnOf = (line: TextLine) => columns.findLastIndex((start) => line.box.x0 >= start - 2 * letterHeight(line));
  const before = (a: TextLine, b: TextLine) => a.page - b.page || a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0;
  const isHeading = new Set(headings.map(({ line }) => line));
  const byColumn = columns.map((_, column) =>
    layout.lines.filter((line) => !isHeading.has(line) && Math.max(0, columnOf(line)) === column).sort(before),
  );
  return headings.map(({ line, field, rest }): Section => {
    const column = Math.max(0, columnOf(line));
    const next = headings
      .map((other) => other.line)
      .filter((other) => Math.max(0, columnOf(other)) === column && before(other, line) > 0)
      .sort(before)[0];
    const middle = (other: TextLine) => (other.box.y0 + other.box.y1) / 2;
    const own = byColumn[column]!.filter(
      (other) =>
        (other.page > line.page || (other.page === line.page && middle(other) > line.box.y1)) &&
        (!next || other.page < next.page || (other.page === next.page && middle(other) < next.box.y0)),
    );
    return { field, heading: line, rest, rows: rowsOf(own) };
  });
}

/** What a section says row by row, what stands behind its heading first. */
export function sectionTexts(section: Section): { readonly text: string; readonly stretches: readonly Stretch[] }[] {
  return [
    ...(section.rest
      ? [{ text: section.rest.text, stretches: [{ line: section.heading, start: section.rest.start }] }]
      : []),
    ...section.rows.map(({ text, lines }) => ({ text, stretches: lines.map((line) => ({ line })) })),
  ];
}

/** Left edges of the columns in which headings stand: those of the first page, a sixth of its width or more apart. */
function columnStarts(headings: readonly TextLine[], layout: Layout): number[] {
  const width = layout.document.pages[0]?.width ?? 1;
  const starts: number[] = [];
  for (const start of headings.map(({ box }) => box.x0).sort((a, b) => a - b)) {
    const last = starts.at(-1);
    if (last === undefined || start - last > width / 6) starts.push(start);
  }
  return starts.length === 0 ? [0] : starts;
}

/** Lines, from top to bottom, joined where they share most of their height. */
function rowsOf(lines: readonly TextLine[]): SectionRow[] {
  const rows: TextLine[][] = [];
  for (const line of lines) {
    const last = rows.at(-1)?.[0];
    const shared = last && last.page === line.page ? overlap(last.box.y0, last.box.y1, line.box.y0, line.box.y1) : 0;
    if (last && shared > 0.55 * Math.min(letterHeight(last), letterHeight(line))) rows.at(-1)!.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => {
    const parts = row.toSorted((a, b) => a.box.x0 - b.box.x0);
    return { text: parts.map(({ text }) => text).join('  '), lines: parts };
  });
}

/** A caption as headings are compared: its tokens, folded, without blanks. */
export function keyOf(caption: string): string {
  return tokensOf(caption)
    .map(({ text }) => text)
    .join('');
}

function headingOf(
  line: TextLine,
  byCaption: ReadonlyMap<string, string>,
  further: ReadonlySet<string>,
): { field: string | null; rest: Section['rest'] } | null {
  if (line.text.length > 300) return null;
  const colon = line.text.indexOf(':');
  const whole = keyOf(colon === line.text.length - 1 ? line.text.slice(0, -1) : line.text);
  if (line.text.length <= 60) {
    const field = byCaption.get(whole) ?? byCaption.get(whole.replace(/^\d+/, ''));
    if (field !== undefined) return { field, rest: null };
    if (further.has(whole)) return { field: null, rest: null };
  }
  if (colon > 2 && colon < 45) {
    const key = keyOf(line.text.slice(0, colon));
    const field = byCaption.get(key);
    const start = colon + 1 + (/^\s*/.exec(line.text.slice(colon + 1))?.[0].length ?? 0);
    if (field !== undefined)
      return { field, rest: start < line.text.length ? { start, text: line.text.slice(start) } : null };
    if (further.has(key)) return { field: null, rest: null };
  }
  return null;
}
