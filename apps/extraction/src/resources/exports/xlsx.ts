import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Cell, CellKind, ExportColumn, ExportTable } from './table.ts';

/** Of a sheet (ECMA-376; Excel's specifications and limits), the headings among them. */
const mostSheetRows = 1_048_576;
const mostCellCharacters = 32_767;

/**
 * An export as an Office Open XML workbook (ECMA-376), written as its rows arrive: no more than one batch of documents
 * is in memory. Rows that a sheet has no room for go on in a further sheet.
 *
 * @param sheetName at most 25 characters
 * @param sheetRows rows of a sheet, the headings among them
 */
export async function* xlsxOf<Document>(
  table: Pick<ExportTable, 'columns'> & { readonly rowsOf: (document: Document) => readonly (readonly Cell[])[] },
  batches: AsyncIterable<readonly Document[]>,
  { sheetName, sheetRows = mostSheetRows }: { readonly sheetName: string; readonly sheetRows?: number },
): AsyncGenerator<Uint8Array> {
  const archive = new Archive();
  const names: string[] = [];
  const letters = table.columns.map((_column, index) => columnLetters(index));
  let rowNumber = 0;

  const begin = () => {
    names.push(names.length === 0 ? sheetName : `${sheetName} ${names.length + 1}`);
    archive.open(`xl/worksheets/sheet${names.length}.xml`);
    archive.write(sheetStart(table.columns));
    archive.write(headingRow(table.columns, letters));
    rowNumber = 1;
  };
  const end = () => archive.close(sheetEnd(letters.at(-1) ?? 'A', rowNumber));

  begin();
  for await (const documents of batches) {
    let text = '';
    for (const row of documents.flatMap(table.rowsOf)) {
      if (rowNumber === sheetRows) {
        archive.write(text);
        text = '';
        end();
        begin();
      }
      rowNumber++;
      text += rowXml(row, table.columns, letters, rowNumber);
    }
    archive.write(text);
    yield* archive.taken();
  }
  end();
  for (const [path, content] of workbookParts(names)) {
    archive.open(path);
    archive.close(content);
  }
  archive.end();
  yield* archive.taken();
}

/** A ZIP archive of which one entry after the other is written and deflated. */
class Archive {
  #chunks: Uint8Array[] = [];
  #entry: ZipDeflate | null = null;
  readonly #zip = new Zip((error, chunk) => {
    if (error) throw error;
    this.#chunks.push(chunk);
  });

  open(path: string): void {
    this.#entry = new ZipDeflate(path, { level: 6 });
    this.#zip.add(this.#entry);
  }

  write(text: string): void {
    if (text !== '') this.#entry?.push(strToU8(text));
  }

  close(text: string): void {
    this.#entry?.push(strToU8(text), true);
  }

  end(): void {
    this.#zip.end();
  }

  /** What is finished of the archive since the last call. */
  taken(): readonly Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }
}

const xmlStart = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Numbers of the formats in `cellXfs` below. */
const styles = { plain: 0, heading: 1, date: 2, moment: 3, amount: 4 } as const;

const styleOfKind: Readonly<Record<CellKind, number>> = {
  text: styles.plain,
  number: styles.plain,
  date: styles.date,
  moment: styles.moment,
  amount: styles.amount,
};

const stylesXml =
  `${xmlStart}<styleSheet xmlns="${main}">` +
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  '<numFmt numFmtId="166" formatCode="#,##0.00##"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  [164, 165, 166]
    .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** Every part of the workbook but its sheets. */
function workbookParts(sheetNames: readonly string[]): readonly (readonly [path: string, content: string])[] {
  const sheets = sheetNames.map((name, index) => ({ name, number: index + 1 }));
  const stylesId = `rId${sheets.length + 1}`;
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  return [
    [
      'xl/workbook.xml',
      `${xmlStart}<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets>` +
        sheets.map(({ name, number }) => `<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`).join('') +
        '</sheets></workbook>',
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${xmlStart}<Relationships xmlns="${relations}">` +
        sheets
          .map(
            ({ number }) =>
              `<Relationship Id="rId${number}" Type="${officeRelations}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
          )
          .join('') +
        `<Relationship Id="${stylesId}" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', stylesXml],
    [
      '_rels/.rels',
      `${xmlStart}<Relationships xmlns="${relations}">` +
        `<Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${xmlStart}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>` +
        sheets
          .map(
            ({ number }) =>
              `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${contentType}.worksheet+xml"/>`,
          )
          .join('') +
        '</Types>',
    ],
  ];
}

/** Characters that a column is wide. */
const widths: Readonly<Record<CellKind, number>> = { text: 22, number: 12, amount: 14, date: 12, moment: 20 };

function sheetStart(columns: readonly ExportColumn[]): string {
  const cols = columns.map(({ kind }, index) => {
    const number = index + 1;
    return `<col min="${number}" max="${number}" width="${widths[kind]}" customWidth="1"/>`;
  });
  return (
    `${xmlStart}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${cols.join('')}</cols><sheetData>`
  );
}

function sheetEnd(lastColumn: string, lastRow: number): string {
  return `</sheetData><autoFilter ref="A1:${lastColumn}${lastRow}"/></worksheet>`;
}

function headingRow(columns: readonly ExportColumn[], letters: readonly string[]): string {
  const cells = columns.map(({ heading }, index) => textCell(`${letters[index]}1`, heading, styles.heading));
  return `<row r="1">${cells.join('')}</row>`;
}

function rowXml(
  row: readonly Cell[],
  columns: readonly ExportColumn[],
  letters: readonly string[],
  rowNumber: number,
): string {
  const cells = row.map((cell, index) => cellXml(cell, columns[index]!.kind, `${letters[index]}${rowNumber}`));
  return `<row r="${rowNumber}">${cells.join('')}</row>`;
}

function cellXml(cell: Cell, kind: CellKind, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return numberCell(place, cell, kind === 'amount' ? styles.amount : styles.plain);
  const serial = kind === 'date' || kind === 'moment' ? serialOf(cell) : null;
  return serial === null ? textCell(place, cell, styles.plain) : numberCell(place, serial, styleOfKind[kind]);
}

function numberCell(place: string, value: number, style: number): string {
  return `<c r="${place}" s="${style}"><v>${value}</v></c>`;
}

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

const dayMs = 86_400_000;
/** Day 0 of a workbook. Excel takes 1900 for a leap year, so that days are counted right from March 1900 on only. */
const dayZeroMs = Date.UTC(1899, 11, 30);
const firstRightSerial = 61;

/** A day, or a moment in UTC, as workbooks count it; null where it is neither, or before March 1900. */
function serialOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text)) return null;
  const ms = Date.parse(text);
  // Of 31 February, `Date.parse` makes a day of March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text.slice(0, 10))) return null;
  const serial = (ms - dayZeroMs) / dayMs;
  return serial < firstRightSerial ? null : serial;
}

/** Text within an element, without what XML 1.0 has no place for. `_x0041_` is an escape in workbooks. */
function xmlText(text: string): string {
  const short = text.length > mostCellCharacters ? `${text.slice(0, mostCellCharacters - 1)}…` : text;
  return short
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** `A` to `Z`, `AA` and so on, from 0. */
function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
