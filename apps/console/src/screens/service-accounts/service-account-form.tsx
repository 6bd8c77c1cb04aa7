import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { permissionsField } from '../../frame/permission-matrix.tsx';

type ServiceAccount = DataOf<'getServiceAccount'>;

/** Creates a service account, or edits the given one. */
export function ServiceAccountForm(props: {
  readonly account?: ServiceAccount;
  readonly onCancel: () => void;
  readonly onSaved: (account: ServiceAccount) => void;
}) {
  const { account, onCancel, onSaved } = props;
  const create = useWrite('createServiceAccount');
  const update = useWrite('updateServiceAccount');
  return (
    <SchemaForm
      schema={bodyOf('createServiceAccount')}
      initial={account}
      preset={{ permissions: [] }}
      fields={{ permissions: permissionsField }}
      submitLabel={account ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const { id, version } = account ?? {};
        const saved = id
          ? await update.mutateAsync({ params: { serviceAccountId: id }, body, version })
          : await create.mutateAsync({ body });
        showDone(id ? 'Service account saved.' : 'Service account created.');
        onSaved(saved);
      }}
    />
  );
}
