import { Alert, SimpleGrid } from '@mantine/core';
import type { PolicyFlow } from '@millrace/policies/kind';
import { WriteCancelled } from '@millrace/ui/form';
import { Failure, Loaded } from '@millrace/ui/page';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DataOf, ResponseError, useRead, useWrite } from '../../../frame/api.ts';
import { useOpened } from '../opened.ts';
import { useProxy } from '../proxy-context.tsx';
import type { Policy } from './flows.ts';
import { PolicyDrawer } from './policy-drawer.tsx';
import { PolicyLane } from './policy-lane.tsx';
import { PolicyPalette } from './policy-palette.tsx';

type Policies = DataOf<'listPolicies'>;

/** The policies that requests pass through on their way to the target, and responses on their way back. */
export function PoliciesTab() {
  const { proxy } = useProxy();
  const params = { proxyId: proxy.id };
  const read = useRead('listPolicies', { params, query: { pageSize: 100 } });
  const routes = useRead('listRoutes', { params, query: { pageSize: 100 } });
  const [opened, open] = useOpened('policy');
  const [attaching, attach] = useOpened('attach');
  return (
    <>
      <Loaded read={read}>
        {({ policies }) => (
          <Flows policies={policies} routes={routes.data?.routes ?? []} onOpen={open} onAttach={attach} />
        )}
      </Loaded>
      {routes.error && <Failure error={routes.error} />}
      {opened !== null && (
        <PolicyDrawer policyId={opened} routes={routes.data?.routes ?? []} onClose={() => open(null)} />
      )}
      {attaching !== null && (
        <PolicyPalette
          flow={attaching === 'response' ? 'response' : 'request'}
          policies={read.data?.policies ?? []}
          routes={routes.data?.routes ?? []}
          onClose={() => attach(null)}
        />
      )}
    </>
  );
}

function Flows(props: {
  readonly policies: readonly Policy[];
  readonly routes: DataOf<'listRoutes'>['routes'];
  readonly onOpen: (policyId: string) => void;
  readonly onAttach: (flow: PolicyFlow) => void;
}) {
  const { policies, routes, onOpen, onAttach } = props;
  const [refused, setRefused] = useState<string | null>(null);
  const reorder = useReorder(setRefused);
  const lane = (flow: PolicyFlow) => (
    <PolicyLane
      flow={flow}
      policies={policies.filter((policy) => policy.flow === flow)}
      routes={routes}
      onReorder={(ordered) => reorder(flow, ordered)}
      onRefused={setRefused}
      onOpen={onOpen}
      onAttach={() => onAttach(flow)}
    />
  );
  return (
    <>
      <div aria-live="assertive">
        {refused !== null && (
          <Alert
            color="red"
            title="This order is not allowed"
            mb="md"
            withCloseButton
            closeButtonLabel="Dismiss"
            onClose={() => setRefused(null)}
          >
            {refused}
          </Alert>
        )}
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {lane('request')}
        {lane('response')}
      </SimpleGrid>
    </>
  );
}

/** Reorders a flow on the screen at once, and undoes it if the server rejects the order. */
function useReorder(onRefused: (reason: string | null) => void) {
  const cache = useQueryClient();
  const { proxy } = useProxy();
  const order = useWrite('orderPolicies');
  return async (flow: PolicyFlow, ordered: readonly Policy[]) => {
    onRefused(null);
    const shown = cache.getQueriesData<Policies>({ queryKey: ['listPolicies'] });
    for (const [key, data] of shown) {
      if (!data?.policies.some(({ proxyId }) => proxyId === proxy.id)) continue;
      const others = data.policies.filter((policy) => policy.flow !== flow);
      const policies = flow === 'request' ? [...ordered, ...others] : [...others, ...ordered];
      cache.setQueryData<Policies>(key, { ...data, policies });
    }
    try {
      const policyIds = ordered.map(({ id }) => id);
      await order.mutateAsync({ params: { proxyId: proxy.id }, body: { flow, policyIds } });
    } catch (error) {
      for (const [key, data] of shown) cache.setQueryData(key, data);
      if (error instanceof WriteCancelled) return;
      onRefused(
        error instanceof ResponseError ? messageOf(error) : 'The server can’t be reached. The order has not changed.',
      );
    } finally {
      await cache.invalidateQueries();
    }
  };
}

function messageOf(error: ResponseError): string {
  return Object.values(error.errors)[0] ?? error.message;
}
