import { Checkbox, Code, Group, Radio, Stack, Table, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Loaded, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ProxyField } from '../../frame/entity-fields.tsx';
import { MethodBadge, PathText } from '../proxies/route-text.tsx';

type Product = DataOf<'getProduct'>;
type Bundled = Product['proxies'][number];

/** The API proxies that a product bundles, whole or by some of their routes. */
export function BundledProxies({ product }: { readonly product: Product }) {
  const remove = useWrite('removeProductProxy');
  const [bundling, setBundling] = useState<Bundled | 'another' | null>(null);
  const [removing, setRemoving] = useState<Bundled | null>(null);
  const close = () => setBundling(null);
  return (
    <Section
      title="API proxies"
      actions={
        <PermittedButton permission="product.write" onClick={() => setBundling('another')}>
          Bundle an API proxy
        </PermittedButton>
      }
    >
      {product.proxies.length === 0 ? (
        <Text c="dimmed">It bundles no API proxy yet, so nobody can call anything by it.</Text>
      ) : (
        <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>API proxy</Table.Th>
                <Table.Th>Base path</Table.Th>
                <Table.Th>Routes</Table.Th>
                <Table.Th>Actions</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {product.proxies.map((bundled) => (
                <Table.Tr key={bundled.proxyId}>
                  <Table.Td>
                    <TextLink to="/proxies/$proxyId" params={{ proxyId: bundled.proxyId }}>
                      {bundled.proxyDisplayName}
                    </TextLink>
                  </Table.Td>
                  <Table.Td>
                    <code>{bundled.basePath}</code>
                  </Table.Td>
                  <Table.Td>
                    {bundled.routeIds === null ? 'All, those to come included' : `${bundled.routeIds.length} chosen`}
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs" wrap="nowrap">
                      <PermittedButton
                        size="compact-sm"
                        variant="default"
                        permission="product.write"
                        aria-label={`Choose routes of ${bundled.proxyDisplayName}`}
                        onClick={() => setBundling(bundled)}
                      >
                        Choose routes
                      </PermittedButton>
                      <PermittedButton
                        size="compact-sm"
                        variant="default"
                        permission="product.write"
                        aria-label={`Unbundle ${bundled.proxyDisplayName}`}
                        onClick={() => setRemoving(bundled)}
                      >
                        Unbundle
                      </PermittedButton>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <FormDialog
        title={bundling === 'another' ? 'Bundle an API proxy' : `Routes of ${bundling?.proxyDisplayName ?? ''}`}
        opened={bundling !== null}
        onClose={close}
      >
        <BundleForm product={product} bundled={bundling === 'another' ? null : bundling} onClose={close} />
      </FormDialog>
      {removing && (
        <Confirm
          title={`Unbundle ${removing.proxyDisplayName}`}
          action="Unbundle"
          done={`${removing.proxyDisplayName} is unbundled.`}
          onConfirm={() => remove.mutateAsync({ params: { productId: product.id, proxyId: removing.proxyId } })}
          onClose={() => setRemoving(null)}
        >
          Within a second no gateway node lets a subscriber of {product.displayName} call it by this product.
        </Confirm>
      )}
    </Section>
  );
}

interface Values {
  readonly proxyId: string;
  /** Null: all of them. */
  readonly routeIds: readonly string[] | null;
}

/** Bundles a proxy, or changes which of its routes are bundled. */
function BundleForm(props: {
  readonly product: Product;
  /** Null: another one is chosen. */
  readonly bundled: Bundled | null;
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
      showDone(bundled ? 'The routes are changed.' : 'The API proxy is bundled.');
      onClose();
    },
  );
  const { proxyId, routeIds } = form.values;
  const already = new Set(product.proxies.map((present) => present.proxyId));
  return (
    <FormBody
      form={form}
      submitLabel={bundled ? 'Save' : 'Bundle'}
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
          disabled={({ id }) => already.has(id)}
        />
      )}
      <Radio.Group
        label="Which routes"
        value={routeIds === null ? 'all' : 'some'}
        onChange={(which) => form.set('routeIds', which === 'all' ? null : [])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All of them, those to come included" />
          <Radio value="some" label="Only those that are chosen here" disabled={proxyId === ''} />
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
            It has no route yet.
          </Text>
        ) : (
          <Checkbox.Group
            label="Routes"
            description="Of its working copy; a deployed revision that has none of them is not called by this product"
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
                      ? 'Bundled; none of the first hundred routes'
                      : 'Bundled; the working copy has it no more, though a deployed revision may'
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
