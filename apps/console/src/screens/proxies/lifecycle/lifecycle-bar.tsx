import { Anchor, Group, Text } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link } from '@tanstack/react-router';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { PermittedButton } from '../../../frame/can.tsx';
import { useSession } from '../../../frame/session.tsx';
import { useOpened } from '../opened.ts';
import { useProxy } from '../proxy-context.tsx';
import { stages } from '../stages.ts';
import classes from './lifecycle.module.css';
import { moveNames } from './moves.ts';
import { RequestDialog } from './request-dialog.tsx';

type Lifecycle = DataOf<'getProxyLifecycle'>;

/** Below the title of a proxy: its base path, its stage, and the moves that can be requested from there. */
export function LifecycleBar() {
  const { proxy } = useProxy();
  const { can } = useSession();
  const read = useRead('getProxyLifecycle', { params: { proxyId: proxy.id } }, { enabled: can('lifecycle.read') });
  const [asked, ask] = useOpened('move');
  const lifecycle = read.data;
  const move = lifecycle?.moves.find(({ toStage }) => toStage === asked);
  return (
    <section aria-label="Lifecycle" className={classes.bar}>
      <Text size="sm" c="dimmed" className={classes.summary!} title={proxy.description}>
        <code>{proxy.basePath}</code> {proxy.description}
      </Text>
      <Stages stage={proxy.stage} />
      {lifecycle && <State lifecycle={lifecycle} />}
      {lifecycle && lifecycle.moves.length > 0 && (
        <Group gap="xs">
          {lifecycle.moves.map(({ toStage, approvalRequired }) => (
            <PermittedButton
              key={toStage}
              size="xs"
              variant={toStage === 'deprecated' || toStage === 'retired' ? 'default' : 'filled'}
              permission="lifecycle.request"
              onClick={() => ask(toStage)}
            >
              {moveNames[toStage][approvalRequired ? 'request' : 'act']}
            </PermittedButton>
          ))}
        </Group>
      )}
      {move && <RequestDialog move={move} onClose={() => ask(null)} />}
    </section>
  );
}

function Stages({ stage }: { readonly stage: (typeof stages)[number] }) {
  const reached = stages.indexOf(stage);
  return (
    <ol className={classes.stages}>
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

/** What awaits a decision, or why what was approved is not what stands in the working copy. */
function State({ lifecycle }: { readonly lifecycle: Lifecycle }) {
  const { user, serviceAccount } = useSession();
  const withdraw = useWrite('withdrawLifecycleRequest');
  const { pendingRequest, stage, contentApproved } = lifecycle;
  if (pendingRequest === null) {
    if ((stage === 'approved' || stage === 'published') && !contentApproved) {
      return <Text size="sm">Edited since it was approved.</Text>;
    }
    return null;
  }
  const own = [user?.id, serviceAccount?.id].includes(pendingRequest.requestedBy);
  const takeBack = async () => {
    try {
      await withdraw.mutateAsync({ params: { requestId: pendingRequest.id } });
      showDone('Request withdrawn.');
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Group gap="sm">
      <Text size="sm">
        {moveNames[pendingRequest.toStage].noun} was requested by {pendingRequest.requestedByName},{' '}
        <Moment at={pendingRequest.createdAt} />.{' '}
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(root) => (
            <Link {...root} to="/review-queue/$requestId" params={{ requestId: pendingRequest.id }} />
          )}
        >
          Open the review
        </Anchor>
      </Text>
      {own && (
        <PermittedButton
          size="xs"
          variant="default"
          permission="lifecycle.request"
          loading={withdraw.isPending}
          onClick={takeBack}
        >
          Withdraw
        </PermittedButton>
      )}
    </Group>
  );
}
