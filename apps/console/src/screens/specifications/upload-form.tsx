import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useNavigate } from '@tanstack/react-router';
import { bodyOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { DocumentField, useDocumentErrors } from '../proxies/document-field.tsx';

/** Uploads an OpenAPI document, and opens it. */
export function UploadForm({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const { can } = useSession();
  const upload = useWrite('uploadSpecification');
  const proxies = useRead('listProxies', { query: { pageSize: 100 } }, { enabled: can('proxy.read') });
  const { errors, collect } = useDocumentErrors();
  return (
    <SchemaForm
      schema={bodyOf('uploadSpecification')}
      order={['document', 'title', 'proxyId']}
      fields={{
        document: {
          render: ({ value, onChange, error }) => (
            <DocumentField value={String(value)} onChange={onChange} error={error} errors={errors} />
          ),
        },
        title: { help: 'The document’s own title if empty' },
        proxyId: {
          label: 'API proxy',
          help: 'The document becomes its specification',
          options: (proxies.data?.proxies ?? []).map(({ id, displayName }) => ({ value: id, label: displayName })),
        },
      }}
      submitLabel="Upload"
      onCancel={onCancel}
      send={async (body) => {
        const { id, title } = await collect(() => upload.mutateAsync({ body }));
        showDone(`${title} uploaded.`);
        await navigate({ to: '/specifications/$specificationId', params: { specificationId: id } });
      }}
    />
  );
}
