import { useAmounts } from '@millrace/ui/amounts';
import { showDone } from '@millrace/ui/form';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { SchemaForm } from '@millrace/ui/schema-form';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate } from '@tanstack/react-router';
import { bodyOf, type DataOf, useList, useWrite } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';
import { ListScreen } from '../../frame/list-screen.tsx';

type Period = DataOf<'listBillingPeriods'>['periods'][number];

const tones: Readonly<Record<Period['state'], Tone>> = { open: 'active', closing: 'warning', closed: 'good' };

/** The state of a billing period; one that has ended waits to be closed. */
export function PeriodMark({ period }: { readonly period: Pick<Period, 'state' | 'endsAt'> }) {
  const { state, endsAt } = period;
  if (state === 'open' && Date.parse(endsAt) <= Date.now()) return <Mark tone="warning">Ended</Mark>;
  return <Mark tone={tones[state]}>{wordsOf(state)}</Mark>;
}

/** The billing periods of the organization. */
export function BillingPeriodList() {
  const { rangeOf } = useCivilDays();
  const amountOf = useAmounts();
  const numbers = useNumbers();
  return (
    <ListScreen
      title="Billing periods"
      description="Closing a period makes an invoice for each developer. Late usage goes on the next one."
      noun="billing periods"
      list={useList('listBillingPeriods')}
      actions={[
        {
          label: 'Open period',
          icon: IconPlus,
          primary: true,
          permission: 'billing.write',
          form: { title: 'Open period', body: (close) => <OpenForm onClose={close} /> },
        },
      ]}
      columns={[
        {
          title: 'Period',
          sort: 'startsAt',
          cell: ({ id, firstDay, lastDay }) => (
            <TextLink to="/billing-periods/$periodId" params={{ periodId: id }}>
              {rangeOf(firstDay, lastDay)}
            </TextLink>
          ),
        },
        { title: 'State', sort: 'state', cell: (period) => <PeriodMark period={period} /> },
        {
          title: 'Invoices',
          align: 'end',
          cell: ({ totals }) =>
            totals === null ? '–' : numbers.count(totals.currencies.reduce((sum, { invoices }) => sum + invoices, 0)),
        },
        {
          title: 'Total',
          align: 'end',
          cell: ({ totals }) => (
            <Lines
              texts={(totals?.currencies ?? []).map(({ totalMinor, currency }) =>
                amountOf({ amountMinor: totalMinor, currency }),
              )}
            />
          ),
        },
        { title: 'Time zone', cell: ({ timeZone }) => timeZone.replaceAll('_', ' ') },
        {
          title: 'Closed',
          cell: ({ closedAt, closedByName }) => (
            <>
              <Ago at={closedAt} />
              {closedAt !== null && closedByName !== null && ` by ${closedByName}`}
            </>
          ),
        },
      ]}
      hiddenColumns={['Time zone']}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      empty={
        <EmptyList>No billing periods yet. Open the first: from then on, the next one opens when it ends.</EmptyList>
      }
    />
  );
}

function OpenForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const open = useWrite('openBillingPeriod');
  return (
    <SchemaForm
      schema={bodyOf('openBillingPeriod')}
      fields={{
        firstDay: { placeholder: '2026-01-01', help: 'Only of the first period; later ones begin where the last ends' },
        lastDay: { placeholder: '2026-01-31', help: 'Empty: as the billing settings say' },
      }}
      submitLabel="Open"
      onCancel={onClose}
      send={async (body) => {
        const { id } = await open.mutateAsync({ body });
        showDone('Billing period opened.');
        onClose();
        await navigate({ to: '/billing-periods/$periodId', params: { periodId: id } });
      }}
    />
  );
}
