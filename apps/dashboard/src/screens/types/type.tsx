import { Stack, Text } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { IconDownload, IconPencil, IconTrash, IconUpload } from '@millrace/ui/icons';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { saveText } from '@millrace/ui/save-text';
import { Ago, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useNavigate, useParams } from '@tanstack/react-router';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { call, useRead, useWrite } from '../../frame/api.ts';
import type { OwnType } from './draft.ts';
import { TryForm } from './try-form.tsx';
import { TypeFigures } from './type-figures.tsx';

const crumbs = [{ label: 'Document types', to: '/types' }] as const;

/** One of the account's own document types, with how well it does. */
export function TypeScreen() {
  const { typeName } = useParams({ from: '/shell/types/$typeName' });
  const type = useRead('getDocumentType', { params: { name: typeName } });
  return (
    <Page
      title={type.data?.title ?? typeName}
      description={type.data?.description}
      crumbs={crumbs}
      actions={type.data && <Actions type={type.data} />}
    >
      <Loaded read={type}>
        {(loaded) => (
          <Stack gap="lg">
            <Properties
              of={{
                'Name for programs': loaded.name,
                Version: loaded.version,
                Changed: <Ago at={loaded.updatedAt} />,
              }}
            />
            <TypeFigures name={loaded.name} />
            <Section title="Definition">
              <RecordTable
                label="Fields"
                rows={[
                  ...loaded.fields.map((field) => ({ ...field, id: `field ${field.name}`, part: 'Field' })),
                  ...loaded.columns.map((column) => ({ ...column, id: `column ${column.name}`, part: 'Column' })),
                ]}
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  { title: 'Part', cell: ({ part }) => part },
                  { title: 'Kind', cell: ({ kind }) => wordsOf(kind) },
                  {
                    title: 'Captions',
                    cell: ({ captions }) => (
                      <Text size="sm" maw={420}>
                        {captions.join(', ') || '–'}
                      </Text>
                    ),
                  },
                ]}
              />
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ type: { name, title } }: { readonly type: OwnType }) {
  const remove = useWrite('deleteDocumentType');
  const navigate = useNavigate();
  const params = { name };
  const save = async () => {
    try {
      const file = await call('exportDocumentType', { params });
      saveText(`${JSON.stringify(file, null, 2)}\n`, `${name}.json`);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <AdministratorActions
      actions={[
        {
          label: 'Try a document',
          icon: IconUpload,
          primary: true,
          form: { title: 'Try a document', body: (close) => <TryForm docType={name} onClose={close} /> },
        },
        {
          label: 'Edit',
          icon: IconPencil,
          link: { to: '/types/$typeName/edit', params: { typeName: name } },
        },
        { label: 'Export', icon: IconDownload, run: save },
        {
          label: 'Delete',
          icon: IconTrash,
          danger: true,
          run: () => remove.mutateAsync({ params }),
          onDone: () => void navigate({ to: '/types' }),
          done: `${title} deleted.`,
          confirm: {
            title: `Delete ${title}?`,
            text: 'Its documents stay and can still be read. What confirmed documents taught about the type is deleted.',
          },
        },
      ]}
    />
  );
}
