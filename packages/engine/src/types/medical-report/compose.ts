import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { letterHeight } from '../../compose/names.ts';
import { type Section, sectionsOf } from '../../compose/sections.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';

/** The diagnosis and the summary of a medical report, by their headings. */
export function composeMedicalReport({ type, layout }: Findings): ComposedFields {
  const inTables = new Set(
    layout.tables
      .flatMap((table) => [...(table.header ? [table.header] : []), ...table.rows])
      .flatMap((row) => row.cells.flatMap((cell) => cell.words)),
  );
  const sections = sectionsOf(type, ['diagnosis', 'summary'], layout);
  const textOf = (field: string): ExtractedValue | null => {
    for (const section of sections) {
      if (section.field !== field || inTables.has(section.heading.words[0]!)) continue;
      const value = paragraphOf(section, (line) => line.words.some((word) => inTables.has(word)));
      if (value) return value;
    }
    return null;
  };
  return { diagnosis: textOf('diagnosis'), summary: textOf('summary'), patient_name: indexedName(layout) };
}

/** The patient as laboratories file one, without a caption at the head of the first page: `MAJOR, MARY L`. */
function indexedName(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  const line = layout.lines.find(
    ({ text, page: number, box }) =>
      number === page?.number &&
      box.y0 < 0.4 * page.height &&
      /^\p{Lu}[\p{Lu}'’-]+, ?\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.?)?$/u.test(text),
  );
  return line ? composedValue(line.text, 70, [{ line }]) : null;
}

/** The text under a heading up to the first wide gap, another caption or a table. */
function paragraphOf(section: Section, isTable: (line: TextLine) => boolean): ExtractedValue | null {
  const stretches: Stretch[] = [];
  const texts: string[] = [];
  if (section.rest) {
    stretches.push({ line: section.heading, start: section.rest.start });
    texts.push(section.rest.text);
  }
  let previous = section.heading;
  for (const { text, lines } of section.rows.slice(0, 40)) {
    const line = lines[0]!;
    const gap = (line.box.y0 - previous.box.y1) / letterHeight(previous);
    const apart = line.page !== previous.page || gap > (texts.length === 0 ? 2.2 : 0.9);
    if (apart || lines.some(isTable) || /^[\p{L} ]{3,30}:\s*\S/u.test(text)) break;
    for (const part of lines) stretches.push({ line: part });
    texts.push(text);
    previous = line;
  }
  const text = texts.join(' ').trim();
  if (!/\p{L}{3}/u.test(text)) return null;
  return composedValue(text, text.length > 8 ? 80 : 60, stretches);
}
