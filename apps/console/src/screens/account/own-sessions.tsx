import { Button, Group, Table, Text } from '@mantine/core';
import { useRead, useWrite } from '../../frame/api.ts';
import { showDone, showFailure } from '../../frame/form.ts';
import { Mark } from '../../frame/mark.tsx';
import { Loaded } from '../../frame/page.tsx';
import { Moment } from '../../frame/values.tsx';

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
          <Table.ScrollContainer minWidth={600} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table mb="md">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Browser</Table.Th>
                  <Table.Th>Address</Table.Th>
                  <Table.Th>Since</Table.Th>
                  <Table.Th>Last seen</Table.Th>
                  <Table.Th>Actions</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.sessions.map(({ id, current, userAgent, ip, createdAt, lastSeenAt }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Text size="sm" lineClamp={2} maw={360}>
                        {userAgent}
                      </Text>
                    </Table.Td>
                    <Table.Td>{ip}</Table.Td>
                    <Table.Td>
                      <Moment at={createdAt} />
                    </Table.Td>
                    <Table.Td>
                      <Moment at={lastSeenAt} />
                    </Table.Td>
                    <Table.Td>
                      {current ? (
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
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
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
