import { Group, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { showDone, useForm } from '../../frame/form.ts';
import { FormBody } from '../../frame/form-dialog.tsx';

type TargetServer = DataOf<'getTargetServer'>;

const usualPort = { http: 80, https: 443 } as const;

/** Registers a target server, or changes the given one. */
export function TargetServerForm(props: {
  readonly targetServer?: TargetServer;
  readonly onCancel: () => void;
  readonly onSaved: (targetServer: TargetServer) => void;
}) {
  const { targetServer } = props;
  const { options } = useEnvironments();
  const create = useWrite('createTargetServer');
  const update = useWrite('updateTargetServer');
  const form = useForm(
    {
      environmentId: targetServer?.environmentId ?? '',
      name: targetServer?.name ?? '',
      description: targetServer?.description ?? '',
      scheme: targetServer?.scheme ?? ('https' as 'http' | 'https'),
      host: targetServer?.host ?? '',
      port: targetServer?.port ?? (443 as number),
      healthPath: targetServer?.healthPath ?? '',
    },
    async ({ environmentId, ...values }) => {
      const body = { ...values, healthPath: values.healthPath === '' ? null : values.healthPath };
      const saved = targetServer
        ? await update.mutateAsync({
            params: { targetServerId: targetServer.id },
            body,
            version: targetServer.version,
          })
        : await create.mutateAsync({ body: { environmentId, ...body } });
      showDone(targetServer ? 'The target server is changed.' : 'The target server is registered.');
      props.onSaved(saved);
    },
  );
  const { scheme, port } = form.values;
  return (
    <FormBody form={form} submitLabel={targetServer ? 'Save' : 'Register'} onCancel={props.onCancel}>
      {targetServer === undefined && (
        <Select
          label="Environment"
          required
          data={options}
          value={form.values.environmentId || null}
          onChange={(value) => form.set('environmentId', value ?? '')}
          error={form.errorAt('environmentId')}
          data-autofocus
        />
      )}
      <TextInput
        label="Name"
        description="By which routes find it, in whatever environment they serve"
        required
        {...form.text('name')}
      />
      <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
      <Group align="start" wrap="wrap">
        <Select
          label="Scheme"
          w={110}
          allowDeselect={false}
          data={['https', 'http']}
          value={scheme}
          onChange={(value) => {
            const next = value === 'http' ? 'http' : 'https';
            form.set('scheme', next);
            if (port === usualPort[scheme]) form.set('port', usualPort[next]);
          }}
          error={form.errorAt('scheme')}
        />
        <TextInput label="Host" required style={{ flex: 1, minWidth: 180 }} {...form.text('host')} />
        <NumberInput
          label="Port"
          required
          w={110}
          value={port}
          hideControls
          allowDecimal={false}
          allowNegative={false}
          onChange={(value) => form.set('port', Number(value))}
          error={form.errorAt('port')}
        />
      </Group>
      <TextInput
        label="Health path"
        description="Answers 2xx where the server is well; without it, connecting is enough"
        placeholder="/health"
        {...form.text('healthPath')}
      />
    </FormBody>
  );
}
