import { Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { counted, wordsOf } from '@millrace/ui/words';
import { useRead } from '../../../frame/api.ts';

const tones = { added: 'good', removed: 'warning', changed: 'active' } as const;

/** How the edited document differs for callers from the published one. */
export function SpecificationChanges({ specificationId }: { readonly specificationId: string }) {
  const read = useRead('compareSpecification', { params: { specificationId }, query: {} });
  return (
    <Loaded read={read}>
      {({ changes, total }) => (
        <div>
          <Text size="sm" c="dimmed" role="status" mb="xs">
            {total === 0 ? 'No changes since it was published' : `${counted(total, 'change')} since it was published`}
          </Text>
          {total > 0 && (
            <RecordTable
              label="Table of changes"
              rows={changes.map((change) => ({ ...change, id: `${change.path} ${change.text}` }))}
              columns={[
                { title: 'Where', cell: ({ operation, path }) => <code>{operation ?? path}</code> },
                {
                  title: 'Change',
                  cell: ({ kind, breaking }) => (
                    <>
                      <Mark tone={tones[kind]}>{wordsOf(kind)}</Mark> {breaking && <Mark tone="bad">Breaking</Mark>}
                    </>
                  ),
                },
                { title: 'Description', cell: ({ text }) => text },
              ]}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}
