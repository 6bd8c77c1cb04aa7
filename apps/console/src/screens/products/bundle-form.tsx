import { Checkbox, Code, Group, Radio, Stack, Text } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { Loaded } from '@millrace/ui/page';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { ProxyField } from '../../frame/entity-fields.tsx';
import { MethodBadge, PathText } from '../proxies/route-text.tsx';

type Product = DataOf<'getProduct'>;

interface Values {
  readonly proxyId: string;
  /** Null for all of them. */
  readonly routeIds: readonly string[] | null;
}

/** Adds a proxy to a product, or changes which of its routes belong to it. */
export function BundleForm(props: {
  readonly product: Product;
  /** Null to choose another one. */
  readonly bundled: Product['proxies'][number] | null;
  readonly onClose: () => void;
}) {
  const { product, bundled, onClose } = props;
  const set = useWrite('setProductProxy');
  const form = useForm<Values>(
    { proxyId: bundled?.proxyId ?? '', routeIds: bundled?.routeIds ?? null },
    async ({ proxyId, routeIds }) => {
      await set.mutateAsync({
        params: { productId: product.id, proxyId },
        body: { routeIds: routeIds === null ? null : [...routeIds] },
      });
      showDone(bundled ? 'Routes saved.' : 'API proxy added.');
      onClose();
    },
  );
  const { proxyId, routeIds } = form.values;
  const added = new Set(product.proxies.map((proxy) => proxy.proxyId));
  return (
    <FormBody
      form={form}
      submitLabel={bundled ? 'Save' : 'Add'}
      onCancel={onClose}
      disabled={proxyId === '' || routeIds?.length === 0}
    >
      {bundled === null && (
        <ProxyField
          value={proxyId}
          onChange={(id) => {
            form.set('proxyId', id);
            form.set('routeIds', null);
          }}
          error={form.errorAt('proxyId')}
          disabled={({ id }) => added.has(id)}
        />
      )}
      <Radio.Group
        label="Routes"
        value={routeIds === null ? 'all' : 'some'}
        onChange={(which) => form.set('routeIds', which === 'all' ? null : [])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All, including routes added later" />
          <Radio value="some" label="Only selected routes" disabled={proxyId === ''} />
        </Stack>
      </Radio.Group>
      {routeIds !== null && proxyId !== '' && (
        <RouteChoice
          proxyId={proxyId}
          chosen={routeIds}
          onChange={(ids) => form.set('routeIds', ids)}
          error={form.errorAt('routeIds')}
        />
      )}
    </FormBody>
  );
}

function RouteChoice(props: {
  readonly proxyId: string;
  readonly chosen: readonly string[];
  readonly onChange: (routeIds: readonly string[]) => void;
  readonly error: string | undefined;
}) {
  const { proxyId, chosen, onChange, error } = props;
  const read = useRead('listRoutes', { params: { proxyId }, query: { pageSize: 100 } });
  const [before] = useState(chosen);
  return (
    <Loaded read={read}>
      {({ routes, total }) => {
        const listed = new Set(routes.map(({ id }) => id));
        const others = before.filter((id) => !listed.has(id));
        return total + others.length === 0 ? (
          <Text c="dimmed" size="sm">
            The API proxy has no routes yet.
          </Text>
        ) : (
          <Checkbox.Group
            label="Selected routes"
            description="From the working copy. A deployed revision without any of them can’t be called through this product"
            value={[...chosen]}
            onChange={onChange}
            error={error}
          >
            <Stack gap={8} mt="xs" mah={320} style={{ overflowY: 'auto' }}>
              {routes.map(({ id, method, pathPattern, summary }) => (
                <Checkbox
                  key={id}
                  value={id}
                  label={
                    <Group gap="xs" wrap="nowrap">
                      <MethodBadge method={method} />
                      <PathText path={pathPattern} />
                    </Group>
                  }
                  description={summary || undefined}
                />
              ))}
              {others.map((id) => (
                <Checkbox
                  key={id}
                  value={id}
                  label={<Code>{id}</Code>}
                  description={
                    total > routes.length
                      ? 'Selected, but not among the first 100 routes'
                      : 'Selected, but no longer in the working copy; a deployed revision may still have it'
                  }
                />
              ))}
            </Stack>
          </Checkbox.Group>
        );
      }}
    </Loaded>
  );
}
