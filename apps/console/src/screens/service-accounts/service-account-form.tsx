import { Textarea, TextInput } from '@mantine/core';
import { type DataOf, useWrite, type WriteOf } from '../../frame/api.ts';
import { showDone, useForm } from '../../frame/form.ts';
import { FormBody } from '../../frame/form-dialog.tsx';
import { PermissionMatrix } from '../../frame/permission-matrix.tsx';

type ServiceAccount = DataOf<'getServiceAccount'>;
type PermissionNames = WriteOf<'createServiceAccount'>['body']['permissions'];

/** Creates a service account, or changes the given one. */
export function ServiceAccountForm(props: {
  readonly account?: ServiceAccount;
  readonly onCancel: () => void;
  readonly onSaved: (account: ServiceAccount) => void;
}) {
  const { account } = props;
  const create = useWrite('createServiceAccount');
  const update = useWrite('updateServiceAccount');
  const form = useForm(
    {
      name: account?.name ?? '',
      description: account?.description ?? '',
      // The catalogue that they are chosen from is the one that the server checks them against.
      permissions: [...(account?.permissions ?? [])] as PermissionNames,
    },
    async (body) => {
      const saved = account
        ? await update.mutateAsync({ params: { serviceAccountId: account.id }, body, version: account.version })
        : await create.mutateAsync({ body });
      showDone(account ? 'The service account is changed.' : 'The service account is created.');
      props.onSaved(saved);
    },
  );
  return (
    <FormBody form={form} submitLabel={account ? 'Save' : 'Create'} onCancel={props.onCancel}>
      <TextInput label="Name" required data-autofocus {...form.text('name')} />
      <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
      <PermissionMatrix
        chosen={form.values.permissions}
        onChange={(permissions) => form.set('permissions', [...permissions] as PermissionNames)}
        error={form.errorAt('permissions')}
      />
    </FormBody>
  );
}
