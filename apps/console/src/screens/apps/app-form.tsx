import { Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { DeveloperField } from '../../frame/entity-fields.tsx';
import { NameFields } from '../../frame/name-fields.tsx';

type App = DataOf<'getApp'>;

/** Registers an app, or changes the given one. */
export function AppForm(props: {
  readonly app?: App;
  /** Whose app it becomes; without it the form asks. */
  readonly developerId?: string;
  readonly onCancel: () => void;
  readonly onSaved: (app: App) => void;
}) {
  const { app } = props;
  const create = useWrite('createApp');
  const update = useWrite('updateApp');
  const form = useForm(
    {
      developerId: app?.developerId ?? props.developerId ?? '',
      displayName: app?.displayName ?? '',
      name: app?.name ?? '',
      description: app?.description ?? '',
      callbackUrl: app?.callbackUrl ?? '',
    },
    async ({ developerId, ...values }) => {
      const body = { ...values, callbackUrl: values.callbackUrl.trim() || null };
      const saved = app
        ? await update.mutateAsync({ params: { appId: app.id }, body, version: app.version })
        : await create.mutateAsync({ body: { developerId, ...body } });
      showDone(app ? 'The app is changed.' : `${saved.displayName} is registered. Issue its first credential next.`);
      props.onSaved(saved);
    },
  );
  const asked = app === undefined && props.developerId === undefined;
  return (
    <FormBody
      form={form}
      submitLabel={app ? 'Save' : 'Register'}
      onCancel={props.onCancel}
      disabled={form.values.developerId === ''}
    >
      <NameFields form={form} placeholder="Shop front end" named={app !== undefined} />
      {asked && (
        <DeveloperField
          value={form.values.developerId}
          onChange={(id) => form.set('developerId', id)}
          error={form.errorAt('developerId')}
        />
      )}
      <Textarea label="Description" autosize minRows={2} maxRows={10} {...form.text('description')} />
      <TextInput label="Callback address" placeholder="https://shop.example/callback" {...form.text('callbackUrl')} />
    </FormBody>
  );
}
