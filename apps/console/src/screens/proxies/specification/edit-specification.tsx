import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { bodyOf, type DataOf, useWrite } from '../../../frame/api.ts';

/** Title, version, description and contact of a specification. */
export function EditSpecification(props: {
  readonly specification: DataOf<'getSpecification'>;
  readonly onClose: () => void;
}) {
  const { specification, onClose } = props;
  const update = useWrite('updateSpecification');
  // The version of the values in the form: a change by somebody else in the meantime is refused, not overwritten.
  const [version] = useState(specification.version);
  return (
    <SchemaForm
      schema={bodyOf('updateSpecification').required({ title: true, apiVersion: true })}
      initial={specification}
      order={['title', 'apiVersion']}
      omit={['summaries']}
      fields={{
        apiVersion: { label: 'API version' },
        contact: { fields: { email: { label: 'Email' }, url: { label: 'URL' } } },
      }}
      submitLabel="Save"
      onCancel={onClose}
      send={async ({ contact, ...body }) => {
        const given = Object.keys(contact ?? {}).length > 0 ? contact : null;
        await update.mutateAsync({
          params: { specificationId: specification.id },
          body: { ...body, contact: given },
          version,
        });
        showDone('Specification saved.');
        onClose();
      }}
    />
  );
}
