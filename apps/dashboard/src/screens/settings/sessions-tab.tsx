import { Button, Group } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { Loaded } from '@millrace/ui/page';
import { OwnSessionTable } from '@millrace/ui/session-table';
import { useState } from 'react';
import { useRead, useWrite } from '../../frame/api.ts';

/** Where one is signed in. Each session but the present one can be ended here, and all of them at once. */
export function SessionsTab() {
  const sessions = useRead('listSessions', { query: { limit: 200 } });
  const endOne = useWrite('endSession');
  const endOthers = useWrite('endOtherSessions');
  const [asking, setAsking] = useState(false);
  return (
    <Loaded read={sessions}>
      {({ items }) => (
        <>
          <OwnSessionTable
            sessions={items.map((session) => ({ ...session, ip: session.address }))}
            end={(id) => endOne.mutateAsync({ params: { id } })}
          />
          <Group mt="md">
            <Button variant="default" disabled={items.length < 2} onClick={() => setAsking(true)}>
              End all other sessions
            </Button>
          </Group>
          {asking && (
            <Confirm
              title="End all other sessions"
              action="End them"
              done="All other sessions are ended."
              onConfirm={() => endOthers.mutateAsync({})}
              onClose={() => setAsking(false)}
            >
              Every other browser is signed out. This one stays signed in.
            </Confirm>
          )}
        </>
      )}
    </Loaded>
  );
}
