import { Button } from '@mantine/core';
import { showDone, showFailure } from '@millrace/interface/form';
import { Mark } from '@millrace/interface/mark';
import { Loaded } from '@millrace/interface/page';
import { SessionTable } from '@millrace/interface/session-table';
import { useRead, useWrite } from '../../frame/api.ts';

/** Where one is signed in. Each session but the present one can be ended here. */
export function SessionsTab() {
  const sessions = useRead('listSessions', { query: { limit: 200 } });
  const endOne = useWrite('endSession');
  const end = (id: string) =>
    endOne
      .mutateAsync({ params: { id } })
      .then(() => showDone('The session is ended.'))
      .catch(showFailure);
  return (
    <Loaded read={sessions}>
      {({ items }) => (
        <SessionTable
          sessions={items.map((session) => ({ ...session, ip: session.address }))}
          actionOf={({ id, current, ip }) =>
            current ? (
              <Mark tone="accent">This one</Mark>
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`End the session from ${ip}`}
                onClick={() => end(id)}
              >
                End
              </Button>
            )
          }
        />
      )}
    </Loaded>
  );
}
