import { TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { BasePathInput, ProxyDetails, type ProxyValues } from './proxy-fields.tsx';

type ApiProxy = DataOf<'getProxy'>;
type DialogProps = { readonly proxy: ApiProxy; readonly onClose: () => void };

/** Changes what the proxy is called and where callers find it. */
export function EditDialog({ proxy, onClose }: DialogProps) {
  const update = useWrite('updateProxy');
  // That of the values which are edited: a change by somebody else in the meantime is refused, not written over.
  const [version] = useState(proxy.version);
  const { displayName, name, basePath, description, protocol, authScheme, tags } = proxy;
  const form = useForm<ProxyValues>(
    { displayName, name, basePath, description, protocol, authScheme, tags },
    async (body) => {
      await update.mutateAsync({ params: { proxyId: proxy.id }, body, version });
      showDone('Saved.');
      onClose();
    },
  );
  return (
    <FormDialog title={`Edit ${displayName}`} opened onClose={onClose} large>
      <FormBody form={form} submitLabel="Save" onCancel={onClose}>
        <TextInput label="Display name" required {...form.text('displayName')} />
        <TextInput label="Name" required {...form.text('name')} spellCheck={false} />
        <BasePathInput form={form} />
        <ProxyDetails form={form} />
      </FormBody>
    </FormDialog>
  );
}

/** Copies the working copy to a new draft, such as for the next version beside this one. */
export function CloneDialog({ proxy, onClose }: DialogProps) {
  const navigate = useNavigate();
  const clone = useWrite('cloneProxy');
  const form = useForm(
    { displayName: proxy.displayName, name: `${proxy.name}-next`, basePath: nextVersion(proxy.basePath) },
    async (body) => {
      const made = await clone.mutateAsync({ params: { proxyId: proxy.id }, body });
      showDone(`${made.displayName} is there, as a draft.`);
      onClose();
      await navigate({ to: '/proxies/$proxyId', params: { proxyId: made.id } });
    },
  );
  return (
    <FormDialog title={`Clone ${proxy.displayName}`} opened onClose={onClose}>
      <FormBody form={form} submitLabel="Clone" onCancel={onClose}>
        <TextInput label="Display name" required {...form.text('displayName')} />
        <TextInput label="Name" required {...form.text('name')} spellCheck={false} />
        <BasePathInput form={form} description="Routes, policies and the newest specification are copied to it." />
      </FormBody>
    </FormDialog>
  );
}

/** `/v1/orders` becomes `/v2/orders`; a path without a version stays for the operator to change. */
function nextVersion(basePath: string): string {
  return basePath.replace(/(?<=\/v)\d+(?=\/|$)/, (version) => String(Number(version) + 1));
}
