import { Button, Group } from '@mantine/core';
import { showDone, showFailure } from '@millrace/interface/form';
import { Mark } from '@millrace/interface/mark';
import { Loaded } from '@millrace/interface/page';
import { SessionTable } from '@millrace/interface/session-table';
import { useRead, useWrite } from '../../frame/api.ts';

/** One's own sessions, each of which can be ended. */
export function OwnSessions() {
  const sessions = useRead('listOwnSessions', { query: { pageSize: 50 } });
  const endOne = useWrite('endOwnSession');
  const endOthers = useWrite('endOtherSessions');
  const end = (sessionId: string) =>
    endOne
      .mutateAsync({ params: { sessionId } })
      .then(() => showDone('The session is ended.'))
      .catch(showFailure);
  const endAll = () =>
    endOthers
      .mutateAsync({})
      .then(({ endedSessions }) => showDone(`${endedSessions} sessions ended.`))
      .catch(showFailure);
  return (
    <Loaded read={sessions}>
      {(data) => (
        <>
          <SessionTable
            sessions={data.sessions}
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
          <Group>
            <Button variant="default" onClick={endAll} disabled={data.total < 2} loading={endOthers.isPending}>
              End all others
            </Button>
          </Group>
        </>
      )}
    </Loaded>
  );
}
