import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { showDone, showFailure } from './form.ts';
import { Mark } from './mark.tsx';
import { type Column, RecordTable } from './record-table.tsx';
import { texts } from './texts.ts';
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
  const words = texts().sessions;
  const columns: readonly Column<Session>[] = [
    {
      title: words.browser,
      cell: ({ userAgent }) => (
        <Text size="sm" lineClamp={2} maw={360}>
          {userAgent}
        </Text>
      ),
    },
    { title: words.ip, cell: ({ ip }) => ip },
    { title: words.signedIn, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { title: words.lastSeen, cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
    ...(actionOf ? [{ title: words.actions, cell: actionOf }] : []),
  ];
  return <RecordTable label={words.table} columns={columns} rows={sessions} />;
}

/** The user's own sessions. Each except the current one can be ended. */
export function OwnSessionTable(props: {
  readonly sessions: readonly (UserSession & { readonly current: boolean })[];
  readonly end: (id: string) => Promise<unknown>;
}) {
  const end = (id: string) =>
    props
      .end(id)
      .then(() => showDone(texts().sessions.ended))
      .catch(showFailure);
  return (
    <SessionTable
      sessions={props.sessions}
      actionOf={({ id, current, ip }) =>
        current ? (
          <Mark tone="accent">{texts().sessions.current}</Mark>
        ) : (
          <Button size="compact-sm" variant="default" aria-label={texts().sessions.endFrom(ip)} onClick={() => end(id)}>
            {texts().sessions.end}
          </Button>
        )
      }
    />
  );
}
