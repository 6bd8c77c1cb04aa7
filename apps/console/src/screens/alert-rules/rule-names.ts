import { type DataOf, useRead } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { useSession } from '../../frame/session.tsx';

type Scope = Pick<
  DataOf<'getAlertRule'>,
  'environmentId' | 'proxyId' | 'appId' | 'productId' | 'integrationIds' | 'escalateAfterMinutes'
>;

/** Who can be notified, as options; empty for users who can’t read integrations. */
export function useNotifiable() {
  const { can } = useSession();
  const read = useRead('listIntegrations', { query: { pageSize: 100 } }, { enabled: can('integration.read') });
  const integrations = (read.data?.integrations ?? []).filter(
    ({ kind }) => kind !== 'opentelemetry' && kind !== 'siem',
  );
  return {
    options: integrations.map(({ id, name }) => ({ value: id, label: name })),
    nameOf: (id: string) => integrations.find((integration) => integration.id === id)?.name ?? id,
  };
}

/** The names of what a rule refers to; ids where the user can’t read them. */
export function useRuleNames({ environmentId, proxyId, appId, productId, integrationIds, ...scope }: Scope) {
  const { can } = useSession();
  const { nameOf } = useEnvironments();
  const notifiable = useNotifiable();
  const proxy = useRead(
    'getProxy',
    { params: { proxyId: proxyId ?? '' } },
    { enabled: proxyId !== null && can('proxy.read') },
  );
  const app = useRead('getApp', { params: { appId: appId ?? '' } }, { enabled: appId !== null && can('app.read') });
  const product = useRead(
    'getProduct',
    { params: { productId: productId ?? '' } },
    { enabled: productId !== null && can('product.read') },
  );
  return {
    environment: environmentId === null ? null : nameOf(environmentId),
    proxy: proxyId === null ? null : (proxy.data?.displayName ?? proxyId),
    app: appId === null ? null : (app.data?.displayName ?? appId),
    product: productId === null ? null : (product.data?.displayName ?? productId),
    integrations: integrationIds.map(notifiable.nameOf),
    escalateAfterMinutes: scope.escalateAfterMinutes,
  };
}
