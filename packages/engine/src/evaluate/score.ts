import type { ExtractedRow, ExtractedValue, JsonValue } from '../document.ts';
import type { AcceptedValues, EvaluatedCase } from './cases.ts';
import { isSameValue, similarity } from './compare.ts';

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
}

/** An answer that is not the truth, for people to look at. */
export interface FieldError {
  readonly key: string;
  readonly field: string;
  readonly truth: JsonValue;
  readonly answer: ExtractedValue | null;
}

/** A true row that no answered one equals, or an answered one that equals no true one. */
export interface RowError {
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
  /** Null where the type is not judged. */
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
    fieldValues: cases.flatMap(({ truth, answer }) =>
      Object.entries(truth.fields).flatMap(([field, accepted]) => judge(answer.fields[field], accepted)),
    ),
    rowValues: rowMatches.flatMap((match) => match.values),
    errors: cases.flatMap(errorsOf),
    rowErrors: rowMatches.flatMap((match) => match.errors),
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

function isAccepted(answer: ExtractedValue | undefined, accepted: AcceptedValues): boolean {
  return answer !== undefined && accepted.some((value) => isSameValue(answer.value, value));
}

function judge(answer: ExtractedValue | undefined, accepted: AcceptedValues): readonly JudgedValue[] {
  return answer ? [{ confidence: answer.confidence, right: isAccepted(answer, accepted) }] : [];
}

function scoreField(field: string, cases: readonly EvaluatedCase[]): FieldScore {
  const concerned = cases.flatMap(({ truth, answer, printedFields }) => {
    const accepted = truth.fields[field];
    if (!accepted) return [];
    const value = answer.fields[field];
    return [{ answered: value !== undefined, right: isAccepted(value, accepted), printed: printedFields?.has(field) }];
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
}

/** From this likeness on a description is taken for the same. */
const descriptionThreshold = 0.8;

/**
 * Pairs the true rows with the answered ones, each once, in the order of the truth: a row is right when its
 * description is alike and its quantity and amount agree, as far as the truth has them.
 *
 * The cells of a right row are judged one by one; those of an answered row that is no true one count as wrong.
 */
function matchRows({ key, truth, answer, printedRows }: EvaluatedCase): RowMatch {
  const free = new Set(answer.rows);
  const values: JudgedValue[] = [];
  const errors: RowError[] = [];
  const matched = (truth.rows ?? []).map((row) => {
    const found = [...free].find((candidate) => isSameRow(candidate, row));
    if (!found) {
      errors.push({ key, kind: 'missing', row: mapRow(row, (accepted) => accepted[0]) });
      return false;
    }
    free.delete(found);
    for (const [column, accepted] of Object.entries(row)) {
      const cell = found[column];
      if (cell)
        values.push({ confidence: cell.confidence, right: column === 'description' || isAccepted(cell, accepted) });
    }
    return true;
  });
  for (const row of free) {
    errors.push({ key, kind: 'extra', row: mapRow(row, (cell) => cell.value) });
    for (const cell of Object.values(row)) values.push({ confidence: cell.confidence, right: false });
  }
  return {
    truth: matched.length,
    answered: answer.rows.length,
    right: matched.filter(Boolean).length,
    printedTruth: printedRows?.filter(Boolean).length ?? null,
    printedRight: matched.filter((right, index) => right && printedRows?.[index]).length,
    values,
    errors,
  };
}

function mapRow<T>(row: Readonly<Record<string, T>>, read: (cell: T) => JsonValue): RowError['row'] {
  return Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, read(cell)]));
}

function isSameRow(answer: ExtractedRow, truth: Readonly<Record<string, AcceptedValues>>): boolean {
  const descriptions = truth.description ?? [];
  const description = answer.description?.value;
  const alike =
    descriptions.length === 0 ||
    (typeof description === 'string' &&
      descriptions.some((accepted) => similarity(description, String(accepted)) >= descriptionThreshold));
  return alike && ['quantity', 'amount'].every((column) => !truth[column] || isAccepted(answer[column], truth[column]));
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
