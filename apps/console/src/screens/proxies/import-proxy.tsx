import { showDone, showFailure } from '@millrace/ui/form';
import { Page } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type ArgumentsOf, bodyOf, useWrite } from '../../frame/api.ts';
import { BasePathField } from './base-path-field.tsx';
import { DocumentField, useDocumentErrors } from './document-field.tsx';
import { ImportPreview, type Preview } from './import-preview.tsx';
import { TargetServerField } from './target-server-field.tsx';

/** Creates a proxy from an OpenAPI document, after a preview. */
export function ImportProxy() {
  const navigate = useNavigate();
  const previewing = useWrite('previewProxyImport');
  const importing = useWrite('importProxy');
  const { errors, collect } = useDocumentErrors();
  const [previewed, setPreviewed] = useState<{
    readonly body: ArgumentsOf<'importProxy'>['body'];
    readonly preview: Preview;
  } | null>(null);
  const confirm = async (body: ArgumentsOf<'importProxy'>['body']) => {
    try {
      const { proxy } = await importing.mutateAsync({ body });
      showDone(`${proxy.displayName} imported.`);
      await navigate({ to: '/proxies/$proxyId/routes', params: { proxyId: proxy.id } });
    } catch (error) {
      setPreviewed(null);
      showFailure(error);
    }
  };
  return (
    <Page
      title="Import OpenAPI document"
      description="Creates an API proxy with a route per operation, and keeps the document as its specification."
      crumbs={[{ label: 'API proxies', to: '/proxies' }]}
    >
      {previewed && (
        <ImportPreview
          preview={previewed.preview}
          importing={importing.isPending}
          onImport={() => confirm(previewed.body)}
          onBack={() => setPreviewed(null)}
        />
      )}
      {/* The input stays while the preview is shown. */}
      <div hidden={previewed !== null}>
        <SchemaForm
          schema={bodyOf('previewProxyImport')}
          order={['document', 'targetServer', 'name', 'basePath']}
          fields={{
            document: {
              render: ({ value, onChange, error }) => (
                <DocumentField value={String(value)} onChange={onChange} error={error} errors={errors} />
              ),
            },
            targetServer: {
              render: ({ value, onChange, error }) => (
                <TargetServerField
                  value={String(value)}
                  onChange={onChange}
                  error={error}
                  description="Of every route; you can change it for each route later"
                />
              ),
            },
            name: { help: 'From the document’s title if empty' },
            basePath: {
              render: ({ value, onChange, error }) => (
                <BasePathField
                  value={String(value)}
                  onChange={onChange}
                  error={error}
                  required={false}
                  description="From the document’s first server if empty"
                />
              ),
            },
          }}
          submitLabel="Preview"
          onCancel={() => navigate({ to: '/proxies' })}
          send={async (body) => {
            const preview = await collect(() => previewing.mutateAsync({ body }));
            setPreviewed({ body, preview });
          }}
        />
      </div>
    </Page>
  );
}
