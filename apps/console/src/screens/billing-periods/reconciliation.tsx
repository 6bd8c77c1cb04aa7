import { Alert, Group, Stack, Text } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { EmptyList } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import { useParams, useSearch } from '@tanstack/react-router';
import { type DataOf, useRead } from '../../frame/api.ts';
import { Pages } from '../../frame/resource-list.tsx';
import { Totals } from './totals.tsx';

type Period = DataOf<'getBillingPeriod'>;
type Term = Period['terms'][number];

const reasons: Readonly<Record<keyof Term['notBillable'], string>> = {
  refused: 'rejected by the gateway',
  prepaid: 'prepaid',
  trial: 'trial',
  status: 'status not billed',
  api: 'API proxy not billed',
  no_charge: 'included in the fee',
};

/** Whether what gateway nodes admitted, what was metered and what is billed agree, term by term. */
export function Reconciliation() {
  const { periodId } = useParams({ from: '/shell/billing-periods/$periodId/' });
  const { page = 1 } = useSearch({ from: '/shell/billing-periods/$periodId/' });
  const read = useRead('getBillingPeriod', { params: { periodId }, query: { page: Number(page) } });
  return (
    <Loaded read={read}>
      {(period) => (
        <Stack gap="lg" pt="md">
          <NodesBehind period={period} />
          {period.totals && <Totals currencies={period.totals.currencies} />}
          <Section
            title="Calls by subscription"
            description="Admitted by gateway nodes = metered = billed + not billable + late"
          >
            <Terms terms={period.terms} />
            <Group justify="space-between" mt="sm">
              <Pages total={period.totalTerms} />
            </Group>
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function NodesBehind({ period }: { readonly period: Period }) {
  const { nodesBehind, state } = period;
  if (state !== 'open' || nodesBehind.length === 0) return null;
  return (
    <Alert color="orange" title={`${counted(nodesBehind.length, 'gateway node')} may still report usage`}>
      {nodesBehind.map(({ id, name, usageCompleteUntil }) => (
        <Text key={id} size="sm">
          <TextLink to="/gateway-nodes/$nodeId" params={{ nodeId: id }} inherit>
            {name}
          </TextLink>
          : complete until <Moment at={usageCompleteUntil} absent="no time yet" />
        </Text>
      ))}
    </Alert>
  );
}

function Terms({ terms }: { readonly terms: readonly Term[] }) {
  const numbers = useNumbers();
  const amountOf = useAmounts();
  if (terms.length === 0) return <EmptyList>No subscription had a rate plan in this period.</EmptyList>;
  return (
    <RecordTable
      label="Table of calls by subscription"
      rows={terms.map((term) => ({ ...term, id: term.termId }))}
      columns={[
        {
          title: 'Subscription',
          cell: ({ subscriptionId, appName }) => (
            <TextLink to="/subscriptions/$subscriptionId" params={{ subscriptionId }}>
              {appName}
            </TextLink>
          ),
        },
        { title: 'Admitted', align: 'end', cell: ({ admitted }) => numbers.count(admitted) },
        { title: 'Metered', align: 'end', cell: ({ metered }) => numbers.count(metered) },
        { title: 'Billed', align: 'end', cell: ({ billed }) => numbers.count(billed) },
        { title: 'Not billable', align: 'end', cell: (term) => <NotBillable term={term} /> },
        { title: 'Late', align: 'end', cell: ({ late }) => numbers.count(late) },
        { title: 'Earlier, billed now', align: 'end', cell: ({ lateBilled }) => numbers.count(lateBilled) },
        { title: 'Difference', align: 'end', cell: (term) => <Difference term={term} /> },
        {
          title: 'Amount',
          align: 'end',
          cell: ({ amountMinor, currency }) => amountOf({ amountMinor, currency }),
        },
      ]}
    />
  );
}

function NotBillable({ term }: { readonly term: Term }) {
  const numbers = useNumbers();
  const parts = Object.entries(term.notBillable).filter(([, requests]) => requests > 0);
  return (
    <>
      {numbers.count(parts.reduce((sum, [, requests]) => sum + requests, 0))}
      {parts.map(([reason, requests]) => (
        <Text key={reason} size="xs" c="dimmed">
          {numbers.count(requests)} {reasons[reason as keyof typeof reasons]}
        </Text>
      ))}
    </>
  );
}

/** Calls that are missing somewhere, in either step; never hidden. */
function Difference({ term: { notMetered, unexplained } }: { readonly term: Term }) {
  const numbers = useNumbers();
  if (notMetered === 0 && unexplained === 0) return <Mark tone="good">0</Mark>;
  return (
    <>
      {notMetered !== 0 && <Mark tone="bad">{numbers.count(notMetered)} not metered</Mark>}{' '}
      {unexplained !== 0 && <Mark tone="bad">{numbers.count(unexplained)} not billed</Mark>}
    </>
  );
}
