import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moment } from './values.tsx';

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
  return (
    <Table.ScrollContainer minWidth={600} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table mb="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Browser</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th>Since</Table.Th>
            <Table.Th>Last seen</Table.Th>
            {actionOf && <Table.Th>Actions</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td>
                <Text size="sm" lineClamp={2} maw={360}>
                  {session.userAgent}
                </Text>
              </Table.Td>
              <Table.Td>{session.ip}</Table.Td>
              <Table.Td>
                <Moment at={session.createdAt} />
              </Table.Td>
              <Table.Td>
                <Moment at={session.lastSeenAt} />
              </Table.Td>
              {actionOf && <Table.Td>{actionOf(session)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
