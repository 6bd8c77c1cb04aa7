import { Stack, Text } from '@mantine/core';
import { Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSession } from '../../frame/session.tsx';
import { FindingCard } from '../governance/finding-card.tsx';
import { DiffView } from '../revisions/diff-view.tsx';
import { Comments } from './comments.tsx';
import { ApprovalNote, decisionActions, decisionProperties, RequestState } from './decision.tsx';
import { ReviewedSpecification } from './reviewed-specification.tsx';

type Request = DataOf<'getLifecycleRequest'>;

/** One request under review: its changes, findings, discussion and decision. */
export function ReviewPage() {
  const { requestId } = useParams({ from: '/shell/review-queue/$requestId' });
  // Someone else may decide in the meantime.
  const read = useRead('getLifecycleRequest', { params: { requestId } }, { refetchInterval: 15_000 });
  return (
    <EntityScreen read={read}>
      {(request) => (
        <Page
          title={`${request.proxyName}: ${wordsOf(request.fromStage)} → ${wordsOf(request.toStage)}`}
          mark={<RequestState state={request.state} />}
          crumbs={[{ label: 'Review queue', to: '/review-queue' }]}
          actions={request.state === 'pending' && <Decision request={request} />}
        >
          <Stack gap="lg">
            <ApprovalNote {...request} />
            {request.state === 'void' && (
              <Text size="sm" c="dimmed">
                The working copy was edited before the decision.
              </Text>
            )}
            <Properties of={{ 'API proxy': <ProxyLink request={request} />, ...decisionProperties(request) }} />
            <Section title="Changes">
              <DiffView
                diff={request.diff}
                same={
                  request.toStage === 'approved'
                    ? 'The content is the same as what was approved before.'
                    : 'The content stays as it was approved.'
                }
              />
              {request.toStage === 'approved' && <ReviewedSpecification {...request} />}
            </Section>
            <Findings request={request} />
            <Section title="Discussion">
              <Comments requestId={request.id} />
            </Section>
          </Stack>
        </Page>
      )}
    </EntityScreen>
  );
}

function ProxyLink({ request }: { readonly request: Request }) {
  const { proxyId, proxyName, revision } = request;
  return (
    <>
      <TextLink to="/proxies/$proxyId" params={{ proxyId }} inherit>
        {proxyName}
      </TextLink>
      , revision {revision}
    </>
  );
}

function Findings({ request }: { readonly request: Request }) {
  const { proxyId, findings } = request;
  return (
    <Section title="Findings">
      {findings.length === 0 ? (
        <Text size="sm" c="dimmed">
          No findings.
        </Text>
      ) : (
        <Stack gap="sm">
          {findings.map((finding) => (
            <FindingCard
              key={`${finding.code} ${finding.location} ${finding.message}`}
              finding={{ ...finding, proxyId }}
            />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Decision({ request }: { readonly request: Request }) {
  const { callerId, can } = useSession();
  const approve = useWrite('approveLifecycleRequest');
  const reject = useWrite('rejectLifecycleRequest');
  const withdraw = useWrite('withdrawLifecycleRequest');
  const params = { requestId: request.id };
  const canWithdraw = request.requestedBy === callerId && can('lifecycle.request');
  return (
    <PermittedActions
      actions={decisionActions({
        name: request.proxyName,
        permission: 'lifecycle.approve',
        approval: request.approval,
        approveHelp: 'Governance is evaluated again',
        approve: (body) => approve.mutateAsync({ params, body }),
        reject: (body) => reject.mutateAsync({ params, body }),
        withdraw: canWithdraw ? () => withdraw.mutateAsync({ params }) : null,
      })}
    />
  );
}
