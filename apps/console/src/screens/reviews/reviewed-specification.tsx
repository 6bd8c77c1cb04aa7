import { Button, Code, ScrollArea, Stack, Text } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { useState } from 'react';
import { useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

/** The whole specification of a revision, on demand: the diff shows its operations only. */
export function ReviewedSpecification(props: { readonly proxyId: string; readonly revision: number }) {
  const { proxyId, revision } = props;
  const { can } = useSession();
  const [shown, setShown] = useState(false);
  const read = useRead('getRevision', { params: { proxyId, revision } }, { enabled: shown });
  if (!can('revision.read')) return null;
  return (
    <Stack mt="md" gap="xs" align="start">
      <Button variant="default" size="xs" aria-expanded={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide specification' : 'Show specification'}
      </Button>
      {shown && (
        <Loaded read={read}>
          {({ content }) =>
            content.specification === null ? (
              <Text size="sm" c="dimmed">
                Revision {revision} has no specification.
              </Text>
            ) : (
              <ScrollArea.Autosize
                mah="60vh"
                w="100%"
                viewportProps={{ tabIndex: 0, 'aria-label': 'Specification', role: 'region' }}
              >
                <Code block>{JSON.stringify(content.specification, null, 2)}</Code>
              </ScrollArea.Autosize>
            )
          }
        </Loaded>
      )}
    </Stack>
  );
}
