import { showDone } from '@millrace/ui/form';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { PermissionHolderForm } from '../../frame/permission-holder-form.tsx';

type ServiceAccount = DataOf<'getServiceAccount'>;

/** Creates a service account, or changes the given one. */
export function ServiceAccountForm(props: {
  readonly account?: ServiceAccount;
  readonly onCancel: () => void;
  readonly onSaved: (account: ServiceAccount) => void;
}) {
  const { account } = props;
  const create = useWrite('createServiceAccount');
  const update = useWrite('updateServiceAccount');
  return (
    <PermissionHolderForm
      holder={account}
      submitLabel={account ? 'Save' : 'Create'}
      onCancel={props.onCancel}
      onSend={async (body) => {
        const saved = account
          ? await update.mutateAsync({ params: { serviceAccountId: account.id }, body, version: account.version })
          : await create.mutateAsync({ body });
        showDone(account ? 'The service account is changed.' : 'The service account is created.');
        props.onSaved(saved);
      }}
    />
  );
}
