import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Anchor, Badge, Group, Menu, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { useState } from 'react';
import { type DataOf, useWrite } from '../../../frame/api.ts';
import { kindTitle, type Policy } from './flows.ts';
import classes from './policies.module.css';
import { policySummary } from './policy-summary.ts';

/** One policy of a lane, with a handle to drag it by. */
export function PolicyCard(props: {
  readonly policy: Policy;
  readonly routes: DataOf<'listRoutes'>['routes'];
  /** Whether it is held over a place that it may not stand at. */
  readonly refused: boolean;
  readonly movable: boolean;
  readonly onOpen: () => void;
  readonly onMoveUp?: () => void;
  readonly onMoveDown?: () => void;
}) {
  const { policy, refused, movable } = props;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: policy.id,
    disabled: !movable,
  });
  const { role: _, ...handleAttributes } = attributes;
  return (
    <li
      ref={setNodeRef}
      className={classes.step}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        zIndex: isDragging ? 2 : undefined,
      }}
    >
      <div
        className={classes.card}
        data-dragging={isDragging || undefined}
        data-refused={refused || undefined}
        data-disabled={!policy.enabled || undefined}
      >
        {movable ? (
          <button
            type="button"
            ref={setActivatorNodeRef}
            {...handleAttributes}
            {...listeners}
            className={`mantine-focus-auto ${classes.handle}`}
            aria-label={`Move ${policy.name}`}
          >
            <Grip />
          </button>
        ) : (
          <span />
        )}
        <div>
          <Group gap="xs">
            <Anchor component="button" fw={600} size="sm" ta="start" onClick={props.onOpen}>
              {policy.name}
            </Anchor>
            {!policy.enabled && (
              <Badge size="sm" variant="default" tt="none">
                off
              </Badge>
            )}
          </Group>
          {policy.name !== kindTitle(policy.kind) && (
            <Text size="xs" c="dimmed">
              {kindTitle(policy.kind)}
            </Text>
          )}
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {policySummary(policy)}
          </Text>
          <Text size="xs" c="dimmed">
            {appliesTo(policy, props.routes)}
          </Text>
        </div>
        {movable && <CardMenu {...props} />}
      </div>
    </li>
  );
}

function CardMenu(props: Parameters<typeof PolicyCard>[0]) {
  const { policy } = props;
  const [detaching, setDetaching] = useState(false);
  const update = useWrite('updatePolicy');
  const detach = useWrite('detachPolicy');
  const params = { proxyId: policy.proxyId, policyId: policy.id };
  const toggle = async () => {
    try {
      await update.mutateAsync({ params, body: { enabled: !policy.enabled }, version: policy.version });
      showDone(policy.enabled ? `${policy.name} is switched off.` : `${policy.name} is switched on.`);
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" aria-label={`Actions for ${policy.name}`}>
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={props.onOpen}>Configure</Menu.Item>
          <Menu.Item onClick={toggle}>{policy.enabled ? 'Switch off' : 'Switch on'}</Menu.Item>
          <Menu.Item disabled={props.onMoveUp === undefined} onClick={props.onMoveUp}>
            Move up
          </Menu.Item>
          <Menu.Item disabled={props.onMoveDown === undefined} onClick={props.onMoveDown}>
            Move down
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setDetaching(true)}>
            Detach
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {detaching && (
        <Confirm
          title={`Detach ${policy.name}?`}
          action="Detach"
          done={`${policy.name} is detached.`}
          onConfirm={() => detach.mutateAsync({ params, version: policy.version })}
          onClose={() => setDetaching(false)}
        >
          Its configuration goes with it. What is deployed keeps it until the next deployment.
        </Confirm>
      )}
    </>
  );
}

/** Six dots: something that can be dragged. */
function Grip() {
  return (
    <svg width="12" height="18" viewBox="0 0 12 18" fill="currentColor" aria-hidden>
      {[3, 9, 15].flatMap((y) => [3, 9].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.6" />))}
    </svg>
  );
}

function appliesTo(policy: Policy, routes: DataOf<'listRoutes'>['routes']): string {
  if (policy.routeIds === null) return 'All routes';
  const named = policy.routeIds.flatMap((id) => {
    const route = routes.find((candidate) => candidate.id === id);
    return route ? [`${route.method} ${route.pathPattern}`] : [];
  });
  if (named.length !== 1 && policy.routeIds.length > 2) return `${policy.routeIds.length} routes`;
  return named.join(', ') || `${policy.routeIds.length} routes`;
}
