import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { IconPlus } from '@millrace/ui/icons';
import { choiceOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Ago } from '@millrace/ui/values';
import { type PermittedAction, PermittedActions, RowActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { useLacking } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';

type Variable = DataOf<'listEnvironmentVariables'>['variables'][number];

/** The variables of an environment: secret values are never shown. */
export function Variables({ environmentId }: { readonly environmentId: string }) {
  const list = useList('listEnvironmentVariables', { environmentId });
  const remove = useWrite('deleteEnvironmentVariable');
  const lacking = useLacking();
  const edit = (variable: Variable): readonly PermittedAction[] => [
    {
      label: 'Edit',
      name: `Edit ${variable.name}`,
      form: {
        title: `Edit ${variable.name}`,
        body: (close) => <VariableForm environmentId={environmentId} variable={variable} onClose={close} />,
      },
    },
    {
      label: 'Delete',
      name: `Delete ${variable.name}`,
      danger: true,
      run: () => remove.mutateAsync({ params: { environmentId, name: variable.name } }),
      done: `${variable.name} deleted.`,
      confirm: {
        title: `Delete ${variable.name}?`,
        text: 'Policies and targets that use it fail until it is set again.',
      },
    },
  ];
  return (
    <ResourceList
      {...list}
      noun="variables"
      rows={list.rows?.map((variable) => ({ ...variable, id: variable.name }))}
      columns={[
        { title: 'Name', sort: 'name', cell: ({ name }) => <code>{name}</code> },
        {
          title: 'Value',
          cell: ({ secret, value }) =>
            secret ? <Mark tone="neutral">Secret</Mark> : <code className="long-value">{value}</code>,
        },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
        {
          title: 'Actions',
          cell: (variable) => lacking('environment.write') === null && <RowActions actions={edit(variable)} />,
        },
      ]}
      filters={[choiceOf('secret', 'Secret', 'Secret', 'Readable')]}
      actions={
        <PermittedActions
          actions={[
            {
              label: 'Add variable',
              icon: IconPlus,
              permission: 'environment.write',
              form: {
                title: 'Add variable',
                body: (close) => <VariableForm environmentId={environmentId} variable={null} onClose={close} />,
              },
            },
          ]}
        />
      }
    />
  );
}

function VariableForm(props: {
  readonly environmentId: string;
  readonly variable: Variable | null;
  readonly onClose: () => void;
}) {
  const { environmentId, variable, onClose } = props;
  const set = useWrite('setEnvironmentVariable');
  const form = useForm(
    { name: variable?.name ?? '', value: variable?.value ?? '', secret: variable?.secret ?? false },
    async ({ name, value, secret }) => {
      await set.mutateAsync({ params: { environmentId, name }, body: { value, secret }, version: variable?.version });
      showDone(`${name} saved.`);
      onClose();
    },
  );
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <TextInput
        label="Name"
        description="Policies refer to it as {{variables.NAME}}"
        required
        readOnly={variable !== null}
        data-autofocus={variable === null || undefined}
        {...form.text('name')}
      />
      <Textarea
        label={variable?.secret ? 'New value' : 'Value'}
        autosize
        minRows={2}
        maxRows={12}
        data-autofocus={variable !== null || undefined}
        {...form.text('value')}
      />
      <Checkbox
        label="Secret"
        description="Stored encrypted, and never shown again"
        checked={form.values.secret}
        onChange={(event) => form.set('secret', event.currentTarget.checked)}
        error={form.errorAt('secret')}
      />
    </FormBody>
  );
}
