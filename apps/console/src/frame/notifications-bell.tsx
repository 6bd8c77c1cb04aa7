import { ActionIcon, Anchor, Button, Group, Indicator, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { showFailure } from '@millrace/ui/form';
import { IconBell } from '@millrace/ui/icons';
import { Ago } from '@millrace/ui/values';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type DataOf, useRead, useWrite } from './api.ts';

const refetchInterval = 60_000;

/** The notifications of the signed-in user. */
export function NotificationsBell() {
  const [opened, { toggle, close }] = useDisclosure();
  const list = useRead('listNotifications', { query: { pageSize: 20 } }, { refetchInterval });
  const read = useWrite('readNotifications');
  const unread = list.data?.unread ?? 0;
  const markAll = () => read.mutateAsync({ body: {} }).catch(showFailure);
  return (
    <Popover opened={opened} onChange={(shown) => !shown && close()} position="bottom-end" width={340} trapFocus>
      <Indicator label={unread > 99 ? '99+' : unread} disabled={unread === 0} size={16} offset={6} color="red.9">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={toggle}
            aria-label={unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`}
          >
            <IconBell size={18} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Notifications">
        <Group justify="space-between" mb="xs">
          <Text fw={600}>Notifications</Text>
          <Button size="compact-xs" variant="default" onClick={markAll} disabled={unread === 0}>
            Mark all as read
          </Button>
        </Group>
        <ScrollArea.Autosize mah={360}>
          <Stack gap="sm">
            {list.data?.notifications.length === 0 && (
              <Text size="sm" c="dimmed">
                No notifications yet.
              </Text>
            )}
            {list.data?.notifications.map((notification) => (
              <NotificationItem key={notification.id} notification={notification} onFollow={close} />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function NotificationItem(props: {
  readonly notification: DataOf<'listNotifications'>['notifications'][number];
  readonly onFollow: () => void;
}) {
  const { id, title, link, decision, readAt, createdAt } = props.notification;
  const read = useWrite('readNotifications');
  const follow = () => {
    props.onFollow();
    if (readAt === null) read.mutateAsync({ body: { notificationIds: [id] } }).catch(showFailure);
  };
  const unread = readAt === null && decision !== 'settled';
  const weight = unread ? 600 : 400;
  return (
    <div>
      {link === null ? (
        <Text size="sm" fw={weight}>
          {title}
        </Text>
      ) : (
        <Anchor
          size="sm"
          fw={weight}
          onClick={follow}
          renderRoot={(root) => <Link {...root} to={link as LinkProps['to']} />}
        >
          {title}
        </Anchor>
      )}
      <Text size="xs" c="dimmed">
        <Ago at={createdAt} />
        {unread && ' · unread'}
        {decision === 'open' && ' · waiting for a decision'}
        {decision === 'settled' && ' · no longer waiting'}
      </Text>
    </div>
  );
}
