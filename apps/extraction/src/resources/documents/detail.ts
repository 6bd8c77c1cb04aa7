import type { ExtractedRow, ExtractedValue, Extraction } from '@millrace/document-model';
import { type Check, labelOf, revalidate, rowsOf } from '@millrace/engine/revalidate';
import type { DocumentType } from '@millrace/engine/types/definition';
import type * as z from 'zod';
import type { EnteredByPeople, PersonsValue, ValuePath } from '../../database/schema.ts';
import type { DocumentDetail, ListedDocument } from './dashboard-contract.ts';
import type { ListedRow, LookedAt } from './dashboard-store.ts';
import { missingFieldsOf } from './rules.ts';

type Detail = z.input<typeof DocumentDetail>;
type ShownValue = Detail['fields'][string];
type Person = Detail['confirmedBy'];

/** What a document says where nobody has entered anything. */
export const nothingEntered: EnteredByPeople = { fields: {}, rows: null };

/** A document in a list, as the dashboard shows it. */
export function listedDocument(row: ListedRow): ListedDocument {
  return {
    id: row.id,
    reference: row.reference,
    fileName: row.file_name,
    docType: row.doc_type,
    supplier: row.supplier,
    state: row.state,
    source: row.source,
    pageCount: row.page_count,
    lowestConfidence: row.lowest_confidence,
    doubtfulCount: row.confirmed_at === null ? row.doubtful_count : 0,
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    error:
      row.state === 'error' ? { code: row.error_code ?? 'extraction_failed', message: row.error_message ?? '' } : null,
    ...(row.field_values ? { values: row.field_values } : {}),
  };
}

/**
 * A document with its values as the dashboard shows them.
 *
 * @param baseUrl where the API is, for commands.
 */
export function documentDetail(document: LookedAt, baseUrl: string): Detail {
  const { row, threshold, people, type } = document;
  const extracted = (row.extracted_result ?? row.result)?.extraction ?? null;
  const entered = row.entered ?? nothingEntered;
  const found = extracted && revalidate(type, extracted, entered);
  const isConfirmed = row.confirmed_at !== null;
  const shown = (value: ExtractedValue, persons: PersonsValue | undefined, original: ExtractedValue | undefined) =>
    shownValue(value, { threshold: isConfirmed ? 0 : threshold, persons, original, people });
  const required = type.required ?? [];
  const doubtful = found && !isConfirmed ? doubtfulPaths(type, found.extraction, threshold) : [];
  return {
    ...listedDocument(row),
    mediaType: row.media_type,
    sizeBytes: row.size_bytes,
    version: row.version,
    reviewThreshold: threshold,
    pages: found ? found.extraction.pages.map((page) => ({ ...page })) : [],
    fields: found ? shownFields(found.extraction, extracted, entered, shown) : {},
    fieldDefinitions: type.fields.map(({ name, kind, description, repeated, composed }) => ({
      name,
      kind,
      label: labelOf(name),
      description,
      structured: repeated === true || (composed === true && isStructured(extracted?.fields[name])),
      required: required.includes(name),
    })),
    rows:
      type.rows === 'none'
        ? null
        : {
            key: type.rows,
            columns: type.columns.map(({ name, kind }) => ({ name, kind, label: labelOf(name) })),
            rows: found ? shownRows(rowsOf(found.extraction), extracted ? rowsOf(extracted) : [], entered, shown) : [],
          },
    doubtful,
    checks: (found?.checks ?? []).map(checkAnswer),
    corrections: document.corrections.map((correction) => ({
      id: correction.id,
      at: correction.created_at.toISOString(),
      by: people.get(correction.user_id) ?? null,
      kind: correction.kind,
      path: correction.path,
      before: correction.before.value,
      after: correction.after.value,
    })),
    confirmedBy: row.confirmed_by === null ? null : (people.get(row.confirmed_by) ?? null),
    classification: row.result?.classification
      ? { docType: row.result.classification.doc_type, confidence: row.result.classification.confidence }
      : null,
    sender: row.sender_id === null ? null : document.sender,
    ai: row.result
      ? {
          provider: row.result.ai.provider,
          model: row.result.ai.model,
          processTimeMs: row.result.ai.process_time_ms,
          totalTokens: row.result.ai.total_tokens,
        }
      : null,
    webhooks: document.webhooks,
    curl: commands(row, baseUrl),
  };
}

function checkAnswer({ kind, fields, row, holds, message }: Check): Detail['checks'][number] {
  return { kind, fields: [...fields], ...(row === undefined ? {} : { row }), holds, message };
}

/** Whether a value is a list or an object. */
function isStructured(value: ExtractedValue | undefined): boolean {
  return typeof value?.value === 'object' && value.value !== null;
}

type Show = (
  value: ExtractedValue,
  persons: PersonsValue | undefined,
  original: ExtractedValue | undefined,
) => ShownValue;

function shownFields(
  extraction: Extraction,
  extracted: Extraction | null,
  entered: EnteredByPeople,
  show: Show,
): Record<string, ShownValue> {
  const hasRows = rowsOf(extraction).length > 0;
  return Object.fromEntries(
    Object.entries(extraction.fields)
      // Shown row by row.
      .filter(([name]) => !(name === 'items' && hasRows))
      .map(([name, value]) => [name, show(value, entered.fields[name], extracted?.fields[name])]),
  );
}

function shownRows(
  rows: readonly ExtractedRow[],
  extracted: readonly ExtractedRow[],
  entered: EnteredByPeople,
  show: Show,
): Record<string, ShownValue>[] {
  return rows.map((row, index) => {
    const source = entered.rows?.[index];
    const from = source === undefined ? index : source.from;
    const original = from === null ? {} : (extracted[from] ?? {});
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, show(value, source?.cells[column], original[column])]),
    );
  });
}

function shownValue(
  { value, confidence, flags, provenance }: ExtractedValue,
  about: {
    readonly threshold: number;
    readonly persons: PersonsValue | undefined;
    readonly original: ExtractedValue | undefined;
    readonly people: ReadonlyMap<string, NonNullable<Person>>;
  },
): ShownValue {
  const { persons, original } = about;
  return {
    value,
    confidence,
    flags: [...flags],
    provenance: provenance
      // An embedded value that is printed nowhere has an empty box.
      .filter(({ box }) => box.x1 > box.x0 && box.y1 > box.y0)
      .map(({ page, box, text }) => ({ page, box: { ...box }, text })),
    doubtful: confidence < about.threshold,
    ...(persons && {
      correctedBy: about.people.get(persons.by) ?? null,
      correctedAt: persons.at,
      original: original ? { value: original.value, confidence: original.confidence } : null,
    }),
  };
}

/** What is below a threshold, in the order in which the type has its fields, then row by row. */
export function doubtfulPaths(type: DocumentType, extraction: Extraction, threshold: number): ValuePath[] {
  const missing = new Set(missingFieldsOf(type, extraction));
  const isDoubtful = (value: ExtractedValue | undefined) => value !== undefined && value.confidence < threshold;
  const rows = rowsOf(extraction);
  const ofItems = rows.length === 0 && isDoubtful(extraction.fields.items) ? [{ field: 'items' }] : [];
  return [
    ...type.fields
      .filter(({ name }) => (missing.has(name) && threshold > 0) || isDoubtful(extraction.fields[name]))
      .map(({ name }) => ({ field: name })),
    ...ofItems,
    ...rows.flatMap((row, index) =>
      type.columns.filter(({ name }) => isDoubtful(row[name])).map(({ name }) => ({ row: index, column: name })),
    ),
  ];
}

/** The value at a path; undefined where there is none. */
export function valueAt(extraction: Extraction, path: ValuePath): ExtractedValue | undefined {
  return 'field' in path ? extraction.fields[path.field] : rowsOf(extraction)[path.row]?.[path.column];
}

/** A path for people: `Invoice date`, or `Row 3, Amount`. */
export function labelOfPath(path: ValuePath): string {
  return 'field' in path ? labelOf(path.field) : `Row ${path.row + 1}, ${labelOf(path.column)}`;
}

function commands(
  { id, file_name, doc_type }: { readonly id: string; readonly file_name: string; readonly doc_type: string },
  baseUrl: string,
): Detail['curl'] {
  const api = `${baseUrl.replace(/\/+$/, '')}/api/external/v1`;
  const key = '-H "X-API-Key: $MILLRACE_API_KEY"';
  return {
    extract: `curl ${key} -F document=@${quoted(file_name)} -F doc_type=${doc_type} ${quoted(`${api}/extract`)}`,
    fetch: `curl ${key} ${quoted(`${api}/documents/${id}`)}`,
  };
}

/** A word of a shell's command. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
