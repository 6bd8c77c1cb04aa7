import type { ExtractedRow, ExtractedValue, JsonValue } from '@millrace/document-model';
import type { AcceptedValues, EvaluatedCase, PrintedLabels } from '../labelled/cases.ts';
import { isSameValue, similarity } from '../labelled/compare.ts';

/** Counts of one field over a set of documents. */
export interface FieldScore {
  readonly field: string;
  /** Documents whose truth has the field. */
  readonly documents: number;
  /** Of these, those with an answer, and with the right one. */
  readonly answered: number;
  readonly right: number;
  /** Documents where the value is printed, and those answered right among them; null where that is not asked. */
  readonly printed: { readonly documents: number; readonly right: number } | null;
}

/** Counts of line items. */
export interface RowScore {
  readonly truth: number;
  readonly answered: number;
  readonly right: number;
  /** Over the rows that are printed; null where that is not asked. */
  readonly printed: { readonly truth: number; readonly right: number } | null;
}

/** A value that was given, with its confidence and whether it is right. */
export interface JudgedValue {
  readonly confidence: number;
  readonly right: boolean;
  /** Whether the page shows the label that it is scored by; null if that is not checked. */
  readonly printed: boolean | null;
}

/** An answer that is not the truth, for people to look at. */
export interface FieldError {
  readonly key: string;
  readonly field: string;
  readonly truth: JsonValue;
  readonly answer: ExtractedValue | null;
}

/** A true row that no answered one equals, or an answered one that equals no true one. */
interface RowError {
  readonly key: string;
  readonly kind: 'missing' | 'extra';
  readonly row: Readonly<Record<string, JsonValue>>;
}

export interface SetScore {
  readonly fields: readonly FieldScore[];
  /** Null where no document's rows are known. */
  readonly rows: RowScore | null;
  readonly fieldValues: readonly JudgedValue[];
  readonly rowValues: readonly JudgedValue[];
  readonly errors: readonly FieldError[];
  readonly rowErrors: readonly RowError[];
  /** Wrong cells of the answered rows, named `row.column`; their truth is null where no true row agrees with theirs. */
  readonly cellErrors: readonly FieldError[];
  /** Null if the type is not scored. */
  readonly classification: { readonly documents: number; readonly right: number } | null;
  /** Documents that the engine gave up on, by error code. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Compares answers with the truth. Fields stand in the order in which the truths first name them. */
export function scoreCases(cases: readonly EvaluatedCase[]): SetScore {
  const names = [...new Set(cases.flatMap(({ truth }) => Object.keys(truth.fields)))];
  const rowMatches = cases.flatMap((evaluated) => (evaluated.truth.rows ? [matchRows(evaluated)] : []));
  const typed = cases.filter(({ truth }) => truth.docType !== null);
  return {
    fields: names.map((field) => scoreField(field, cases)),
    rows: rowMatches.length === 0 ? null : sumRows(rowMatches),
    fieldValues: cases.flatMap(({ truth, answer, printed }) =>
      Object.entries(truth.fields).flatMap(([field, accepted]) => {
        const value = answer.fields[field];
        if (!value) return [];
        return [
          {
            confidence: value.confidence,
            right: isAccepted(value, accepted),
            printed: printed?.fields.has(field) ?? null,
          },
        ];
      }),
    ),
    rowValues: rowMatches.flatMap((match) => match.values),
    errors: cases.flatMap(errorsOf),
    rowErrors: rowMatches.flatMap((match) => match.errors),
    cellErrors: rowMatches.flatMap((match) => match.cellErrors),
    classification:
      typed.length === 0
        ? null
        : {
            documents: typed.length,
            right: typed.filter(({ truth, answer }) => answer.docType === truth.docType).length,
          },
    failures: countBy(cases.flatMap(({ answer }) => (answer.error === null ? [] : [answer.error]))),
  };
}

/** Whether an answer is one of the accepted values. */
export function isAccepted(answer: ExtractedValue | undefined, accepted: AcceptedValues): boolean {
  return answer !== undefined && accepted.some((value) => isSameValue(answer.value, value));
}

function scoreField(field: string, cases: readonly EvaluatedCase[]): FieldScore {
  const concerned = cases.flatMap(({ truth, answer, printed }) => {
    const accepted = truth.fields[field];
    if (!accepted) return [];
    const value = answer.fields[field];
    return [{ answered: value !== undefined, right: isAccepted(value, accepted), printed: printed?.fields.has(field) }];
  });
  const printed = concerned.filter((entry) => entry.printed !== undefined);
  return {
    field,
    documents: concerned.length,
    answered: concerned.filter((entry) => entry.answered).length,
    right: concerned.filter((entry) => entry.right).length,
    printed:
      printed.length === 0
        ? null
        : {
            documents: printed.filter((entry) => entry.printed).length,
            right: printed.filter((entry) => entry.printed && entry.right).length,
          },
  };
}

interface RowMatch {
  readonly truth: number;
  readonly answered: number;
  readonly right: number;
  readonly printedTruth: number | null;
  readonly printedRight: number;
  readonly values: readonly JudgedValue[];
  readonly errors: readonly RowError[];
  readonly cellErrors: readonly FieldError[];
}

/** A scored cell. */
interface JudgedCell extends JudgedValue {
  readonly column: string;
  /** Null where no true row agrees with the answered one. */
  readonly truth: JsonValue;
  readonly answer: ExtractedValue;
}

/** From this likeness on a description is taken for the same. */
const descriptionThreshold = 0.8;

/**
 * Pairs the true rows with the extracted ones, each once, in the order of the truth: a row is right if its description
 * is similar and its quantity and amount agree, as far as the truth has them.
 *
 * Every cell is scored separately, including those of a row that is not right as a whole: it is compared with the true
 * row that it agrees with in most cells. The cells of a row that agrees with none are wrong.
 */
function matchRows({ key, truth, answer, printed }: EvaluatedCase): RowMatch {
  const rows = truth.rows ?? [];
  const free = new Set(answer.rows);
  const pairs = rows.map((row) => {
    const found = [...free].find((candidate) => isSameRow(candidate, row)) ?? null;
    if (found) free.delete(found);
    return found;
  });
  const missing = rows.filter((_, index) => pairs[index] === null);
  const cells = rows.flatMap((row, index) => (pairs[index] ? judgeCells(pairs[index], row, printed) : []));
  const unpaired = new Set(missing);
  for (const row of free) {
    const nearest = [...unpaired]
      .map((candidate) => ({ candidate, cells: judgeCells(row, candidate, printed) }))
      .filter(({ cells }) => cells.some(({ right }) => right))
      .sort((a, b) => countRight(b.cells) - countRight(a.cells))[0];
    if (nearest) unpaired.delete(nearest.candidate);
    // Where no true row is printed, the page lists other things than the XML.
    const isScored = printed && (printed.rows?.includes(true) ?? false);
    cells.push(
      ...(nearest?.cells ??
        Object.entries(row).map(
          ([column, answer]): JudgedCell => ({
            confidence: answer.confidence,
            right: false,
            printed: isScored,
            column,
            truth: null,
            answer,
          }),
        )),
    );
  }
  return {
    truth: rows.length,
    answered: answer.rows.length,
    right: rows.length - missing.length,
    printedTruth: printed?.rows?.filter(Boolean).length ?? null,
    printedRight: pairs.filter((pair, index) => pair !== null && printed?.rows?.[index]).length,
    values: cells.map(({ confidence, right, printed: isPrinted }) => ({ confidence, right, printed: isPrinted })),
    cellErrors: cells
      .filter(({ right }) => !right)
      .map(({ column, truth: wanted, answer }) => ({ key, field: `row.${column}`, truth: wanted, answer: answer })),
    errors: [
      ...missing.map((row): RowError => ({ key, kind: 'missing', row: mapRow(row, (accepted) => accepted[0]) })),
      ...[...free].map((row): RowError => ({ key, kind: 'extra', row: mapRow(row, (cell) => cell.value) })),
    ],
  };
}

type TrueRow = Readonly<Record<string, AcceptedValues>>;

/** The cells of the columns that the truth has. */
function judgeCells(answer: ExtractedRow, truth: TrueRow, printed: PrintedLabels | null): readonly JudgedCell[] {
  const beside = printed?.beside(answer);
  return Object.entries(truth).flatMap(([column, accepted]) => {
    const cell = answer[column];
    if (!cell) return [];
    const right = column === 'description' ? isAlike(cell, accepted) : isAccepted(cell, accepted);
    const isPrinted = beside ? right || accepted.some((value) => beside.shows(value)) : null;
    return [{ confidence: cell.confidence, right, printed: isPrinted, column, truth: accepted[0], answer: cell }];
  });
}

function countRight(values: readonly JudgedValue[]): number {
  return values.filter(({ right }) => right).length;
}

function isAlike(description: ExtractedValue | undefined, accepted: AcceptedValues): boolean {
  const text = description?.value;
  return typeof text === 'string' && accepted.some((value) => similarity(text, String(value)) >= descriptionThreshold);
}

function isSameRow(answer: ExtractedRow, truth: TrueRow): boolean {
  const alike = !truth.description || isAlike(answer.description, truth.description);
  return alike && ['quantity', 'amount'].every((column) => !truth[column] || isAccepted(answer[column], truth[column]));
}

function mapRow<T>(row: Readonly<Record<string, T>>, read: (cell: T) => JsonValue): RowError['row'] {
  return Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, read(cell)]));
}

function sumRows(matches: readonly RowMatch[]): RowScore {
  const sum = (count: (match: RowMatch) => number) => matches.reduce((total, match) => total + count(match), 0);
  return {
    truth: sum((match) => match.truth),
    answered: sum((match) => match.answered),
    right: sum((match) => match.right),
    printed: matches.some((match) => match.printedTruth === null)
      ? null
      : { truth: sum((match) => match.printedTruth ?? 0), right: sum((match) => match.printedRight) },
  };
}

function errorsOf({ key, truth, answer }: EvaluatedCase): readonly FieldError[] {
  return Object.entries(truth.fields)
    .filter(([field, accepted]) => !isAccepted(answer.fields[field], accepted))
    .map(([field, accepted]) => ({ key, field, truth: accepted[0], answer: answer.fields[field] ?? null }));
}

function countBy(codes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
