import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import type { GatewayNode } from './health-mark.tsx';

const fields = { name: { help: 'Lower-case letters, digits and hyphens', placeholder: 'frankfurt-1' } } as const;

/** Creates a node of an environment, which registers by the token in the answer. */
export function CreateNodeForm(props: {
  readonly onCancel: () => void;
  readonly onCreated: (node: DataOf<'createGatewayNode'>) => void;
}) {
  const create = useWrite('createGatewayNode');
  const { options } = useEnvironments();
  return (
    <SchemaForm
      schema={bodyOf('createGatewayNode')}
      fields={{
        ...fields,
        environmentId: { label: 'Environment', help: 'Whose traffic it serves; it can’t be changed later', options },
      }}
      submitLabel="Create"
      onCancel={props.onCancel}
      send={async (body) => props.onCreated(await create.mutateAsync({ body }))}
    />
  );
}

/** Renames a node. */
export function EditNodeForm({ node, onClose }: { readonly node: GatewayNode; readonly onClose: () => void }) {
  const update = useWrite('updateGatewayNode');
  return (
    <SchemaForm
      schema={bodyOf('createGatewayNode')}
      initial={node}
      fields={fields}
      omit={['environmentId']}
      submitLabel="Save"
      onCancel={onClose}
      send={async ({ name, description }) => {
        await update.mutateAsync({ params: { nodeId: node.id }, body: { name, description }, version: node.version });
        showDone('Gateway node saved.');
        onClose();
      }}
    />
  );
}
