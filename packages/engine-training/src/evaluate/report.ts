import type { ExtractedValue } from '@millrace/document-model';
import type { EvaluatedCase } from '../labelled/cases.ts';
import type { FieldError, FieldScore, JudgedValue, RowScore, SetScore } from './score.ts';

/** One set's figures as Markdown: fields, line items, reliability, time. */
export function reportOf(title: string, cases: readonly EvaluatedCase[], score: SetScore, cached: boolean): string {
  const parts = [`## ${title}`, summaryOf(cases, score, cached)];
  if (score.fields.length > 0) parts.push(fieldTable(score.fields));
  if (score.rows) parts.push(rowTable(score.rows));
  if (score.fieldValues.length > 0) parts.push(reliabilityTable('Fields', score.fieldValues));
  if (score.rowValues.length > 0) parts.push(reliabilityTable('Cells of line items', score.rowValues));
  return `${parts.join('\n\n')}\n`;
}

function summaryOf(cases: readonly EvaluatedCase[], score: SetScore, cached: boolean): string {
  const pages = cases.reduce((sum, { pageCount }) => sum + pageCount, 0);
  const sentences = [`${cases.length} documents, ${pages} pages.`];
  if (score.classification) {
    const { documents, right } = score.classification;
    sentences.push(`Type found: ${right} of ${documents} (${percent(right, documents)}).`);
  }
  const failures = Object.entries(score.failures).map(([code, count]) => `${code} ${count}`);
  sentences.push(failures.length === 0 ? 'No extraction failed.' : `Extractions failed: ${failures.join(', ')}.`);
  const durations = cases.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const perPage = cases.map(({ durationMs, pageCount }) => durationMs / Math.max(1, pageCount)).sort((a, b) => a - b);
  if (cached) sentences.push('Readings were taken from the cache, so times leave them out.');
  sentences.push(
    `Time for a document: median ${milliseconds(quantile(durations, 0.5))}, 95th percentile ${milliseconds(quantile(durations, 0.95))}; for a page: median ${milliseconds(quantile(perPage, 0.5))}.`,
  );
  return sentences.join(' ');
}

function fieldTable(fields: readonly FieldScore[]): string {
  const printed = fields.some((field) => field.printed !== null);
  const header = [
    'Field',
    'Documents',
    'Right',
    'Precision',
    'F1',
    ...(printed ? ['Printed', 'Right where printed'] : []),
  ];
  const rows = fields.map((field) => [
    `\`${field.field}\``,
    `${field.documents}`,
    percent(field.right, field.documents),
    percent(field.right, field.answered),
    percent(2 * field.right, field.documents + field.answered),
    ...(field.printed ? [`${field.printed.documents}`, percent(field.printed.right, field.printed.documents)] : []),
  ]);
  return table(header, rows);
}

function rowTable({ truth, answered, right, printed }: RowScore): string {
  const header = ['Line items', 'True rows', 'Answered', 'Precision', 'Recall', 'F1'];
  const rows = [
    [
      'all',
      `${truth}`,
      `${answered}`,
      percent(right, answered),
      percent(right, truth),
      percent(2 * right, truth + answered),
    ],
  ];
  if (printed) {
    rows.push(['printed', `${printed.truth}`, '', '', percent(printed.right, printed.truth), '']);
  }
  return table(header, rows);
}

const bounds = [0, 50, 60, 70, 80, 90, 95, 98, 100];

/** How often values are right, by the confidence with which they were given; and of all from 90 on. */
function reliabilityTable(title: string, values: readonly JudgedValue[]): string {
  const printed = values.some((value) => value.printed !== null) ? ['With a printed label', 'Right of these'] : [];
  const rows = bounds.slice(0, -1).map((from, index) => {
    const to = bounds[index + 1]!;
    const last = index === bounds.length - 2;
    return binRow(
      `${from} – ${to}`,
      values.filter(({ confidence }) => confidence >= from && (confidence < to || last)),
      printed.length > 0,
    );
  });
  const sure = values.filter(({ confidence }) => confidence >= 90);
  rows.push(binRow(`**90 and more** (${percent(sure.length, values.length)} of all)`, sure, printed.length > 0));
  return table([`${title}: confidence`, 'Values', 'Mean confidence', 'Right', ...printed], rows);
}

function binRow(label: string, values: readonly JudgedValue[], showsPrinted: boolean): string[] {
  const mean = values.reduce((sum, { confidence }) => sum + confidence, 0) / values.length;
  const counted = values.filter(({ printed }) => printed === true);
  return [
    label,
    `${values.length}`,
    values.length === 0 ? '' : mean.toFixed(1),
    shareRight(values),
    ...(showsPrinted ? [`${counted.length}`, shareRight(counted)] : []),
  ];
}

function shareRight(values: readonly JudgedValue[]): string {
  return percent(values.filter(({ right }) => right).length, values.length);
}

/** The wrong answers, one a line with what the page has there, for people who improve the engine on the training part. */
export function errorListOf({
  errors,
  rowErrors,
  cellErrors,
}: Pick<SetScore, 'errors' | 'rowErrors' | 'cellErrors'>): string {
  const describe = ({ key, field, truth, answer }: FieldError) =>
    `${key}\t${field}\ttrue ${JSON.stringify(truth)}\tanswered ${answer ? givenOf(answer) : 'nothing'}`;
  const rows = rowErrors.map(({ key, kind, row }) => `${key}\t${kind} row\t${JSON.stringify(row)}`);
  return [...errors.map(describe), ...rows, ...cellErrors.map(describe)].join('\n');
}

function givenOf({ value, confidence, provenance }: ExtractedValue): string {
  const read = provenance.map(({ text }) => text).join(' / ');
  return `${JSON.stringify(value)} (${confidence.toFixed(0)})${read === '' ? '' : ` «${read}»`}`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const alignment = header.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(header), line(alignment), ...rows.map(line)].join('\n');
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}
