import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { texts } from '../../frame/texts.ts';

type App = DataOf<'getPortalApp'>;

/** Registers an app, or changes one. */
export function AppForm(props: {
  readonly app?: App;
  readonly onCancel: () => void;
  readonly onSaved: (app: App) => void;
}) {
  const { app, onCancel, onSaved } = props;
  const create = useWrite('createPortalApp');
  const update = useWrite('updatePortalApp');
  return (
    <SchemaForm
      schema={bodyOf('createPortalApp')}
      initial={app}
      omit={['name']}
      fields={{
        displayName: { label: texts.apps.name, help: null },
        description: { help: null, kind: 'multiline' },
        callbackUrl: { help: texts.apps.callbackHelp },
      }}
      submitLabel={app ? texts.save : texts.apps.create}
      onCancel={onCancel}
      send={async (body) =>
        onSaved(
          app
            ? await update.mutateAsync({ params: { appId: app.id }, body, version: app.version })
            : await create.mutateAsync({ body }),
        )
      }
    />
  );
}
