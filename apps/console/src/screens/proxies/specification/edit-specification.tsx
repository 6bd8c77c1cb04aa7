import { Fieldset, Stack, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { useState } from 'react';
import { type DataOf, useWrite } from '../../../frame/api.ts';

/** Title, version, description and contact of a specification. */
export function EditSpecification(props: {
  readonly specification: DataOf<'getSpecification'>;
  readonly onClose: () => void;
}) {
  const { specification, onClose } = props;
  const update = useWrite('updateSpecification');
  // That of the values which are edited: a change by somebody else in the meantime is refused, not written over.
  const [version] = useState(specification.version);
  const { title, apiVersion, description, contact } = specification;
  const form = useForm(
    { title, apiVersion, description, contact: { name: '', email: '', url: '', ...contact } },
    async (values) => {
      const given = Object.entries(values.contact).filter(([, text]) => text !== '');
      await update.mutateAsync({
        params: { specificationId: specification.id },
        body: { ...values, contact: given.length > 0 ? Object.fromEntries(given) : null },
        version,
      });
      showDone('Saved.');
      onClose();
    },
  );
  const contactField = (name: 'name' | 'email' | 'url', label: string) => (
    <TextInput
      label={label}
      value={form.values.contact[name]}
      onChange={(event) => form.set('contact', { ...form.values.contact, [name]: event.currentTarget.value })}
      error={form.errorAt(`contact.${name}`)}
    />
  );
  return (
    <FormDialog title="Edit the specification" opened onClose={onClose} large>
      <FormBody form={form} submitLabel="Save" onCancel={onClose}>
        <TextInput label="Title" required {...form.text('title')} />
        <TextInput label="Version of the API" required {...form.text('apiVersion')} />
        <Textarea label="Description" autosize minRows={3} maxRows={14} {...form.text('description')} />
        <Fieldset legend="Contact">
          <Stack>
            {contactField('name', 'Name')}
            {contactField('email', 'E-mail address')}
            {contactField('url', 'Web address')}
          </Stack>
        </Fieldset>
      </FormBody>
    </FormDialog>
  );
}
