import type {
  Candidate,
  ExtractedRow,
  Extraction,
  Layout,
  Page,
  ReadDocument,
  TextLine,
  ValueKind,
} from '@millrace/document-model';
import { readAndExtract } from '../extract.ts';
import type { ExtractOptions } from '../extract-options.ts';
import { layOut } from '../layout/layout.ts';
import { visualRows } from '../layout/neighbours.ts';
import { decideLocale } from '../locale/locale.ts';
import { candidatesOf } from '../own-types/candidates.ts';
import { placeOnDisplayedPages } from '../read/displayed.ts';
import type { Reader } from '../read/reader.ts';
import { matchCaptions, tokensOf } from '../score/captions.ts';
import { type ScoredField, scoreFields } from '../score/score.ts';
import { learnedCaptions } from '../supplier-memory/learned-captions.ts';
import type { ColumnDefinition, DocumentType, FieldDefinition } from '../types/definition.ts';
import { documentTypeNamed } from '../types/registry.ts';
import { askableFields } from './shape.ts';
import { writeTranscript } from './transcript.ts';

/** What somebody else has to know of a document's type. */
interface AskedType {
  readonly name: string;
  readonly title: string;
  readonly fields: readonly Pick<FieldDefinition, 'name' | 'description' | 'repeated'>[];
  readonly columns: readonly Pick<ColumnDefinition, 'name' | 'description'>[];
}

/** What somebody else is asked about a document. */
export interface Question {
  /** The type that the document is read as. */
  readonly type: AskedType;
  /** Names of the fields that are asked for, in the order of the type. */
  readonly fields: readonly string[];
  /** Whether the line items are asked for. */
  readonly rows: boolean;
  /** The text that they see: see {@link writeTranscript}. */
  readonly transcript: string;
  /** Numbers of the pages whose text was read from a picture. */
  readonly scannedPages: readonly number[];
}

/** The engine's own result, and what to ask beyond it. */
export interface Consultation {
  readonly extraction: Extraction;
  /** Null where there is nothing to ask. */
  readonly question: Question | null;
  /** What an answer is weighed against, without attachments. */
  readonly document: ReadDocument;
}

/** What is asked: every field, or what the engine doubts, with the parts of the document that tell of it. */
export type Scope = 'all' | 'doubtful';

/**
 * Extracts a document, and prepares the question to somebody else. Nothing is asked where an embedded e-invoice says
 * what the document says.
 *
 * @throws EngineError as `extract` does.
 */
export async function consult(
  bytes: Uint8Array,
  options: ExtractOptions,
  scope: Scope,
  reader: Reader,
): Promise<Consultation> {
  const { extraction, document } = await readAndExtract(bytes, options, reader);
  const question = extraction.sources.includes('embedded')
    ? null
    : askAbout(document, extraction, options.fields, scope, { known: options });
  return {
    extraction: placeOnDisplayedPages(extraction, document),
    question,
    document: { ...document, attachments: [] },
  };
}

/** Below this the engine doubts a value: of those given more, some 99 in 100 are right. */
const sureConfidence = 85;
/**
 * Kinds with a higher threshold: an address or a phone number sometimes begins or ends at the wrong word, or belongs to
 * the other party, as a tax number may, and nothing on the page shows it.
 */
const partyKinds: ReadonlySet<ValueKind> = new Set(['address', 'phone', 'tax_id']);
const partyMargin = 5;
/** Below this a cell is doubtful; rows are requested again if more than this share of their cells is. */
const sureCellConfidence = 75;
const doubtfulCellShare = 0.25;
/** A field that was not found is doubted where its candidates together have this probability, or its caption stands there. */
const doubtedAbsence = 0.1;
/** Candidates of a field whose places are shown. */
const shownCandidates = 3;

interface AskOptions {
  /** What is known beside the document. */
  readonly known?: Pick<ExtractOptions, 'ownTypes' | 'senders'>;
  /** The confidence below which a value is doubted, where the scope is what the engine doubts. */
  readonly sure?: number;
}

/** A type without what only the engine needs; a field or column that says nothing of itself is described by its name. */
function askedType({ columns, fields, name, title }: DocumentType): AskedType {
  const described = <Item extends { readonly name: string; readonly description: string }>(item: Item) =>
    item.description.trim() === '' ? item.name.replaceAll('_', ' ') : item.description;
  return {
    name,
    title,
    fields: fields.map((field) => ({
      name: field.name,
      description: described(field),
      ...(field.repeated && { repeated: true }),
    })),
    columns: columns.map((column) => ({ name: column.name, description: described(column) })),
  };
}

/**
 * The question about a document; null where there is nothing to ask.
 *
 */
export function askAbout(
  document: ReadDocument,
  extraction: Extraction,
  only: readonly string[] | null,
  scope: Scope,
  { known = {}, sure = sureConfidence }: AskOptions = {},
): Question | null {
  const { docType } = extraction;
  const type = documentTypeNamed(docType, known.ownTypes, learnedCaptions(docType, known.senders ?? []));
  const wanted = askableFields(type).filter(({ name }) => only === null || only.includes(name));
  const rowsName = type.rows === 'lines' ? 'lines' : 'items';
  const rowsWanted = type.rows !== 'none' && (only === null || only.includes(rowsName));
  const layout = layOut(document);
  const scannedPages = document.pages.filter(isScanned).map(({ number }) => number);
  if (scope === 'all') {
    if (wanted.length === 0 && !rowsWanted) return null;
    return {
      type: askedType(type),
      fields: wanted.map(({ name }) => name),
      rows: rowsWanted,
      transcript: writeTranscript(layout, null),
      scannedPages,
    };
  }
  const scored = scoreFields(type, candidatesOf(type, layout, decideLocale(layout)), layout);
  const scores = new Map(scored.map((entry) => [entry.field.name, entry]));
  const captions = findCaptions(type, layout);
  const orphans = orphanedFields(type, captions, extraction);
  const doubted = wanted.filter(
    (field) =>
      isDoubted(field, extraction, scores.get(field.name), sure) ||
      orphans.has(field.name) ||
      (!(field.name in extraction.fields) && type.usual.includes(field.name)),
  );
  const rows =
    rowsWanted && (areRowsDoubted(type, extraction) || areWordsLeftOver(layout, extraction.items ?? extraction.lines));
  if (doubted.length === 0 && !rows) return null;
  const shown = linesAbout(type, doubted, rows, extraction, scores, captions, layout);
  const pages = new Set([...(shown ?? layout.lines)].map(({ page }) => page));
  return {
    type: askedType(type),
    fields: doubted.map(({ name }) => name),
    rows,
    transcript: writeTranscript(layout, shown),
    scannedPages: scannedPages.filter((number) => pages.has(number)),
  };
}

function isScanned({ words }: Page): boolean {
  return words.some(({ source }) => source.startsWith('ocr:'));
}

function isDoubted(
  field: FieldDefinition,
  { fields }: Extraction,
  scores: ScoredField | undefined,
  sure: number,
): boolean {
  const found = fields[field.name];
  if (found) return found.confidence < (partyKinds.has(field.kind) ? sure + partyMargin : sure);
  const likely = scores?.ranked.reduce((sum, { probability }) => sum + probability, 0) ?? 0;
  return likely >= doubtedAbsence;
}

/** A caption that stands in a line, with the fields that it may be of. */
interface FoundCaption {
  readonly line: TextLine;
  readonly fields: readonly string[];
}

const captionedLineLimit = 4000;

function findCaptions(type: DocumentType, layout: Layout): readonly FoundCaption[] {
  const isScan = layout.document.pages.some(isScanned);
  return layout.lines.slice(0, captionedLineLimit).flatMap((line) => {
    const matches = matchCaptions(type, tokensOf(line.text), isScan).filter(({ covered }) => !covered);
    return [...Map.groupBy(matches, ({ end, start }) => `${start} ${end}`).values()].map((alike) => ({
      line,
      fields: alike.map(({ field }) => type.fields[field]!.name),
    }));
  });
}

/** Fields that were not found although a caption stands there which is of no field that was. */
function orphanedFields(
  type: DocumentType,
  captions: readonly FoundCaption[],
  { fields }: Extraction,
): ReadonlySet<string> {
  const scored = new Set(type.fields.filter(({ composed }) => !composed).map(({ name }) => name));
  return new Set(
    captions
      .filter((caption) => caption.fields.every((name) => !(name in fields)))
      .flatMap((caption) => caption.fields)
      .filter((name) => scored.has(name)),
  );
}

function areRowsDoubted(type: DocumentType, { fields, lines }: Extraction): boolean {
  if (type.rows === 'items') return (fields.items?.confidence ?? 0) < sureCellConfidence;
  const cells = lines.flatMap((row) => Object.values(row));
  const doubted = cells.filter(({ confidence }) => confidence < sureCellConfidence).length;
  return cells.length === 0 || doubted > doubtfulCellShare * cells.length;
}

/** Rows are doubted where more than this share of them have words of which no cell says anything. */
const leftOverShare = 0.3;
/** Beside the cells stand the row's number, a currency and units. */
const besideCells = /^(?:\d{1,3}[.):]?|\p{Sc}|[A-Z]{3}|[x×*@%]|\P{L}{1,2})$/u;

/** Whether many rows have words beside their cells, as where a whole column was not read. */
function areWordsLeftOver({ document }: Layout, rows: readonly ExtractedRow[]): boolean {
  const leftOver = rows.filter((row) => {
    const cells = Object.values(row).flatMap(({ provenance }) => provenance);
    const page = document.pages.find(({ number }) => number === cells[0]?.page);
    const boxes = cells.filter((cell) => cell.page === page?.number).map(({ box }) => box);
    const top = Math.min(...boxes.map(({ y0 }) => y0));
    const bottom = Math.max(...boxes.map(({ y1 }) => y1));
    return page?.words.some(({ box, text }) => {
      const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
      if (y < top || y > bottom || besideCells.test(text)) return false;
      return !boxes.some((cell) => x >= cell.x0 && x <= cell.x1 && y >= cell.y0 && y <= cell.y1);
    });
  }).length;
  return leftOver > leftOverShare * rows.length;
}

/**
 * The lines that may tell of some fields: those of the likeliest candidates, of the engine's value and of the fields'
 * captions, with what stands beside, above and below them; and of the line items from above the first to below the
 * last. Null where a field may stand anywhere.
 */
function linesAbout(
  type: DocumentType,
  fields: readonly FieldDefinition[],
  withRows: boolean,
  extraction: Extraction,
  scores: ReadonlyMap<string, ScoredField>,
  captions: readonly FoundCaption[],
  layout: Layout,
): ReadonlySet<TextLine> | null {
  const rows = visualRows(layout);
  const rowOf = new Map(rows.flatMap((row, index) => row.map((line) => [line, index] as const)));
  const shown = new Set<number>();
  const show = (index: number, around: number) => {
    const page = rows[index]?.[0]?.page;
    for (let at = index - around; at <= index + around; at += 1) if (rows[at]?.[0]?.page === page) shown.add(at);
  };
  const names = new Set(fields.map(({ name }) => name));
  const captioned = new Set<string>();
  for (const { fields: said, line } of captions) {
    const asked = said.filter((name) => names.has(name));
    if (asked.length > 0) show(rowOf.get(line) ?? -1, 1);
    for (const name of asked) captioned.add(name);
  }
  for (const { name } of fields) {
    const candidates = scores.get(name)?.ranked.slice(0, shownCandidates) ?? [];
    for (const { candidate } of candidates) for (const index of linesAt(candidate, rows)) show(index, 1);
    const found = extraction.fields[name];
    for (const { box, page } of found?.provenance ?? []) {
      for (const index of linesAt({ box, page }, rows)) show(index, 1);
    }
    if (candidates.length === 0 && !captioned.has(name) && (found?.provenance.length ?? 0) === 0) return null;
  }
  if (withRows) {
    const places = (
      type.rows === 'items' ? [extraction.fields.items] : extraction.lines.flatMap((row) => Object.values(row))
    )
      .flatMap((value) => value?.provenance ?? [])
      .flatMap((place) => linesAt(place, rows));
    if (places.length === 0) return null;
    for (let at = Math.min(...places) - 3; at <= Math.max(...places) + 2; at += 1) if (rows[at]) shown.add(at);
  }
  return new Set([...shown].flatMap((index) => rows[index]!));
}

function linesAt({ box, page }: Pick<Candidate, 'box' | 'page'>, rows: readonly (readonly TextLine[])[]): number[] {
  const middle = (line: TextLine) => (line.box.y0 + line.box.y1) / 2;
  return rows.flatMap((row, index) =>
    row.some((line) => line.page === page && middle(line) >= box.y0 && middle(line) <= box.y1) ? [index] : [],
  );
}
