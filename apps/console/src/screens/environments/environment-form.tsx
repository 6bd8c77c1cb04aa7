import { Checkbox, TagsInput, Textarea, TextInput, Tooltip } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

type Environment = DataOf<'updateEnvironment'>;

/** Creates an environment, or changes the given one. */
export function EnvironmentForm(props: {
  readonly environment?: Environment;
  readonly onCancel: () => void;
  readonly onSaved: (environment: Environment) => void;
}) {
  const { environment } = props;
  const { can } = useSession();
  const create = useWrite('createEnvironment');
  const update = useWrite('updateEnvironment');
  const form = useForm(
    {
      name: environment?.name ?? '',
      displayName: environment?.displayName ?? '',
      description: environment?.description ?? '',
      production: environment?.production ?? false,
      hostNames: [...(environment?.hostNames ?? [])],
    },
    async (body) => {
      const saved = environment
        ? await update.mutateAsync({
            params: { environmentId: environment.id },
            body: can('deployment.prod') ? body : { ...body, production: undefined },
            version: environment.version,
          })
        : await create.mutateAsync({ body });
      showDone(environment ? 'The environment is changed.' : 'The environment is created.');
      props.onSaved(saved);
    },
  );
  const fixed = environment !== undefined && !can('deployment.prod');
  return (
    <FormBody form={form} submitLabel={environment ? 'Save' : 'Create'} onCancel={props.onCancel}>
      <TextInput label="Display name" required data-autofocus {...form.text('displayName')} />
      <TextInput
        label="Name"
        description="Lower-case letters, digits and “-”; stands in addresses and in exports"
        required
        {...form.text('name')}
      />
      <Textarea label="Description" autosize minRows={2} {...form.text('description')} />
      <TagsInput
        label="Host names"
        description="By which callers reach what serves here; press Enter after each"
        value={form.values.hostNames}
        onChange={(hostNames) => form.set('hostNames', hostNames)}
        error={form.errorAt('hostNames')}
        acceptValueOnBlur
      />
      <Tooltip label="You need the permission deployment.prod." disabled={!fixed}>
        <Checkbox
          label="Production"
          description="Deploying here needs the permission deployment.prod and an approved revision"
          checked={form.values.production}
          disabled={fixed}
          onChange={(event) => form.set('production', event.currentTarget.checked)}
          error={form.errorAt('production')}
        />
      </Tooltip>
    </FormBody>
  );
}
