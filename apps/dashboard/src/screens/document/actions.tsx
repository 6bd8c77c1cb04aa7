import { Button } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { CopyButton } from '@millrace/ui/copy-button';
import { showDone } from '@millrace/ui/form';
import { IconTrash } from '@millrace/ui/icons';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { bodyOf, operationOf, readOf, useWrite } from '../../frame/api.ts';
import { useAskedTypeOptions } from '../../frame/document-words.ts';
import { ExportMenu } from '../../frame/export-menu.tsx';
import type { DocumentDetail } from './paths.ts';

const original = operationOf('getDocumentOriginal');

/** What can be done with a document. */
export function DocumentActions({ document }: { readonly document: DocumentDetail }) {
  const remove = useWrite('deleteDocument');
  const cache = useQueryClient();
  const navigate = useNavigate();
  const isReviewed = document.corrections.length > 0 || document.confirmedAt !== null;
  return (
    <>
      <CopyButton value={document.curl.fetch} label="Copy as curl" size="sm" />
      <Button
        variant="default"
        component="a"
        href={original.path.replace(':id', encodeURIComponent(document.id))}
        download={document.fileName}
      >
        Download
      </Button>
      {document.state === 'done' && <ExportMenu query={{ ids: document.id }} />}
      <ActionBar
        actions={[
          {
            label: 'Extract again',
            hidden: document.state === 'processing',
            blocked: isReviewed && 'This document has been corrected or confirmed, so it can’t be extracted again.',
            form: { title: 'Extract again', body: (close) => <ExtractAgain document={document} onClose={close} /> },
          },
          {
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            run: () => remove.mutateAsync({ params: { id: document.id } }),
            done: `${document.reference} deleted.`,
            onDone: async () => {
              // The list must not show its row until it is refetched.
              cache.removeQueries({ queryKey: ['listDocuments'] });
              await navigate({ to: '/documents' });
              cache.removeQueries({ queryKey: readOf('getDocument', { params: { id: document.id } }).queryKey });
            },
            confirm: {
              title: `Delete ${document.reference}?`,
              text: 'The file and its result are permanently deleted, with its corrections and what it taught about its supplier.',
            },
          },
        ]}
      />
    </>
  );
}

/** Extracts a document again, optionally as another type. */
function ExtractAgain({ document, onClose }: { readonly document: DocumentDetail; readonly onClose: () => void }) {
  const retry = useWrite('retryDocument');
  return (
    <SchemaForm
      schema={bodyOf('retryDocument')}
      initial={document}
      fields={{
        docType: {
          label: 'Type',
          help: 'A new result from the stored file replaces the current one',
          options: useAskedTypeOptions(),
        },
      }}
      submitLabel="Extract again"
      onCancel={onClose}
      send={async (body) => {
        await retry.mutateAsync({ params: { id: document.id }, body });
        showDone('Extracting again.');
        onClose();
      }}
    />
  );
}
