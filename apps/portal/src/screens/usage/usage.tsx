import { Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useAmounts } from '@millrace/ui/amounts';
import { type ListSearch, listSearch } from '@millrace/ui/list-search';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { useSearchChange } from '@millrace/ui/search-change';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
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
      <Loaded read={usage}>{(shown) => <Figures usage={shown} appId={query.appId} />}</Loaded>
    </Page>
  );
}

function Filters(props: {
  readonly days: string;
  readonly appId: string | undefined;
  readonly productId: string | undefined;
}) {
  const { days, appId = '', productId = '' } = props;
  const changeSearch = useSearchChange({ replace: true });
  const apps = useRead('listPortalApps', { query: { pageSize: '100' } });
  const subscriptions = useRead('listPortalSubscriptions', { query: { pageSize: '100' } });
  const products = new Map(subscriptions.data?.subscriptions.map((each) => [each.productId, each.productName]));
  const change = (changes: ListSearch) => changeSearch((current) => ({ ...current, ...changes }));
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

type Usage = DataOf<'getPortalUsage'>;

function Figures({ usage, appId }: { readonly usage: Usage; readonly appId: string | undefined }) {
  const numbers = useNumbers();
  const amountText = useAmounts();
  const { total, days, products, apis, failures, subscriptions, budgets } = usage;
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
      <RouteFailures failures={failures} total={total} appId={appId} />
    </Stack>
  );
}

/** Failed calls by route, and those that no route is known of, so that they sum to the total. */
function RouteFailures(props: {
  readonly failures: Usage['failures'];
  readonly total: Usage['total'];
  readonly appId: string | undefined;
}) {
  const { failures, total, appId } = props;
  const numbers = useNumbers();
  const sumOf = (name: 'failed' | 'errors') => failures.reduce((sum, route) => sum + route[name], 0);
  // Calls that are reported between the two are only in the routes.
  const failed = Math.max(0, total.failed - sumOf('failed'));
  const errors = Math.min(failed, Math.max(0, total.errors - sumOf('errors')));
  if (failures.length === 0 && failed === 0) return null;
  return (
    <Section title={words.byRoute} description={words.byRouteHelp}>
      <RecordTable
        label={words.byRoute}
        rows={[
          ...failures.map((route) => ({
            ...route,
            id: `${route.proxyId} ${route.routeId}`,
            name: <RouteLink route={route} appId={appId} />,
          })),
          ...(failed === 0 ? [] : [{ id: 'other', name: words.otherRoutes, failed, errors }]),
        ]}
        columns={[
          { title: words.route, cell: ({ name }) => name },
          { title: words.failed, align: 'end', cell: (route) => numbers.count(route.failed) },
          { title: words.errors, align: 'end', cell: (route) => numbers.count(route.errors) },
        ]}
      />
    </Section>
  );
}

/** To the recent requests of a route that failed. */
function RouteLink({
  route,
  appId,
}: {
  readonly route: Usage['failures'][number];
  readonly appId: string | undefined;
}) {
  const { routeId, method, path } = route;
  if (path === null) return routeId === null ? texts.requests.noRoute : words.deleted;
  const search = listSearch({ search: path, failed: 'true', appId });
  return (
    <TextLink to="/account/usage/requests" search={search as never}>
      <code>
        {method} {path}
      </code>
    </TextLink>
  );
}
