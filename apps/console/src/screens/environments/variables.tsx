import { Button, Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Mark } from '@millrace/ui/mark';
import type { Column } from '@millrace/ui/record-table';
import { Moment } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { Can, PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';

type Variable = DataOf<'listEnvironmentVariables'>['variables'][number];

type Dialog =
  | { readonly kind: 'set'; readonly variable: Variable | null }
  | { readonly kind: 'remove'; readonly variable: Variable };

/** The variables of an environment: set, replaced, removed; secret values are never shown. */
export function Variables({ environmentId }: { readonly environmentId: string }) {
  const search = useSearch({ from: '/shell/environments/$environmentId' });
  const list = useRead('listEnvironmentVariables', { params: { environmentId }, query: listQueryOf(search) });
  const remove = useWrite('deleteEnvironmentVariable');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const columns: readonly Column<Variable & { readonly id: string }>[] = [
    { title: 'Name', sort: 'name', cell: ({ name }) => <code>{name}</code> },
    {
      title: 'Value',
      cell: ({ secret, value }) =>
        secret ? <Mark tone="neutral">Secret</Mark> : <code className="long-value">{value}</code>,
    },
    { title: 'Changed', sort: 'updatedAt', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
    {
      title: 'Actions',
      cell: (variable) => (
        <Can anyOf={['environment.write']}>
          <Group gap="xs" wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Change ${variable.name}`}
              onClick={() => setDialog({ kind: 'set', variable })}
            >
              Change
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Remove ${variable.name}`}
              onClick={() => setDialog({ kind: 'remove', variable })}
            >
              Remove
            </Button>
          </Group>
        </Can>
      ),
    },
  ];
  return (
    <>
      <ResourceList
        noun="variables"
        rows={list.data?.variables.map((variable) => ({ ...variable, id: variable.name }))}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={columns}
        filters={[
          {
            name: 'secret',
            label: 'Secrecy',
            options: [
              { value: 'true', label: 'Secret' },
              { value: 'false', label: 'Readable' },
            ],
          },
        ]}
        actions={
          <PermittedButton
            size="sm"
            permission="environment.write"
            onClick={() => setDialog({ kind: 'set', variable: null })}
          >
            Set a variable
          </PermittedButton>
        }
      />
      <FormDialog
        title={dialog?.variable ? `Change ${dialog.variable.name}` : 'Set a variable'}
        opened={dialog?.kind === 'set'}
        onClose={close}
      >
        <VariableForm environmentId={environmentId} variable={dialog?.variable ?? null} onClose={close} />
      </FormDialog>
      {dialog?.kind === 'remove' && (
        <Confirm
          title={`Remove ${dialog.variable.name}`}
          action="Remove"
          done={`${dialog.variable.name} is removed.`}
          onConfirm={() => remove.mutateAsync({ params: { environmentId, name: dialog.variable.name } })}
          onClose={close}
        >
          Policies and targets that name it fail until it is set again.
        </Confirm>
      )}
    </>
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
      showDone(`${name} is set.`);
      onClose();
    },
  );
  return (
    <FormBody form={form} submitLabel="Set" onCancel={onClose}>
      <TextInput
        label="Name"
        description="Policies write it as {{variables.NAME}}"
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
        description="Stored encrypted, and never read back"
        checked={form.values.secret}
        onChange={(event) => form.set('secret', event.currentTarget.checked)}
        error={form.errorAt('secret')}
      />
    </FormBody>
  );
}
