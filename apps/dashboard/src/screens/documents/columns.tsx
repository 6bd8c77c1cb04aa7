import { Text } from '@mantine/core';
import type { Column } from '@millrace/ui/record-table';
import { Ago } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import type { AnswerOf } from '../../frame/api.ts';
import { ConfidenceMark } from '../../frame/confidence.tsx';
import { DocumentState } from '../../frame/document-state.tsx';
import { sourceNames } from '../../frame/document-words.ts';
import { isNumeric, textOf } from '../document/value-text.ts';

export type Listed = AnswerOf<'listDocuments'>['items'][number];
type FieldColumn = AnswerOf<'getDocumentColumns'>['fields'][number];

/** Columns that every document has, by their names in the API. */
export const ownTitles: Readonly<Record<string, string>> = {
  type: 'Type',
  state: 'Status',
  supplier: 'Supplier',
  confidence: 'Confidence',
  to_check: 'To check',
  source: 'Source',
  pages: 'Pages',
  arrived: 'Arrived',
};

const ownColumns: Readonly<Record<string, Omit<Column<Listed>, 'title'>>> = {
  state: { cell: (document) => <State document={document} /> },
  supplier: { cell: ({ supplier }) => supplier ?? '–' },
  to_check: { cell: (document) => toCheck(document) },
  source: { cell: ({ source }) => sourceNames[source] },
  pages: { align: 'end', cell: ({ pageCount }) => pageCount ?? '–' },
  arrived: { cell: ({ createdAt }) => <Ago at={createdAt} /> },
};

/** The field of a column such as `field.invoice_date`; undefined for another column. */
export function fieldOf(column: string, fields: readonly FieldColumn[]): FieldColumn | undefined {
  return fields.find(({ name }) => column === `field.${name}`);
}

/** The field values to request for these columns; amounts are shown with their currency. */
export function valuesOf(columns: readonly string[], fields: readonly FieldColumn[]): string | undefined {
  const shown = columns.flatMap((column) => fieldOf(column, fields) ?? []);
  const names = shown.map(({ name }) => name);
  const withCurrency = shown.some(({ kind }) => kind === 'amount') ? [...names, 'currency'] : names;
  return names.length === 0 ? undefined : [...new Set(withCurrency)].join(',');
}

/** The chosen columns, as a table shows them. */
export function tableColumns(
  columns: readonly string[],
  fields: readonly FieldColumn[],
  { threshold, typeName }: { readonly threshold: number; readonly typeName: (docType: string) => string },
): readonly Column<Listed>[] {
  return columns.flatMap((column): Column<Listed>[] => {
    const field = fieldOf(column, fields);
    if (field) return [valueColumn(field)];
    if (column === 'confidence') return [{ title: ownTitles.confidence!, cell: (row) => confidence(row, threshold) }];
    if (column === 'type') {
      const cell = ({ docType, state }: Listed) => (state === 'processing' ? '–' : typeName(docType));
      return [{ title: ownTitles.type!, cell }];
    }
    const own = ownColumns[column];
    return own ? [{ title: ownTitles[column]!, ...own }] : [];
  });
}

function valueColumn({ name, label, kind }: FieldColumn): Column<Listed> {
  return {
    title: label,
    ...(isNumeric(kind) ? { align: 'end' } : {}),
    cell: ({ values }) => {
      const text = textOf(values?.[name], kind);
      if (text === '') return '–';
      const currency = kind === 'amount' ? values?.currency : undefined;
      return (
        <Text span inherit lineClamp={2} className="file-name">
          {typeof currency === 'string' ? `${text} ${currency}` : text}
        </Text>
      );
    },
  };
}

function confidence({ lowestConfidence }: Listed, threshold: number) {
  return lowestConfidence === null ? '–' : <ConfidenceMark confidence={lowestConfidence} threshold={threshold} />;
}

function toCheck({ doubtfulCount, confirmedAt }: Listed): string {
  if (confirmedAt !== null) return 'Confirmed';
  if (doubtfulCount === 0) return '–';
  return counted(doubtfulCount, 'value');
}

function State({ document: { state, error } }: { readonly document: Listed }) {
  return (
    <>
      <DocumentState state={state} />
      {error && (
        <Text size="xs" c="dimmed" maw={240}>
          {error.message}
        </Text>
      )}
    </>
  );
}
