import { Button, Group } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { Loaded } from '@millrace/ui/page';
import { OwnSessionTable } from '@millrace/ui/session-table';
import { useRead, useWrite } from '../../frame/api.ts';

/** One's own sessions, each of which can be ended. */
export function OwnSessions() {
  const sessions = useRead('listOwnSessions', { query: { pageSize: 50 } });
  const endOne = useWrite('endOwnSession');
  const endOthers = useWrite('endOtherSessions');
  const endAll = () =>
    endOthers
      .mutateAsync({})
      .then(({ endedSessions }) => showDone(`${endedSessions} sessions ended.`))
      .catch(showFailure);
  return (
    <Loaded read={sessions}>
      {(data) => (
        <>
          <OwnSessionTable
            sessions={data.sessions}
            end={(sessionId) => endOne.mutateAsync({ params: { sessionId } })}
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
