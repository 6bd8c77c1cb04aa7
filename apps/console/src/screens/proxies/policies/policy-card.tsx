import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { Anchor, Group, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { PermittedMenu } from '../../../frame/actions.tsx';
import { type DataOf, useWrite } from '../../../frame/api.ts';
import { kindTitle, type Policy } from './flows.ts';
import classes from './policies.module.css';
import { policySummary } from './policy-summary.ts';

/** One policy of a lane, with a handle to drag it by. */
export function PolicyCard(props: {
  readonly policy: Policy;
  readonly routes: DataOf<'listRoutes'>['routes'];
  /** Whether it is dragged over a place where it isn’t allowed. */
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
            {!policy.enabled && <Mark tone="neutral">Disabled</Mark>}
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
  const { policy, onOpen, onMoveUp, onMoveDown } = props;
  const { id, proxyId, name, enabled, version } = policy;
  const update = useWrite('updatePolicy');
  const detach = useWrite('detachPolicy');
  const params = { proxyId, policyId: id };
  return (
    <PermittedMenu
      label={`Actions for ${name}`}
      actions={[
        { label: 'Configure', run: onOpen },
        {
          label: enabled ? 'Disable' : 'Enable',
          run: () => update.mutateAsync({ params, body: { enabled: !enabled }, version }),
          done: `${name} ${enabled ? 'disabled' : 'enabled'}.`,
        },
        { label: 'Move up', hidden: onMoveUp === undefined, run: () => onMoveUp?.() },
        { label: 'Move down', hidden: onMoveDown === undefined, run: () => onMoveDown?.() },
        {
          label: 'Detach',
          danger: true,
          run: () => detach.mutateAsync({ params, version }),
          done: `${name} detached.`,
          confirm: {
            title: `Detach ${name}?`,
            text: 'Its configuration is deleted. Live deployments don’t change until the next deployment.',
          },
        },
      ]}
    />
  );
}

/** Six dots: a handle to drag by. */
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
