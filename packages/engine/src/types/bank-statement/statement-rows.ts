import type { Candidate, ExtractedFields, ExtractedRow, ExtractedValue } from '@millrace/document-model';
import { candidateValue } from '../../compose/value.ts';

/** What rows that lead from one balance to the other make these. */
const provenConfidence = 97;

/**
 * A statement's balances and sums, held against its transactions: where these lead from the opening balance to the
 * closing one, both are proven. A sum of credits or debits that is not theirs is that of one kind of them, and left out.
 */
export function checkedByRows(fields: ExtractedFields, rows: readonly ExtractedRow[]): Record<string, ExtractedValue> {
  if (isOneForBoth(fields, rows)) {
    const { opening_balance: _opening, closing_balance: _closing, ...others } = fields;
    return others;
  }
  const [opening, closing] = [numberOf(fields.opening_balance), numberOf(fields.closing_balance)];
  const [credits, debits] = [sumOf(rows, 'credit'), sumOf(rows, 'debit')];
  if (opening === null || credits + debits === 0) return { ...fields };
  const end = opening + credits - debits;
  if (closing === null || !isEqual(end, closing)) {
    // The last row's balance closes a statement that leads to it, whatever else was taken for that.
    const last = rows.at(-1)?.balance;
    const isLast = last !== undefined && isEqual(end, numberOf(last) ?? Number.NaN);
    return isLast ? checkedByRows({ ...fields, closing_balance: last }, rows) : { ...fields };
  }
  const sums: Readonly<Record<string, number>> = {
    opening_balance: opening,
    closing_balance: closing,
    total_credits: credits,
    total_debits: debits,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, ExtractedValue][] => {
      const sum = sums[name];
      if (sum === undefined) return [[name, value]];
      if (!isEqual(Math.abs(numberOf(value) ?? Number.NaN), Math.abs(sum))) return [];
      const flags = value.flags.filter((flag) => !flag.startsWith('arithmetic_'));
      const confidence = Math.max(value.confidence, provenConfidence);
      return [[name, { ...value, confidence, flags: [...flags, 'arithmetic_holds'] }]];
    }),
  );
}

/**
 * A proven statement's fields with the sums of its credits and debits, where they are printed apart from its transactions,
 * whatever calls them so: `- Checks/Debits 4  1,882.04`.
 */
export function withPrintedSums(
  fields: ExtractedFields,
  rows: readonly ExtractedRow[],
  candidates: readonly Candidate[],
): Record<string, ExtractedValue> {
  const [opening, closing] = [numberOf(fields.opening_balance), numberOf(fields.closing_balance)];
  const sums = { total_credits: sumOf(rows, 'credit'), total_debits: sumOf(rows, 'debit') };
  const isProven =
    opening !== null && closing !== null && isEqual(opening + sums.total_credits - sums.total_debits, closing);
  if (!isProven || rows.length < leastRows) return { ...fields };
  const printed = Object.entries(sums).flatMap(([name, sum]): [string, ExtractedValue][] => {
    const others = [
      opening,
      closing,
      ...Object.entries(sums).flatMap(([other, each]) => (other === name ? [] : [each])),
    ];
    if (fields[name] || sum === 0 || others.some((other) => isEqual(other, sum))) return [];
    const found = candidates
      .filter(({ kind, value }) => kind === 'amount' && typeof value === 'number' && isEqual(Math.abs(value), sum))
      .map((candidate) => candidateValue(candidate, provenConfidence, ['arithmetic_holds']))
      .find((value) => !isAmong(rows, value));
    return found ? [[name, { ...found, value: sum }]] : [];
  });
  return { ...fields, ...Object.fromEntries(printed) };
}

/** Of a single transaction the sum is its own amount, which may stand anywhere. */
const leastRows = 3;

/** Whether opening and closing balance are one amount of which transactions that moved something leave no row's balance. */
function isOneForBoth(fields: ExtractedFields, rows: readonly ExtractedRow[]): boolean {
  const [opening, closing] = [numberOf(fields.opening_balance), numberOf(fields.closing_balance)];
  const isMoved = !isEqual(sumOf(rows, 'credit'), sumOf(rows, 'debit'));
  const balances = rows.flatMap(({ balance }) => numberOf(balance) ?? []);
  return opening !== null && opening === closing && isMoved && balances.length > 1 && !balances.includes(opening);
}

/**
 * A statement's fields with the opening balance, where none was found, that its first transactions lead from: the amount
 * printed above them that these and the first balance behind one make.
 */
export function withFirstBalance(
  fields: ExtractedFields,
  rows: readonly ExtractedRow[],
  candidates: readonly Candidate[],
): Record<string, ExtractedValue> {
  const at = rows.findIndex(({ balance }) => numberOf(balance) !== null);
  if (fields.opening_balance || at < 0) return { ...fields };
  const first = rows.slice(0, at + 1);
  const opening = numberOf(rows[at]!.balance)! - sumOf(first, 'credit') + sumOf(first, 'debit');
  const [top] = Object.values(rows[0]!).flatMap(({ provenance }) => provenance);
  const amount = candidates.find(
    ({ kind, value, page, box }) =>
      kind === 'amount' &&
      typeof value === 'number' &&
      isEqual(value, opening) &&
      top !== undefined &&
      (page < top.page || (page === top.page && box.y1 <= top.box.y0 + 1)),
  );
  const isMoved = sumOf(first, 'credit') + sumOf(first, 'debit') > 0;
  return amount && isMoved ? { ...fields, opening_balance: candidateValue(amount, 84) } : { ...fields };
}

/**
 * A statement's fields without a first day that stands among its transactions, or that is the last one and follows its
 * transactions: that is the day of its balance.
 */
export function withoutOtherStart(
  fields: ExtractedFields,
  rows: readonly ExtractedRow[],
): Record<string, ExtractedValue> {
  const { statement_start_date: start, ...others } = fields;
  const days = rows.flatMap(({ date, value_date: valued }) => {
    const day = (date ?? valued)?.value;
    return typeof day === 'string' ? [day] : [];
  });
  const isLast = start?.value === fields.statement_end_date?.value;
  const isLate = isLast && days.some((day) => day < String(start?.value));
  return start && !isLate && !isAmong(rows, start) ? { ...fields } : others;
}

/** Whether a value stands where the transactions of its page do. */
function isAmong(rows: readonly ExtractedRow[], { provenance: [place] }: ExtractedValue): boolean {
  const boxes = rows
    .flatMap((row) => Object.values(row).flatMap(({ provenance }) => provenance))
    .filter(({ page }) => page === place?.page)
    .map(({ box }) => box);
  const middle = place ? (place.box.y0 + place.box.y1) / 2 : 0;
  return Math.min(...boxes.map(({ y0 }) => y0)) < middle && middle < Math.max(...boxes.map(({ y1 }) => y1));
}

function numberOf(value: ExtractedValue | undefined): number | null {
  return typeof value?.value === 'number' ? value.value : null;
}

function sumOf(rows: readonly ExtractedRow[], column: string): number {
  return rows.reduce((sum, row) => sum + (numberOf(row[column]) ?? 0), 0);
}

function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.005;
}
