import { Group } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { Loaded } from '@millrace/ui/page';
import { OwnSessionTable } from '@millrace/ui/session-table';
import { useRead, useWrite } from '../../frame/api.ts';

/** Where the user is signed in. */
export function SessionsTab() {
  const sessions = useRead('listSessions', { query: { limit: 200 } });
  const endOne = useWrite('endSession');
  const endOthers = useWrite('endOtherSessions');
  return (
    <Loaded read={sessions}>
      {({ items }) => (
        <>
          <OwnSessionTable
            sessions={items.map((session) => ({ ...session, ip: session.address }))}
            end={(id) => endOne.mutateAsync({ params: { id } })}
          />
          <Group mt="md">
            <ActionBar
              actions={[
                {
                  label: 'End all other sessions',
                  blocked: items.length < 2 && 'This is your only session.',
                  run: () => endOthers.mutateAsync({}),
                  done: 'All other sessions ended.',
                  confirm: {
                    title: 'End all other sessions?',
                    text: 'Every other browser is signed out. This one stays signed in.',
                  },
                },
              ]}
            />
          </Group>
        </>
      )}
    </Loaded>
  );
}
