import { Loaded } from '@millrace/interface/page';
import { OwnSessionTable } from '@millrace/interface/session-table';
import { useRead, useWrite } from '../../frame/api.ts';

/** Where one is signed in. Each session but the present one can be ended here. */
export function SessionsTab() {
  const sessions = useRead('listSessions', { query: { limit: 200 } });
  const endOne = useWrite('endSession');
  return (
    <Loaded read={sessions}>
      {({ items }) => (
        <OwnSessionTable
          sessions={items.map((session) => ({ ...session, ip: session.address }))}
          end={(id) => endOne.mutateAsync({ params: { id } })}
        />
      )}
    </Loaded>
  );
}
