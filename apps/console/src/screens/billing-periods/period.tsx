import { Page } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { Outlet, useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useCivilDays } from '../../frame/civil-days.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { CloseForm } from './close-form.tsx';
import { PeriodMark } from './list.tsx';

const sections = [
  { to: '/billing-periods/$periodId', label: 'Reconciliation', permission: 'billing.read' },
  { to: '/billing-periods/$periodId/invoices', label: 'Invoices', permission: 'billing.read' },
] as const satisfies readonly PermittedSection[];

/** One billing period: its header and its sections. */
export function BillingPeriodScreen() {
  const { periodId } = useParams({ from: '/shell/billing-periods/$periodId' });
  // Closing goes on in the background.
  const read = useRead('getBillingPeriod', { params: { periodId }, query: {} }, { refetchInterval: 5_000 });
  const { daysOf, rangeOf } = useCivilDays();
  return (
    <EntityScreen read={read}>
      {(period) => (
        <Page
          title={rangeOf(period.firstDay, period.lastDay)}
          mark={<PeriodMark period={period} />}
          description={
            <>
              {daysOf(period.firstDay, period.lastDay)} in {period.timeZone.replaceAll('_', ' ')}
              {period.closedAt !== null && (
                <>
                  {' · '}closed <Ago at={period.closedAt} />
                  {period.closedByName !== null && ` by ${period.closedByName}`}
                </>
              )}
            </>
          }
          crumbs={[{ label: 'Billing periods', to: '/billing-periods' }]}
          actions={<Actions period={period} />}
          tabs={<PermittedSections label="Sections of the billing period" sections={sections} params={{ periodId }} />}
        >
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ period }: { readonly period: DataOf<'getBillingPeriod'> }) {
  const ended = Date.parse(period.endsAt) <= Date.now();
  return (
    <PermittedActions
      actions={[
        {
          label: 'Close period',
          primary: true,
          hidden: period.state !== 'open',
          permission: 'billing.write',
          blocked: !ended && 'It can be closed once it has ended.',
          form: { title: 'Close period', body: (close) => <CloseForm period={period} onClose={close} /> },
        },
      ]}
    />
  );
}
