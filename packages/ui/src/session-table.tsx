import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { showDone, showFailure } from './form.ts';
import { Mark } from './mark.tsx';
import { type Column, RecordTable } from './record-table.tsx';
import { Ago } from './values.tsx';

interface UserSession {
  readonly id: string;
  readonly userAgent: string | null;
  readonly ip: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastSeenAt: string;
}

/** The sessions of a user. */
export function SessionTable<Session extends UserSession>(props: {
  readonly sessions: readonly Session[];
  /** Actions of a session; without it, there is no such column. */
  readonly actionOf?: (session: Session) => ReactNode;
}) {
  const { sessions, actionOf } = props;
  const columns: readonly Column<Session>[] = [
    {
      title: 'Browser',
      cell: ({ userAgent }) => (
        <Text size="sm" lineClamp={2} maw={360}>
          {userAgent}
        </Text>
      ),
    },
    { title: 'IP address', cell: ({ ip }) => ip },
    { title: 'Signed in', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { title: 'Last seen', cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
    ...(actionOf ? [{ title: 'Actions', cell: actionOf }] : []),
  ];
  return <RecordTable label="Table of sessions" columns={columns} rows={sessions} />;
}

/** The user's own sessions. Each except the current one can be ended. */
export function OwnSessionTable(props: {
  readonly sessions: readonly (UserSession & { readonly current: boolean })[];
  readonly end: (id: string) => Promise<unknown>;
}) {
  const end = (id: string) =>
    props
      .end(id)
      .then(() => showDone('Session ended.'))
      .catch(showFailure);
  return (
    <SessionTable
      sessions={props.sessions}
      actionOf={({ id, current, ip }) =>
        current ? (
          <Mark tone="accent">This session</Mark>
        ) : (
          <Button size="compact-sm" variant="default" aria-label={`End session from ${ip}`} onClick={() => end(id)}>
            End
          </Button>
        )
      }
    />
  );
}
