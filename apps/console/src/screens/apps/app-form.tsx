import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { DeveloperField } from '../../frame/entity-fields.tsx';

type App = DataOf<'getApp'>;

/** Creates an app, or edits the given one. */
export function AppForm(props: {
  readonly app?: App;
  /** The developer of a new app; without it the form asks. */
  readonly developerId?: string;
  readonly onCancel: () => void;
  readonly onSaved: (app: App) => void;
}) {
  const { app, developerId, onCancel, onSaved } = props;
  const create = useWrite('createApp');
  const update = useWrite('updateApp');
  return (
    <SchemaForm
      schema={bodyOf('createApp')}
      initial={app}
      order={['displayName', 'name', 'developerId']}
      omit={app || developerId ? ['developerId'] : []}
      fields={{
        displayName: { placeholder: 'Shop front end' },
        name: {
          help: 'Lower-case letters, digits and hyphens, for pipelines and the audit trail',
          nameOf: 'displayName',
        },
        developerId: {
          render: ({ value, onChange, error }) => (
            <DeveloperField value={String(value)} onChange={onChange} error={error} />
          ),
        },
        callbackUrl: { label: 'Callback URL', placeholder: 'https://shop.example/callback' },
      }}
      submitLabel={app ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const saved = app
          ? await update.mutateAsync({ params: { appId: app.id }, body, version: app.version })
          : await create.mutateAsync({ body: developerId ? { ...body, developerId } : body });
        showDone(app ? 'App saved.' : `${saved.displayName} created. Issue a credential next.`);
        onSaved(saved);
      }}
    />
  );
}
