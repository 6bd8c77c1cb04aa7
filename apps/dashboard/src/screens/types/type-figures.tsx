import { EmptyList } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { useRead } from '../../frame/api.ts';

/** How well a type does, field by field and column by column, over the account's confirmed documents of it. */
export function TypeFigures({ name }: { readonly name: string }) {
  const figures = useRead('getDocumentTypeFigures', { params: { name } });
  const numbers = useNumbers();
  return (
    <Loaded read={figures}>
      {({ columns, documents, fields }) => (
        <Section
          title="How well it does"
          description={`Over ${numbers.count(documents)} confirmed ${documents === 1 ? 'document' : 'documents'}`}
        >
          {documents === 0 ? (
            <EmptyList>Confirm documents of this type in the review, and their figures appear here.</EmptyList>
          ) : (
            <RecordTable
              label="How well each field does"
              rows={[
                ...fields.map((field) => ({ ...field, id: field.name })),
                ...columns.map((column) => ({ ...column, id: `lines.${column.name}` })),
              ]}
              columns={[
                { title: 'Field', cell: ({ id }) => id },
                { title: 'Right', align: 'end', cell: ({ right }) => numbers.count(right) },
                { title: 'Corrected', align: 'end', cell: ({ corrected }) => numbers.count(corrected) },
                { title: 'Missing', align: 'end', cell: ({ missing }) => numbers.count(missing) },
                { title: 'Share right', align: 'end', cell: (field) => shareOf(field) },
              ]}
            />
          )}
        </Section>
      )}
    </Loaded>
  );
}

function shareOf(counts: { readonly right: number; readonly corrected: number; readonly missing: number }): string {
  const all = counts.right + counts.corrected + counts.missing;
  return all === 0 ? '–' : `${Math.round((100 * counts.right) / all)} %`;
}
