import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

type Environment = DataOf<'updateEnvironment'>;

/** Creates an environment, or edits the given one. */
export function EnvironmentForm(props: {
  readonly environment?: Environment;
  readonly onCancel: () => void;
  readonly onSaved: (environment: Environment) => void;
}) {
  const { environment, onCancel, onSaved } = props;
  const { can } = useSession();
  const create = useWrite('createEnvironment');
  const update = useWrite('updateEnvironment');
  const locked = environment !== undefined && !can('deployment.prod');
  return (
    <SchemaForm
      schema={bodyOf('createEnvironment')}
      initial={environment}
      fields={{
        name: { help: 'For addresses and exports', nameOf: 'displayName' },
        hostNames: { help: 'Where callers reach this environment; press Enter after each' },
        production: {
          help: 'Deploying needs the permission deployment.prod and an approved revision',
          locked: locked ? 'You need the permission deployment.prod.' : undefined,
        },
      }}
      order={['displayName']}
      submitLabel={environment ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const { id, version } = environment ?? {};
        const saved = id
          ? await update.mutateAsync({
              params: { environmentId: id },
              body: locked ? { ...body, production: undefined } : body,
              version,
            })
          : await create.mutateAsync({ body });
        showDone(id ? 'Environment saved.' : 'Environment created.');
        onSaved(saved);
      }}
    />
  );
}
