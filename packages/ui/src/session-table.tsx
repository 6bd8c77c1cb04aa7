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

/** Where somebody is signed in. */
export function SessionTable<Session extends UserSession>(props: {
  readonly sessions: readonly Session[];
  /** What can be done with one; without it, there is no such column. */
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
    { title: 'Address', cell: ({ ip }) => ip },
    { title: 'Since', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { title: 'Last seen', cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
    ...(actionOf ? [{ title: 'Actions', cell: actionOf }] : []),
  ];
  return <RecordTable label="Table of sessions" columns={columns} rows={sessions} />;
}

/** Where one is signed in oneself. Each session but the present one can be ended. */
export function OwnSessionTable(props: {
  readonly sessions: readonly (UserSession & { readonly current: boolean })[];
  readonly end: (id: string) => Promise<unknown>;
}) {
  const end = (id: string) =>
    props
      .end(id)
      .then(() => showDone('The session is ended.'))
      .catch(showFailure);
  return (
    <SessionTable
      sessions={props.sessions}
      actionOf={({ id, current, ip }) =>
        current ? (
          <Mark tone="accent">This one</Mark>
        ) : (
          <Button size="compact-sm" variant="default" aria-label={`End the session from ${ip}`} onClick={() => end(id)}>
            End
          </Button>
        )
      }
    />
  );
}
