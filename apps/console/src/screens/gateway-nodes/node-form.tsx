import { Select, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import type { GatewayNode } from './health-mark.tsx';

/** Makes a node of an environment, which then registers by the token in the answer. */
export function RegisterForm(props: {
  readonly onCancel: () => void;
  readonly onRegistered: (node: DataOf<'createGatewayNode'>) => void;
}) {
  const create = useWrite('createGatewayNode');
  const { options } = useEnvironments();
  const form = useForm({ environmentId: '', name: '', description: '' }, async (body) => {
    props.onRegistered(await create.mutateAsync({ body }));
  });
  return (
    <FormBody form={form} submitLabel="Register" onCancel={props.onCancel} disabled={form.values.environmentId === ''}>
      <Select
        label="Environment"
        description="Whose traffic it serves; it stays there"
        required
        data={options}
        value={form.values.environmentId || null}
        onChange={(id) => form.set('environmentId', id ?? '')}
        error={form.errorAt('environmentId')}
        data-autofocus
      />
      <TextInput
        label="Name"
        description="Lower-case letters, digits and hyphens"
        placeholder="frankfurt-1"
        required
        spellCheck={false}
        {...form.text('name')}
      />
      <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
    </FormBody>
  );
}

/** Changes what a node is called. */
export function ChangeForm(props: { readonly node: GatewayNode; readonly onClose: () => void }) {
  const { node, onClose } = props;
  const update = useWrite('updateGatewayNode');
  const form = useForm({ name: node.name, description: node.description }, async (body) => {
    await update.mutateAsync({ params: { nodeId: node.id }, body, version: node.version });
    showDone('The node is changed.');
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <TextInput label="Name" required spellCheck={false} data-autofocus {...form.text('name')} />
      <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
    </FormBody>
  );
}
