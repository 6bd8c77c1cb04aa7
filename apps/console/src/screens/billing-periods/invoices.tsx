import { Alert, Group, Stack, Text } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { EmptyList } from '@millrace/ui/list';
import { Loaded } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { useParams, useSearch } from '@tanstack/react-router';
import { type ArgumentsOf, useList, useRead } from '../../frame/api.ts';
import { Pages, ResourceList } from '../../frame/resource-list.tsx';
import { invoiceFilters, useInvoiceColumns } from '../invoices/columns.tsx';
import { InvoiceLines } from '../invoices/lines.tsx';

/** The invoices of a period; before it is closed, what they would be. */
export function PeriodInvoices() {
  const { periodId } = useParams({ from: '/shell/billing-periods/$periodId/invoices' });
  const read = useRead('getBillingPeriod', { params: { periodId }, query: {} });
  return (
    <Loaded read={read}>
      {({ state }) => (state === 'open' ? <Preview periodId={periodId} /> : <Made periodId={periodId} />)}
    </Loaded>
  );
}

function Made({ periodId }: { readonly periodId: string }) {
  const columns = useInvoiceColumns();
  return (
    <ResourceList
      {...useList('listInvoices', undefined, { query: { periodId }, refetchInterval: 5_000 })}
      noun="invoices"
      columns={columns.filter(({ title }) => title !== 'Period')}
      filters={invoiceFilters}
      empty={<EmptyList>No developer had anything to pay in this period.</EmptyList>}
    />
  );
}

function Preview({ periodId }: { readonly periodId: string }) {
  const { page = 1 } = useSearch({ from: '/shell/billing-periods/$periodId/invoices' });
  const body = { page: Number(page) };
  const read = useRead('previewBillingPeriod', { params: { periodId }, body } as ArgumentsOf<'previewBillingPeriod'>);
  const amountOf = useAmounts();
  return (
    <Stack pt="md">
      <Text size="sm" c="dimmed">
        What closing the period now would come to. Nothing is written.
      </Text>
      <Loaded read={read}>
        {({ invoices, totalDevelopers }) => (
          <>
            {invoices.length === 0 && <EmptyList>No invoices yet: no usage or fee has come up.</EmptyList>}
            {invoices.map((invoice) => (
              <section key={`${invoice.developerId} ${invoice.currency}`} aria-label={invoice.developerName}>
                <Group justify="space-between" mb="xs">
                  <TextLink to="/developers/$developerId" params={{ developerId: invoice.developerId }} fw={600}>
                    {invoice.developerName}
                  </TextLink>
                  <Text fw={600}>{amountOf({ amountMinor: invoice.totalMinor, currency: invoice.currency })}</Text>
                </Group>
                {invoice.problems.length > 0 && (
                  <Alert color="orange" mb="xs" title="It can’t be issued yet">
                    {invoice.problems.join(' ')}
                  </Alert>
                )}
                <InvoiceLines invoice={invoice} />
              </section>
            ))}
            <Group justify="space-between">
              <Pages total={totalDevelopers} />
            </Group>
          </>
        )}
      </Loaded>
    </Stack>
  );
}
