import { IconPlus, IconUpload } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { type Column, RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { ImportForm } from './import-form.tsx';

type Listed = AnswerOf<'listDocumentTypes'>['types'][number] & { readonly id: string };

const columnsOfEach: readonly Column<Listed>[] = [
  { title: 'Name for programs', cell: ({ name }) => name },
  { title: 'Description', cell: ({ description }) => description || '–' },
  { title: 'Fields', align: 'end', cell: ({ fieldCount }) => fieldCount },
];

/** The account's own document types, and the built-in ones. */
export function TypesScreen() {
  const types = useRead('listDocumentTypes');
  return (
    <Page
      title="Document types"
      description="What documents are extracted as. Define your own for documents that no built-in type fits."
      actions={
        <AdministratorActions
          actions={[
            { label: 'New type', icon: IconPlus, primary: true, link: { to: '/types/new' } },
            {
              label: 'Import',
              icon: IconUpload,
              form: { title: 'Import document type', body: (close) => <ImportForm onClose={close} /> },
            },
          ]}
        />
      }
    >
      <Loaded read={types}>
        {({ types: all }) => {
          const listed = all.map((type) => ({ ...type, id: type.name }));
          const own = listed.filter(({ isOwn }) => isOwn);
          return (
            <>
              <Section title="Your types">
                {own.length === 0 ? (
                  <EmptyList>None yet. A type works at once, and gets better with each confirmed document.</EmptyList>
                ) : (
                  <RecordTable
                    label="Your types"
                    rows={own}
                    columns={[
                      {
                        title: 'Title',
                        cell: ({ name, title }) => (
                          <TextLink to="/types/$typeName" params={{ typeName: name }}>
                            {title}
                          </TextLink>
                        ),
                      },
                      ...columnsOfEach,
                      { title: 'Changed', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
                    ]}
                  />
                )}
              </Section>
              <Section title="Built-in types">
                <RecordTable
                  label="Built-in types"
                  rows={listed.filter(({ isOwn }) => !isOwn)}
                  columns={[{ title: 'Title', cell: ({ title }) => title }, ...columnsOfEach]}
                />
              </Section>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
