import { ActionIcon, Group, Indicator, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@millrace/ui/icons';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useRead } from './api.ts';
import { useSession } from './session.tsx';

const refetchInterval = 30_000;
const mostShown = 5;

/** The unresolved incidents, on every screen; nothing while there is none, or for users who can’t read incidents. */
export function IncidentNotices() {
  const { can } = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const enabled = can('incident.read');
  const list = useRead(
    'listIncidents',
    { query: { unresolved: 'true', pageSize: mostShown } },
    { enabled, refetchInterval },
  );
  const { incidents = [], total = 0 } = list.data ?? {};
  if (!enabled || total === 0) return null;
  const label = total === 1 ? '1 unresolved incident' : `${total} unresolved incidents`;
  const unacknowledged = list.data?.figures.unacknowledged ?? 0;
  return (
    <Popover opened={opened} onChange={(shown) => !shown && close()} position="bottom-end" width={340} trapFocus>
      <Indicator
        label={total > 99 ? '99+' : total}
        size={16}
        offset={6}
        color={unacknowledged > 0 ? 'red.9' : 'gray.7'}
      >
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" onClick={toggle} aria-label={label}>
            <IconAlertTriangle size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Unresolved incidents">
        <Group justify="space-between" mb="xs">
          <Text fw={600}>Unresolved incidents</Text>
          <TextLink to="/incidents" search={{ unresolved: 'true' }} size="sm" onClick={close}>
            Show all
          </TextLink>
        </Group>
        <ScrollArea.Autosize mah={360}>
          <Stack gap="sm">
            {incidents.map(({ id, title, state, severity, openedAt }) => (
              <div key={id}>
                <TextLink
                  to="/incidents/$incidentId"
                  params={{ incidentId: id }}
                  size="sm"
                  fw={state === 'open' ? 600 : 400}
                  onClick={close}
                >
                  {title}
                </TextLink>
                <Text size="xs" c="dimmed">
                  {`${wordsOf(severity)} · ${wordsOf(state).toLowerCase()} · `}
                  <Ago at={openedAt} />
                </Text>
              </div>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
