import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import type { WriteOf } from './api.ts';
import { PermissionMatrix } from './permission-matrix.tsx';

type PermissionNames = WriteOf<'createRole'>['body']['permissions'];

/** What holds permissions: a role, or a service account. */
export interface PermissionHolder {
  readonly name: string;
  readonly description: string;
  readonly permissions: PermissionNames;
}

/** Makes something that holds permissions, or changes what is given. */
export function PermissionHolderForm(props: {
  readonly holder:
    | { readonly name: string; readonly description: string; readonly permissions: readonly string[] }
    | undefined;
  readonly submitLabel: string;
  readonly onCancel?: () => void;
  readonly onSend: (holder: PermissionHolder) => Promise<unknown>;
}) {
  const { holder, submitLabel, onCancel, onSend } = props;
  const form = useForm<PermissionHolder>(
    {
      name: holder?.name ?? '',
      description: holder?.description ?? '',
      // The catalogue that they are chosen from is the one that the server checks them against.
      permissions: [...(holder?.permissions ?? [])] as PermissionNames,
    },
    onSend,
  );
  return (
    <FormBody form={form} submitLabel={submitLabel} onCancel={onCancel}>
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
