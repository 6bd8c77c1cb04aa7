import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';

/** A cell as a reader sees it: text, or a number with the format that it is shown in. */
interface ReadCell {
  readonly text?: string;
  readonly number?: number;
  readonly format?: string;
}

export interface ReadSheet {
  readonly name: string;
  /** By column from A; undefined where a row has no cell. */
  readonly rows: readonly (readonly (ReadCell | undefined)[])[];
}

/** Reads a workbook by its XML, as a spreadsheet would. Throws where a part is missing or is not well-formed. */
export function readWorkbook(bytes: Uint8Array): ReadSheet[] {
  const parts = unzipSync(bytes);
  const textOf = (path: string) => {
    const part = parts[path];
    if (!part) throw new Error(`The workbook lacks ${path}.`);
    return new TextDecoder().decode(part);
  };
  elementsOf(textOf('[Content_Types].xml'), 'Override');
  const targets = new Map(
    elementsOf(textOf('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ Id, Target }) => [Id, Target]),
  );
  const formats = formatsOf(textOf('xl/styles.xml'));
  return elementsOf(textOf('xl/workbook.xml'), 'sheet').map((sheet) => ({
    name: sheet.name ?? '',
    rows: rowsOf(textOf(`xl/${targets.get(sheet['r:id'])}`), formats),
  }));
}

type Attributes = Readonly<Record<string, string>>;

function elementsOf(xml: string, name: string): Attributes[] {
  const found: Attributes[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    if (tag.name === name) found.push(tag.attributes as Attributes);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return found;
}

/** The format of each style of cells. */
function formatsOf(styles: string): string[] {
  const codes = new Map(elementsOf(styles, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]));
  const cellStyles = /<cellXfs.*<\/cellXfs>/s.exec(styles)?.[0] ?? '';
  return elementsOf(cellStyles, 'xf').map(({ numFmtId }) => codes.get(numFmtId) ?? 'General');
}

function rowsOf(xml: string, formats: readonly string[]): (ReadCell | undefined)[][] {
  const rows: (ReadCell | undefined)[][] = [];
  let cell: Attributes = {};
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'row') rows.push([]);
    if (name === 'c') cell = attributes as Attributes;
    if (name === 't' || name === 'v') text = '';
    if (name === 'f') throw new Error(`The cell ${cell.r} has a formula.`);
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', ({ name }) => {
    if (name !== 'c') return;
    const row = rows.at(-1)!;
    while (row.length < columnOf(cell.r ?? '')) row.push(undefined);
    row.push(
      cell.t === 'inlineStr' ? { text } : { number: Number(text), format: formats[Number(cell.s)] ?? 'General' },
    );
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return rows;
}

/** From 0. */
function columnOf(place: string): number {
  const letters = place.replace(/\d+$/, '');
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
