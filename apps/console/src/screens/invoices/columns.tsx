import { useAmounts } from '@millrace/ui/amounts';
import { choiceOf, type Filter, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import type { Column } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';

type Invoice = DataOf<'listInvoices'>['invoices'][number];

const tones: Readonly<Record<Invoice['state'], Tone>> = {
  draft: 'neutral',
  issued: 'active',
  paid: 'good',
  void: 'warning',
};

/** The state of an invoice; one that should have been paid is overdue. */
export function InvoiceMark({ invoice }: { readonly invoice: Pick<Invoice, 'state' | 'overdue'> }) {
  const { state, overdue } = invoice;
  return overdue ? <Mark tone="bad">Overdue</Mark> : <Mark tone={tones[state]}>{wordsOf(state)}</Mark>;
}

/** Columns of every list of invoices. */
export function useInvoiceColumns(): readonly Column<Invoice>[] {
  const amountOf = useAmounts();
  const { dayOf, rangeOf } = useCivilDays();
  return [
    {
      title: 'Number',
      cell: ({ id, number }) => (
        <TextLink to="/invoices/$invoiceId" params={{ invoiceId: id }}>
          {number ?? 'Draft'}
        </TextLink>
      ),
    },
    {
      title: 'Developer',
      cell: ({ developerId, developerName }) => (
        <TextLink to="/developers/$developerId/invoices" params={{ developerId }}>
          {developerName}
        </TextLink>
      ),
    },
    { title: 'State', cell: (invoice) => <InvoiceMark invoice={invoice} /> },
    { title: 'Period', cell: ({ firstDay, lastDay }) => rangeOf(firstDay, lastDay) },
    { title: 'Issued', sort: 'issueDate', cell: ({ issueDate }) => dayOf(issueDate) },
    { title: 'Due on', sort: 'dueDate', cell: ({ dueDate }) => dayOf(dueDate) },
    {
      title: 'Total',
      sort: 'totalMinor',
      align: 'end',
      cell: ({ totalMinor, currency }) => amountOf({ amountMinor: totalMinor, currency }),
    },
    {
      title: 'Left to pay',
      align: 'end',
      cell: ({ dueMinor, currency, state }) =>
        state === 'draft' ? '–' : amountOf({ amountMinor: dueMinor, currency }),
    },
  ];
}

export const invoiceFilters: readonly Filter[] = [
  { name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) },
  choiceOf('overdue', 'Overdue', 'Overdue', 'Not overdue'),
  { name: 'currency', label: 'Currency', type: 'text' },
];
