import { Stack, Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Loaded } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { TrafficStrip } from '../traffic/strip.tsx';
import { useProxy } from './proxy-context.tsx';
import { TargetServerField } from './target-server-field.tsx';

type Route = DataOf<'getRoute'>;

/**
 * A route beside the list.
 *
 * @param props.routeId `new` to add one
 */
export function RouteDrawer(props: { readonly routeId: string; readonly onClose: () => void }) {
  const { routeId, onClose } = props;
  const { proxy } = useProxy();
  const isNew = routeId === 'new';
  const read = useRead('getRoute', { params: { proxyId: proxy.id, routeId } }, { enabled: !isNew });
  return (
    <FormDialog title={isNew ? 'Add route' : 'Edit route'} opened onClose={onClose} large>
      {isNew ? (
        <RouteForm onClose={onClose} />
      ) : (
        <Loaded read={read}>
          {(route) => (
            <Stack gap="lg">
              <TrafficStrip of={{ proxyId: proxy.id, routeId }} />
              <RouteForm key={route.id} route={route} onClose={onClose} />
            </Stack>
          )}
        </Loaded>
      )}
    </FormDialog>
  );
}

function RouteForm(props: { readonly route?: Route; readonly onClose: () => void }) {
  const { route, onClose } = props;
  const { proxy } = useProxy();
  const { can } = useSession();
  const add = useWrite('createRoute');
  const update = useWrite('updateRoute');
  // The version of the values in the form: a change by somebody else in the meantime is refused, not overwritten.
  const [version] = useState(route?.version);
  return (
    <SchemaForm
      schema={bodyOf('createRoute')}
      initial={route}
      preset={{ method: 'GET', pathPattern: '/', timeoutMs: 10_000 }}
      fields={{
        method: { widthPx: 120 },
        pathPattern: {
          label: 'Path',
          beside: true,
          placeholder: '/{orderId}/lines',
        },
        targetServer: {
          render: ({ value, onChange, error }) => (
            <TargetServerField
              value={String(value)}
              onChange={onChange}
              error={error}
              description="Each environment has its own host under this name"
            />
          ),
        },
        targetPath: { label: 'Path at the target', placeholder: '/orders/{orderId}', help: 'As called if empty' },
        timeoutMs: {
          label: 'Timeout (milliseconds)',
          help: 'The gateway’s default if empty, which rule REL-001 doesn’t accept',
        },
        summary: { help: 'What the call does, in a few words' },
      }}
      submitLabel={route ? 'Save' : 'Add'}
      disabled={!can('proxy.write')}
      onCancel={onClose}
      send={async (body) => {
        const params = { proxyId: proxy.id };
        await (route
          ? update.mutateAsync({ params: { ...params, routeId: route.id }, body, version })
          : add.mutateAsync({ params, body }));
        showDone(route ? 'Route saved.' : 'Route added.');
        onClose();
      }}
    >
      <Text size="sm" c="dimmed">
        Paths are below <code>{proxy.basePath}</code>.
      </Text>
    </SchemaForm>
  );
}
