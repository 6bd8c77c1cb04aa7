import { Text } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { counted, wordsOf } from '@millrace/ui/words';
import { type DataOf, useRead } from '../../../frame/api.ts';

type Finding = DataOf<'lintSpecification'>['findings'][number];

const tones: Readonly<Record<Finding['severity'], Tone>> = {
  error: 'bad',
  warning: 'warning',
  information: 'active',
  hint: 'neutral',
};

/** What Spectral's OpenAPI rules find in the document, the most severe first. */
export function LintFindings({ specificationId }: { readonly specificationId: string }) {
  const read = useRead('lintSpecification', { params: { specificationId } });
  return (
    <Loaded read={read}>
      {({ findings, total }) => (
        <div>
          <Text size="sm" c="dimmed" role="status" mb="xs">
            {total === 0 ? 'No findings' : counted(total, 'finding')}
          </Text>
          {total > 0 && (
            <RecordTable
              label="Table of lint findings"
              rows={findings.map((finding) => ({
                ...finding,
                id: `${finding.code} ${finding.path.join('/')} ${finding.message}`,
              }))}
              columns={[
                { title: 'Finding', cell: ({ message }) => message },
                {
                  title: 'Severity',
                  cell: ({ severity }) => <Mark tone={tones[severity]}>{wordsOf(severity)}</Mark>,
                },
                { title: 'Rule', cell: ({ code }) => <code>{code}</code> },
                { title: 'Where', cell: ({ path }) => <code>{path.join(' › ') || 'document'}</code> },
                { title: 'Line', align: 'end', cell: ({ line }) => line },
              ]}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}
