import { Code, Group, Select, Stack, Text } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { useState } from 'react';
import { type DataOf, useRead } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { useSession } from '../../frame/session.tsx';
import { curlLine } from './curl-line.ts';

type Proxy = DataOf<'getProduct'>['proxies'][number];

/** A command that calls, with a key, an API that its app is subscribed to. */
export function CallLine(props: { readonly appId: string; readonly apiKey: string }) {
  const { appId, apiKey } = props;
  const { can } = useSession();
  const subscriptions = useRead(
    'listSubscriptions',
    { query: { appId, state: 'approved', pageSize: 1 } },
    { enabled: can('subscription.read') },
  );
  const productId = subscriptions.data?.subscriptions[0]?.productId ?? '';
  const product = useRead(
    'getProduct',
    { params: { productId } },
    { enabled: productId !== '' && can('product.read') },
  );
  const [chosen, choose] = useState<string | null>(null);
  const proxies = product.data?.proxies ?? [];
  const proxy = proxies.find(({ proxyId }) => proxyId === chosen) ?? proxies[0];
  if (proxy === undefined || !can('proxy.read')) {
    return (
      <Text size="sm" c="dimmed">
        Send it in the header <code>x-api-key</code>, unless the API proxy expects it elsewhere.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      {proxies.length > 1 && (
        <Select
          label="API proxy"
          data={proxies.map(({ proxyId, proxyDisplayName }) => ({ value: proxyId, label: proxyDisplayName }))}
          value={proxy.proxyId}
          onChange={choose}
          allowDeselect={false}
        />
      )}
      <Line key={proxy.proxyId} proxy={proxy} apiKey={apiKey} />
    </Stack>
  );
}

function Line({ proxy, apiKey }: { readonly proxy: Proxy; readonly apiKey: string }) {
  const { proxyId, proxyDisplayName, basePath } = proxy;
  const { can } = useSession();
  const { environments } = useEnvironments();
  const params = { proxyId };
  const overview = useRead('getProxyOverview', { params });
  const routes = useRead('listRoutes', { params, query: { pageSize: 100 } });
  const policies = useRead(
    'listPolicies',
    { params, query: { flow: 'request', kind: 'verify-api-key' } },
    { enabled: can('policy.read') },
  );
  const served = overview.data?.deployments[0];
  const nodes = useRead(
    'listGatewayNodes',
    { query: { environmentId: served?.environmentId ?? '', pageSize: 100 } },
    { enabled: served !== undefined && can('gateway-node.read') },
  );
  if (overview.isPending || routes.isPending || policies.isLoading || nodes.isLoading) return null;
  const reporting = nodes.data?.gatewayNodes.filter(({ address }) => address !== null) ?? [];
  const node = reporting.find(({ health }) => health === 'healthy') ?? reporting[0];
  const bundled = routes.data?.routes.filter(({ id }) => proxy.routeIds === null || proxy.routeIds.includes(id)) ?? [];
  const line = curlLine({
    hostName: environments.find(({ id }) => id === served?.environmentId)?.hostNames[0] ?? null,
    gatewayAddress: node?.address ?? null,
    pageHost: window.location.hostname,
    basePath,
    route: bundled.find(({ pathPattern }) => !pathPattern.includes('{')) ?? bundled[0] ?? null,
    place: policies.data?.policies[0]?.configuration ?? {},
    apiKey,
  });
  return (
    <>
      <Text size="sm">
        Call {proxyDisplayName}
        {served ? ` in ${served.environmentName}` : ', which isn’t deployed yet'}:
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {line}
      </Code>
      <Group>
        <CopyButton value={line} size="sm" label="Copy command" />
      </Group>
    </>
  );
}
