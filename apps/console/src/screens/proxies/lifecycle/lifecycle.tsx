import { Group, Text } from '@mantine/core';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type PermittedAction, PermittedActions } from '../../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { useSession } from '../../../frame/session.tsx';
import { useOpened } from '../opened.ts';
import { useProxy } from '../proxy-context.tsx';
import { stages } from '../stages.ts';
import classes from './lifecycle.module.css';
import { moveNames } from './moves.ts';
import { RequestDialog } from './request-dialog.tsx';

type Lifecycle = DataOf<'getProxyLifecycle'>;

function useLifecycle(): Lifecycle | undefined {
  const { proxy } = useProxy();
  const { can } = useSession();
  return useRead('getProxyLifecycle', { params: { proxyId: proxy.id } }, { enabled: can('lifecycle.read') }).data;
}

/** The moves that can be requested from the proxy's stage; those that end its life stand in the menu. */
export function useMoves(): readonly PermittedAction[] {
  const moves = useLifecycle()?.moves ?? [];
  const [, ask] = useOpened('move');
  return moves.map(({ toStage, approvalRequired }) => {
    return {
      label: moveNames[toStage][approvalRequired ? 'request' : 'act'],
      inMenu: toStage === 'deprecated' || toStage === 'retired',
      permission: 'lifecycle.request',
      run: () => ask(toStage),
    };
  });
}

/** Above the sections of a proxy: the request that waits for a decision, and the dialog of a new one. */
export function LifecycleNotice() {
  const lifecycle = useLifecycle();
  const [asked, ask] = useOpened('move');
  const move = lifecycle?.moves.find(({ toStage }) => toStage === asked);
  return (
    <>
      {lifecycle && <State lifecycle={lifecycle} />}
      {move && <RequestDialog move={move} onClose={() => ask(null)} />}
    </>
  );
}

/** The stages of the proxy’s lifecycle, with the current one marked. */
export function Stages() {
  const { stage } = useProxy().proxy;
  const reached = stages.indexOf(stage);
  return (
    <ol className={classes.stages} aria-label="Lifecycle">
      {stages.map((name, index) => (
        <li
          key={name}
          className={classes.stage}
          data-passed={index < reached || undefined}
          aria-current={index === reached ? 'step' : undefined}
        >
          <span className={classes.dot} aria-hidden />
          {wordsOf(name)}
        </li>
      ))}
    </ol>
  );
}

/** The request that waits for a decision, or that the working copy is no longer what was approved. */
function State({ lifecycle }: { readonly lifecycle: Lifecycle }) {
  const { user, serviceAccount } = useSession();
  const withdraw = useWrite('withdrawLifecycleRequest');
  const { pendingRequest, stage, contentApproved } = lifecycle;
  if (pendingRequest === null) {
    if ((stage === 'approved' || stage === 'published') && !contentApproved) {
      return (
        <Text size="sm" c="dimmed" mb="sm">
          Edited since its approval.
        </Text>
      );
    }
    return null;
  }
  const { id, toStage, requestedBy, requestedByName, createdAt } = pendingRequest;
  return (
    <Group gap="xs" mb="sm">
      <Text size="sm">
        {moveNames[toStage].noun} requested by {requestedByName} <Ago at={createdAt} />.{' '}
        <TextLink to="/review-queue/$requestId" params={{ requestId: id }} inherit underline="always">
          Open the review
        </TextLink>
      </Text>
      <PermittedActions
        size="compact-xs"
        actions={[
          {
            label: 'Withdraw',
            hidden: ![user?.id, serviceAccount?.id].includes(requestedBy),
            permission: 'lifecycle.request',
            run: () => withdraw.mutateAsync({ params: { requestId: id } }),
            done: 'Request withdrawn.',
          },
        ]}
      />
    </Group>
  );
}
