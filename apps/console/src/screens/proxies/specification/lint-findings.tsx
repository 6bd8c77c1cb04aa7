import { Code, Group, Stack, Text } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { type DataOf, useRead } from '../../../frame/api.ts';

type Finding = DataOf<'lintSpecification'>['findings'][number];

const tones: Readonly<Record<Finding['severity'], Tone>> = {
  error: 'bad',
  warning: 'warning',
  information: 'active',
  hint: 'neutral',
};

/** What Spectral's OpenAPI rules object to in the document, the worst first. */
export function LintFindings({ specification }: { readonly specification: DataOf<'getSpecification'> }) {
  const read = useRead('lintSpecification', { params: { specificationId: specification.id } });
  return (
    <Loaded read={read}>
      {({ findings, total }) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {total === 0 ? 'Nothing is objected to.' : `${total} ${total === 1 ? 'finding' : 'findings'}`}
          </Text>
          {findings.map((finding) => (
            <div key={`${finding.code} ${finding.path.join('/')} ${finding.message}`}>
              <Group gap="xs">
                <Mark tone={tones[finding.severity]}>{finding.severity}</Mark>
                <Text size="sm" fw={600}>
                  {finding.message}
                </Text>
              </Group>
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {finding.code}, line {finding.line}: <Code>{finding.path.join(' › ') || 'document'}</Code>
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Loaded>
  );
}
