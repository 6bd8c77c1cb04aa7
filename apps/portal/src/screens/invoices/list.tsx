import { useAmounts } from '@millrace/ui/amounts';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { useList } from '../../frame/api.ts';
import { Day } from '../../frame/day.tsx';
import { ListScreen } from '../../frame/list-screen.tsx';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';

const words = texts.invoices;

/** The account's invoices. */
export function InvoiceList() {
  const amountText = useAmounts();
  return (
    <ListScreen
      title={words.title}
      noun={words.noun}
      list={useList('listPortalInvoices')}
      filters={[{ name: 'state', label: words.state, options: optionsOf(['issued', 'paid', 'void']) }]}
      columns={[
        {
          title: words.number,
          cell: ({ id, number }) => (
            <TextLink to="/account/invoices/$invoiceId" params={{ invoiceId: id }}>
              {number}
            </TextLink>
          ),
        },
        { title: words.issued, sort: 'issueDate', cell: ({ issueDate }) => <Day day={issueDate} /> },
        {
          title: words.period,
          cell: ({ firstDay, lastDay }) => (
            <>
              <Day day={firstDay} /> – <Day day={lastDay} />
            </>
          ),
        },
        { title: words.state, cell: ({ state, overdue }) => <StateMark state={overdue ? 'overdue' : state} /> },
        { title: words.due, sort: 'dueDate', cell: ({ dueDate }) => <Day day={dueDate} /> },
        {
          title: words.total,
          sort: 'totalMinor',
          align: 'end',
          cell: ({ totalMinor, currency }) => amountText({ amountMinor: totalMinor, currency }),
        },
      ]}
      empty={<EmptyList>{words.empty}</EmptyList>}
    />
  );
}
