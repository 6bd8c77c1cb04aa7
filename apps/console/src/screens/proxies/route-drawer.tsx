import { Autocomplete, Group, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { routeMethods } from '@millrace/revision/content';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Loaded } from '@millrace/ui/page';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { useProxy } from './proxy-context.tsx';
import { PathText } from './route-text.tsx';

type Route = DataOf<'getRoute'>;

/**
 * A route beside the list, to be added or changed.
 *
 * @param props.routeId `new` for one that is added
 */
export function RouteDrawer(props: { readonly routeId: string; readonly onClose: () => void }) {
  const { routeId, onClose } = props;
  const { proxy } = useProxy();
  const isNew = routeId === 'new';
  const read = useRead('getRoute', { params: { proxyId: proxy.id, routeId } }, { enabled: !isNew });
  return (
    <FormDialog title={isNew ? 'Add a route' : 'Edit the route'} opened onClose={onClose} large>
      {isNew ? (
        <RouteForm route={null} onClose={onClose} />
      ) : (
        <Loaded read={read}>{(route) => <RouteForm key={route.id} route={route} onClose={onClose} />}</Loaded>
      )}
    </FormDialog>
  );
}

interface RouteValues {
  readonly method: Route['method'];
  readonly pathPattern: string;
  readonly targetServer: string;
  readonly targetPath: string | null;
  readonly timeoutMs: number | null;
  readonly summary: string;
  readonly description: string;
}

const newRoute: RouteValues = {
  method: 'GET',
  pathPattern: '/',
  targetServer: '',
  targetPath: null,
  timeoutMs: 10_000,
  summary: '',
  description: '',
};

function RouteForm(props: { readonly route: Route | null; readonly onClose: () => void }) {
  const { route, onClose } = props;
  const { proxy } = useProxy();
  const { can } = useSession();
  const add = useWrite('createRoute');
  const update = useWrite('updateRoute');
  // That of the values which are edited: a change by somebody else in the meantime is refused, not written over.
  const [version] = useState(route?.version);
  const targets = useRead('listTargetServers', { query: { pageSize: '100', sort: 'name' } });
  const form = useForm<RouteValues>(route ? valuesOf(route) : newRoute, async (body) => {
    const params = { proxyId: proxy.id };
    await (route
      ? update.mutateAsync({ params: { ...params, routeId: route.id }, body, version })
      : add.mutateAsync({ params, body }));
    showDone(route ? 'The route is saved.' : 'The route is added.');
    onClose();
  });
  const { method, pathPattern, targetServer, targetPath, timeoutMs } = form.values;
  return (
    <FormBody form={form} submitLabel={route ? 'Save' : 'Add'} onCancel={onClose} disabled={!can('proxy.write')}>
      <Group align="start" wrap="nowrap">
        <Select
          label="Method"
          data={[...routeMethods]}
          value={method}
          onChange={(value) => value && form.set('method', value as Route['method'])}
          error={form.errorAt('method')}
          allowDeselect={false}
          w={130}
        />
        <TextInput
          label="Path"
          required
          flex={1}
          placeholder="/{orderId}/lines"
          {...form.text('pathPattern')}
          spellCheck={false}
          data-autofocus
        />
      </Group>
      <div>
        <PathText path={`${proxy.basePath}${pathPattern === '/' ? '' : pathPattern}`} />
      </div>
      <Autocomplete
        label="Target server"
        description="By its name, which is the same in every environment; each environment has its own host under it."
        required
        data={[...new Set((targets.data?.targetServers ?? []).map(({ name }) => name))]}
        value={targetServer}
        onChange={(value) => form.set('targetServer', value)}
        error={form.errorAt('targetServer')}
      />
      <TextInput
        label="Path at the target"
        description="With the parameters of the path, such as /orders/{orderId}; empty: the path as it was called."
        value={targetPath ?? ''}
        onChange={(event) => form.set('targetPath', event.currentTarget.value || null)}
        error={form.errorAt('targetPath')}
        spellCheck={false}
      />
      <NumberInput
        label="Time-out (milliseconds)"
        description="How long the target may take; empty: the gateway's default, which the rule REL-001 objects to."
        value={timeoutMs ?? ''}
        onChange={(value) => form.set('timeoutMs', value === '' ? null : Number(value))}
        error={form.errorAt('timeoutMs')}
        thousandSeparator=","
        step={1_000}
        clampBehavior="none"
      />
      <TextInput label="Summary" description="What the call does, in a few words." {...form.text('summary')} />
      <Textarea label="Description" autosize minRows={2} maxRows={10} {...form.text('description')} />
    </FormBody>
  );
}

function valuesOf(route: Route): RouteValues {
  const { method, pathPattern, targetServer, targetPath, timeoutMs, summary, description } = route;
  return { method, pathPattern, targetServer, targetPath, timeoutMs, summary, description };
}
