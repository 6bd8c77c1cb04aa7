import { Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { type ListSearch, listSearch } from '@millrace/ui/list-search';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Fact } from '@millrace/ui/values';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type DataOf, useRead } from '../../frame/api.ts';
import { lastDays } from '../../frame/days.ts';
import { texts } from '../../frame/texts.ts';
import { CallsChart } from './calls-chart.tsx';
import { LimitBar } from './limit-bar.tsx';
import { UsageTabs } from './usage-tabs.tsx';

const words = texts.usage;
/** Days shown, with a unit: the router quotes a text that could be a number. */
const ranges = ['7d', '30d', '90d', '365d'] as const;

/** Calls over time, by product and API, and against quota, allowance and budget. */
export function UsageScreen() {
  const { days = '30d', appId, productId } = useSearch({ strict: false }) as ListSearch;
  const query = {
    ...lastDays(Math.min(365, Number.parseInt(String(days), 10) || 30)),
    ...(appId === undefined ? {} : { appId: String(appId) }),
    ...(productId === undefined ? {} : { productId: String(productId) }),
  };
  const usage = useRead('getPortalUsage', { query });
  return (
    <Page title={words.title} tabs={<UsageTabs />}>
      <Filters days={String(days)} appId={query.appId} productId={query.productId} />
      <Loaded read={usage}>{(shown) => <Figures usage={shown} />}</Loaded>
    </Page>
  );
}

function Filters(props: {
  readonly days: string;
  readonly appId: string | undefined;
  readonly productId: string | undefined;
}) {
  const { days, appId = '', productId = '' } = props;
  const search = useSearch({ strict: false }) as ListSearch;
  const navigate = useNavigate();
  const apps = useRead('listPortalApps', { query: { pageSize: '100' } });
  const subscriptions = useRead('listPortalSubscriptions', { query: { pageSize: '100' } });
  const products = new Map(subscriptions.data?.subscriptions.map((each) => [each.productId, each.productName]));
  const change = (changes: ListSearch) =>
    navigate({ to: '.', search: listSearch({ ...search, ...changes }) as never, replace: true });
  return (
    <Group gap="xs" mb="lg">
      <Select
        aria-label={words.range}
        w={170}
        allowDeselect={false}
        value={days}
        onChange={(value) => change({ days: value ?? undefined })}
        data={ranges.map((range) => ({ value: range, label: words.lastDays(Number.parseInt(range, 10)) }))}
      />
      <Select
        aria-label={words.app}
        w={190}
        allowDeselect={false}
        value={appId}
        onChange={(value) => change({ appId: value || undefined })}
        data={[
          { value: '', label: words.allApps },
          ...(apps.data?.apps ?? []).map(({ id, displayName }) => ({ value: id, label: displayName })),
        ]}
      />
      <Select
        aria-label={words.product}
        w={190}
        allowDeselect={false}
        value={productId}
        onChange={(value) => change({ productId: value || undefined })}
        data={[{ value: '', label: words.allProducts }, ...[...products].map(([value, label]) => ({ value, label }))]}
      />
    </Group>
  );
}

function Figures({ usage }: { readonly usage: DataOf<'getPortalUsage'> }) {
  const numbers = useNumbers();
  const amountText = useAmounts();
  const { total, days, products, apis, recentRoutes, subscriptions, budgets } = usage;
  return (
    <Stack gap="xl">
      <div>
        <SimpleGrid cols={{ base: 2, sm: 4 }} mb="md">
          <Fact label={words.calls}>{numbers.count(total.requests)}</Fact>
          <Fact label={words.failed}>{numbers.count(total.failed)}</Fact>
          <Fact label={words.errors}>{numbers.count(total.errors)}</Fact>
          <Fact label={words.limited}>{numbers.count(total.limited)}</Fact>
        </SimpleGrid>
        <CallsChart days={days} />
      </div>
      {(subscriptions.length > 0 || budgets.length > 0) && (
        <Section title={words.limits} description={words.limitsHelp}>
          <Stack gap="md" maw={720}>
            {subscriptions.flatMap((each) => [
              each.quota && (
                <LimitBar
                  key={each.subscriptionId}
                  label={words.quotaOf(each.productName, each.appName)}
                  used={each.used ?? 0}
                  limit={each.quota.limit}
                  text={numbers.count}
                  until={each.window?.end}
                />
              ),
              ...each.allowances.map(({ charge, used, included }) => (
                <LimitBar
                  key={`${each.subscriptionId} ${charge}`}
                  label={words.allowanceOf(charge, each.productName, each.appName)}
                  used={Number(used)}
                  limit={Number(included)}
                  text={numbers.count}
                  mayExceed
                />
              )),
            ])}
            {budgets.map(({ currency, amountMinor, spentMinor }) => (
              <LimitBar
                key={currency}
                label={words.budgetIn(currency)}
                used={spentMinor}
                limit={amountMinor}
                text={(minor) => amountText({ amountMinor: minor, currency })}
                mayExceed
              />
            ))}
            {subscriptions.every(({ quota, allowances }) => quota === null && allowances.length === 0) &&
              budgets.length === 0 && (
                <Text size="sm" c="dimmed">
                  {words.noLimits}
                </Text>
              )}
          </Stack>
        </Section>
      )}
      {products.length > 0 && (
        <Section title={words.byProduct}>
          <RecordTable
            label={words.byProduct}
            rows={products.map((product) => ({ ...product, id: product.productId }))}
            columns={[
              { title: words.product, cell: ({ productName }) => productName ?? words.deleted },
              { title: words.calls, align: 'end', cell: ({ requests }) => numbers.count(requests) },
              { title: words.failed, align: 'end', cell: ({ failed }) => numbers.count(failed) },
            ]}
          />
        </Section>
      )}
      {apis.length > 0 && (
        <Section title={words.byApi}>
          <RecordTable
            label={words.byApi}
            rows={apis.map((api) => ({ ...api, id: api.proxyId }))}
            columns={[
              { title: words.api, cell: ({ displayName }) => displayName ?? words.deleted },
              { title: words.path, cell: ({ basePath }) => <code>{basePath}</code> },
              { title: words.calls, align: 'end', cell: ({ requests }) => numbers.count(requests) },
              { title: words.failed, align: 'end', cell: ({ failed }) => numbers.count(failed) },
              { title: words.errors, align: 'end', cell: ({ errors }) => numbers.count(errors) },
            ]}
          />
        </Section>
      )}
      {recentRoutes.length > 0 && (
        <Section title={words.byRoute} description={words.byRouteHelp}>
          <RecordTable
            label={words.byRoute}
            rows={recentRoutes.map((route) => ({ ...route, id: `${route.method} ${route.route}` }))}
            columns={[
              {
                title: words.route,
                cell: ({ method, route }) => (
                  <code>
                    {method} {route}
                  </code>
                ),
              },
              { title: words.calls, align: 'end', cell: ({ requests }) => numbers.count(requests) },
              { title: words.failed, align: 'end', cell: ({ failed }) => numbers.count(failed) },
              { title: words.errors, align: 'end', cell: ({ errors }) => numbers.count(errors) },
              {
                title: words.averageTime,
                align: 'end',
                cell: ({ averageMs }) => `${numbers.decimal(averageMs, 1)} ms`,
              },
            ]}
          />
        </Section>
      )}
    </Stack>
  );
}
