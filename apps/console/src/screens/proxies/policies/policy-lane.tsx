import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  type DragOverEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Group, Text, Title } from '@mantine/core';
import type { PolicyFlow } from '@millrace/policies/kind';
import { useState } from 'react';
import type { DataOf } from '../../../frame/api.ts';
import { PermittedButton } from '../../../frame/can.tsx';
import { useSession } from '../../../frame/session.tsx';
import { movePolicy, type Policy } from './flows.ts';
import classes from './policies.module.css';
import { PolicyCard } from './policy-card.tsx';
import { restrictToVerticalAxis } from './vertical-axis.ts';

const ends = {
  request: { title: 'Request flow', from: 'Caller', to: 'Target server' },
  response: { title: 'Response flow', from: 'Target server', to: 'Caller' },
} as const;

/**
 * The policies of one flow, in the order in which they run. They are moved by pointer, keyboard or the menu of their card;
 * an order that the kinds don’t allow is rejected before it is sent.
 */
export function PolicyLane(props: {
  readonly flow: PolicyFlow;
  readonly policies: readonly Policy[];
  readonly routes: DataOf<'listRoutes'>['routes'];
  readonly onReorder: (policies: readonly Policy[]) => void;
  readonly onRefused: (reason: string | null) => void;
  readonly onOpen: (policyId: string) => void;
  readonly onAttach: () => void;
}) {
  const { flow, policies, onRefused } = props;
  const { can } = useSession();
  const [refusedId, setRefusedId] = useState<string | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const nameOf = (id: string | number) => policies.find((policy) => policy.id === id)?.name ?? 'The policy';
  const placeOf = (id: string | number) => policies.findIndex((policy) => policy.id === id) + 1;
  const pickedUp = (id: string | number) =>
    `${nameOf(id)} picked up, at position ${placeOf(id)} of ${policies.length}.`;
  const over = ({ active, over: target }: Pick<DragOverEvent, 'active' | 'over'>) =>
    target === null || target.id === active.id ? null : movePolicy(policies, String(active.id), String(target.id));

  const drop = (event: DragEndEvent) => {
    setRefusedId(null);
    const move = over(event);
    if (move === null) onRefused(null);
    else if (move.ok) props.onReorder(move.policies);
    else onRefused(move.reason);
  };
  const step = (policy: Policy, distance: 1 | -1) => {
    const neighbour = policies[policies.indexOf(policy) + distance];
    if (neighbour === undefined) return;
    const move = movePolicy(policies, policy.id, neighbour.id);
    if (move.ok) props.onReorder(move.policies);
    else onRefused(move.reason);
  };

  const { title, from, to } = ends[flow];
  return (
    <section className={classes.lane} aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <PermittedButton
          size="xs"
          variant="default"
          permission="policy.write"
          onClick={props.onAttach}
          aria-label={`Attach policy to the ${title.toLowerCase()}`}
        >
          Attach policy
        </PermittedButton>
      </Group>
      <div className={classes.end}>{from}</div>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        modifiers={[restrictToVerticalAxis]}
        onDragOver={(event) => {
          const move = over(event);
          setRefusedId(move?.ok === false ? String(event.active.id) : null);
        }}
        onDragCancel={() => setRefusedId(null)}
        onDragEnd={drop}
        accessibility={{
          screenReaderInstructions: {
            draggable:
              'Press Space to pick up the policy, the arrow keys to move it, Space again to drop it, Escape to cancel.',
          },
          announcements: {
            onDragStart: ({ active }) => pickedUp(active.id),
            onDragOver: (event) => {
              const move = over(event);
              if (move?.ok === false) return move.reason;
              // It starts over its own position.
              if (event.over?.id === event.active.id) return pickedUp(event.active.id);
              return event.over
                ? `${nameOf(event.active.id)} moved over position ${placeOf(event.over.id)}.`
                : undefined;
            },
            onDragEnd: (event) => {
              const move = over(event);
              if (move?.ok === false) return `Not moved. ${move.reason}`;
              return move ? `${nameOf(event.active.id)} dropped at position ${placeOf(event.over!.id)}.` : 'Not moved.';
            },
            onDragCancel: () => 'Not moved.',
          },
        }}
      >
        <SortableContext items={policies.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <ol className={classes.steps}>
            {policies.map((policy, index) => (
              <PolicyCard
                key={policy.id}
                policy={policy}
                routes={props.routes}
                refused={policy.id === refusedId}
                movable={can('policy.write')}
                onOpen={() => props.onOpen(policy.id)}
                {...(index === 0 ? {} : { onMoveUp: () => step(policy, -1) })}
                {...(index === policies.length - 1 ? {} : { onMoveDown: () => step(policy, 1) })}
              />
            ))}
            {policies.length === 0 && (
              <li className={classes.step}>
                <Text className={classes.empty} size="sm" c="dimmed">
                  No policies: every {flow} passes unchanged.
                </Text>
              </li>
            )}
          </ol>
        </SortableContext>
      </DndContext>
      <div className={classes.end}>{to}</div>
    </section>
  );
}
