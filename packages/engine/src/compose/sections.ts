import type { Layout, TextLine } from '../document.ts';
import { tokensOf } from '../score/captions.ts';
import type { DocumentType } from '../types/definition.ts';
import { letterHeight } from './names.ts';

/** A part of a document under a heading of its own. */
export interface Section {
  /** The field whose caption the heading is; null for a heading of no field. */
  readonly field: string | null;
  readonly heading: TextLine;
  /** What stands on the heading's line behind it. */
  readonly rest: { readonly start: number; readonly text: string } | null;
  readonly lines: readonly TextLine[];
}

/**
 * The sections of a document, by headings that are captions of the type's fields: alone on their line, or followed by a
 * colon and text.
 *
 * @param furtherHeadings captions, folded and without blanks, of sections that belong to no field but end another.
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
  const sections: { field: string | null; heading: TextLine; rest: Section['rest']; lines: TextLine[] }[] = [];
  const open: typeof sections = [];
  for (const line of layout.lines) {
    const heading = headingOf(line, byCaption, furtherHeadings);
    if (heading) {
      const section = { field: heading.field, heading: line, rest: heading.rest, lines: [] };
      sections.push(section);
      open.push(section);
      continue;
    }
    // A line belongs to the last heading above it that stands in its column.
    const section = open.findLast(
      ({ heading: own }) =>
        own.page < line.page || (own.box.y0 < line.box.y1 && line.box.x0 > own.box.x0 - 3 * letterHeight(own)),
    );
    const last = open.at(-1);
    (section ?? last)?.lines.push(line);
  }
  return sections;
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
    // Letters set apart: `S K I L L S`.
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
