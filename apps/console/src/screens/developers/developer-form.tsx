import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';

type Developer = DataOf<'getDeveloper'>;

/** Creates a developer, or edits the given one. */
export function DeveloperForm(props: {
  readonly developer?: Developer;
  readonly onCancel: () => void;
  readonly onSaved: (developer: Developer) => void;
}) {
  const { developer, onCancel, onSaved } = props;
  const create = useWrite('createDeveloper');
  const update = useWrite('updateDeveloper');
  return (
    <SchemaForm
      // The billing profile has a form of its own.
      schema={bodyOf('createDeveloper').omit({ billing: true })}
      initial={developer}
      order={['name']}
      submitLabel={developer ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const { id, version } = developer ?? {};
        const saved = id
          ? await update.mutateAsync({ params: { developerId: id }, body, version })
          : await create.mutateAsync({ body });
        showDone(id ? 'Developer saved.' : `${saved.name} created.`);
        onSaved(saved);
      }}
    />
  );
}
