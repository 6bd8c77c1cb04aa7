import { Button } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { Loaded, Section } from '@millrace/ui/page';
import { OwnSessionTable } from '@millrace/ui/session-table';
import { useRead, useWrite } from '../../frame/api.ts';

/** The signed-in user's own sessions, each of which can be ended. */
export function OwnSessions() {
  const sessions = useRead('listOwnSessions', { query: { pageSize: 50 } });
  const endOne = useWrite('endOwnSession');
  const endOthers = useWrite('endOtherSessions');
  const endAll = () =>
    endOthers
      .mutateAsync({})
      .then(({ endedSessions }) => showDone(`Sessions ended: ${endedSessions}.`))
      .catch(showFailure);
  const button = (
    <Button variant="default" onClick={endAll} disabled={(sessions.data?.total ?? 0) < 2} loading={endOthers.isPending}>
      End all others
    </Button>
  );
  return (
    <Section title="Sessions" actions={button}>
      <Loaded read={sessions}>
        {(data) => (
          <OwnSessionTable
            sessions={data.sessions}
            end={(sessionId) => endOne.mutateAsync({ params: { sessionId } })}
          />
        )}
      </Loaded>
    </Section>
  );
}
