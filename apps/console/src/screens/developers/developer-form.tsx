import { TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type DataOf, useWrite } from '../../frame/api.ts';

type Developer = DataOf<'getDeveloper'>;

/** Registers a developer, or changes the given one. */
export function DeveloperForm(props: {
  readonly developer?: Developer;
  readonly onCancel: () => void;
  readonly onSaved: (developer: Developer) => void;
}) {
  const { developer } = props;
  const create = useWrite('createDeveloper');
  const update = useWrite('updateDeveloper');
  const form = useForm(
    { name: developer?.name ?? '', email: developer?.email ?? '', company: developer?.company ?? '' },
    async (body) => {
      const saved = developer
        ? await update.mutateAsync({ params: { developerId: developer.id }, body, version: developer.version })
        : await create.mutateAsync({ body });
      showDone(developer ? 'The developer is changed.' : `${saved.name} is registered.`);
      props.onSaved(saved);
    },
  );
  return (
    <FormBody form={form} submitLabel={developer ? 'Save' : 'Register'} onCancel={props.onCancel}>
      <TextInput label="Name" required data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput label="E-mail address" type="email" required autoComplete="off" {...form.text('email')} />
      <TextInput label="Company" autoComplete="off" {...form.text('company')} />
    </FormBody>
  );
}
