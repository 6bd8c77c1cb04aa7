import { Group, Stack, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { useRead } from '../../../frame/api.ts';

const tones = { added: 'good', removed: 'warning', changed: 'active' } as const;

/** What callers would notice of the document as it is edited, against what is published. */
export function SpecificationChanges({ specificationId }: { readonly specificationId: string }) {
  const read = useRead('compareSpecification', { params: { specificationId }, query: {} });
  return (
    <Loaded read={read}>
      {({ changes, total }) => (
        <Stack gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {total === 0
              ? 'It is as it was published.'
              : `${total} ${total === 1 ? 'change' : 'changes'} since it was published`}
          </Text>
          {changes.map((change) => (
            <Group key={`${change.path} ${change.text}`} gap="xs">
              <Mark tone={tones[change.kind]}>{change.kind}</Mark>
              {change.breaking && <Mark tone="bad">breaking</Mark>}
              <Text size="sm">
                <b>{change.operation ?? change.path}</b> {change.text}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Loaded>
  );
}
