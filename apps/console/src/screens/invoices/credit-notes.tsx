import { useAmounts } from '@millrace/ui/amounts';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type DataOf, useList } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { InvoiceTabs } from './invoice-tabs.tsx';

type CreditNote = DataOf<'listCreditNotes'>['creditNotes'][number];

const tones: Readonly<Record<CreditNote['state'], Tone>> = { pending: 'active', issued: 'good', rejected: 'bad' };

/** The state of a credit note. */
export function CreditNoteMark({ state }: Pick<CreditNote, 'state'>) {
  return <Mark tone={tones[state]}>{state === 'pending' ? 'Waiting for approval' : wordsOf(state)}</Mark>;
}

/** The credit notes of the organization. */
export function CreditNoteList() {
  const amountOf = useAmounts();
  const { dayOf } = useCivilDays();
  return (
    <ListScreen
      title="Credit notes"
      noun="credit notes"
      tabs={<InvoiceTabs />}
      list={useList('listCreditNotes')}
      columns={[
        {
          title: 'Number',
          cell: ({ id, number }) => (
            <TextLink to="/invoices/credit-notes/$creditNoteId" params={{ creditNoteId: id }}>
              {number ?? 'Not issued'}
            </TextLink>
          ),
        },
        {
          title: 'Invoice',
          cell: ({ invoiceId, invoiceNumber }) => (
            <TextLink to="/invoices/$invoiceId" params={{ invoiceId }}>
              {invoiceNumber}
            </TextLink>
          ),
        },
        { title: 'Developer', cell: ({ developerName }) => developerName },
        { title: 'State', cell: ({ state }) => <CreditNoteMark state={state} /> },
        { title: 'Reason', cell: ({ reason }) => reason },
        { title: 'Issued', sort: 'issueDate', cell: ({ issueDate }) => dayOf(issueDate) },
        {
          title: 'Total',
          sort: 'totalMinor',
          align: 'end',
          cell: ({ totalMinor, currency }) => amountOf({ amountMinor: totalMinor, currency }),
        },
        { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      hiddenColumns={['Reason']}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      empty={<EmptyList>No credit notes yet. Credit all or a part of an invoice on its screen.</EmptyList>}
    />
  );
}
