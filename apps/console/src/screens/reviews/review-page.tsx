import { Alert, Anchor, Button, Card, Code, Group, ScrollArea, Stack, Text, Textarea, Title } from '@mantine/core';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Page } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSession } from '../../frame/session.tsx';
import { FindingCard } from '../governance/finding-card.tsx';
import { DiffView } from '../revisions/diff-view.tsx';
import { Comments } from './comments.tsx';
import { requestTones } from './request-tones.ts';

type Request = DataOf<'getLifecycleRequest'>;

/** One request under review: what it would change, what governance objects to, what was said, and the decision. */
export function ReviewPage() {
  const { requestId } = useParams({ strict: false }) as { readonly requestId: string };
  // Somebody else may decide meanwhile.
  const read = useRead('getLifecycleRequest', { params: { requestId } }, { refetchInterval: 15_000 });
  return (
    <EntityScreen read={read}>
      {(request) => (
        <Page
          title={`${request.proxyName}: ${wordsOf(request.fromStage)} → ${wordsOf(request.toStage)}`}
          mark={<Mark tone={requestTones[request.state]}>{wordsOf(request.state)}</Mark>}
          description={<Asked request={request} />}
          crumbs={[{ label: 'Review queue', to: '/review-queue' }]}
          actions={request.state === 'pending' && <Decision request={request} />}
        >
          <Stack gap="xl" maw={960}>
            <Outcome request={request} />
            <Part title="What changes">
              <DiffView
                diff={request.diff}
                same={
                  request.toStage === 'approved'
                    ? 'The content is the same as what was approved before.'
                    : 'The content stays as it was approved.'
                }
              />
              {request.toStage === 'approved' && <ReviewedSpecification request={request} />}
            </Part>
            <Part title="Governance">
              {request.findings.length === 0 ? (
                <Text c="dimmed">No rule objected to anything.</Text>
              ) : (
                <Stack gap="sm">
                  {request.findings.map((finding) => (
                    <FindingCard
                      key={`${finding.code} ${finding.location} ${finding.message}`}
                      finding={{ ...finding, proxyId: request.proxyId }}
                    />
                  ))}
                </Stack>
              )}
            </Part>
            <Part title="Discussion">
              <Comments requestId={request.id} />
            </Part>
          </Stack>
        </Page>
      )}
    </EntityScreen>
  );
}

function Part(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {props.title}
      </Title>
      {props.children}
    </section>
  );
}

/** The whole document of the revision under review: a diff tells its operations alone. */
function ReviewedSpecification({ request }: { readonly request: Request }) {
  const { can } = useSession();
  const [shown, setShown] = useState(false);
  const params = { proxyId: request.proxyId, revision: request.revision };
  const read = useRead('getRevision', { params }, { enabled: shown });
  if (!can('revision.read')) return null;
  return (
    <Stack mt="md" gap="xs">
      <Button
        variant="default"
        size="xs"
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
        style={{ alignSelf: 'start' }}
      >
        {shown ? 'Hide the specification' : 'Show the whole specification'}
      </Button>
      {shown && (
        <Loaded read={read}>
          {({ content }) =>
            content.specification === null ? (
              <Text c="dimmed">Revision {request.revision} has no specification.</Text>
            ) : (
              <ScrollArea.Autosize
                mah="60vh"
                viewportProps={{ tabIndex: 0, 'aria-label': 'Specification', role: 'region' }}
              >
                <Code block>{JSON.stringify(content.specification, null, 2)}</Code>
              </ScrollArea.Autosize>
            )
          }
        </Loaded>
      )}
    </Stack>
  );
}

function Asked({ request }: { readonly request: Request }) {
  return (
    <>
      {request.requestedByName}, <Moment at={request.createdAt} />: revision {request.revision} of{' '}
      <Anchor
        underline="always"
        renderRoot={(root) => <Link {...root} to="/proxies/$proxyId" params={{ proxyId: request.proxyId }} />}
      >
        {request.proxyName}
      </Anchor>
    </>
  );
}

function Outcome({ request }: { readonly request: Request }) {
  const { note, state, decidedByName, decidedAt, reason, approval } = request;
  return (
    <Stack gap="sm">
      {note !== '' && (
        <Card withBorder padding="sm">
          <Text style={{ whiteSpace: 'pre-wrap' }}>{note}</Text>
        </Card>
      )}
      {state === 'pending' && approval.reason !== null && (
        <Alert color="blue" title="You cannot approve this">
          {approval.reason}
        </Alert>
      )}
      {state === 'void' && <Alert color="yellow">The working copy was changed before the decision.</Alert>}
      {decidedByName !== null && (
        <Alert color={state === 'approved' ? 'teal' : 'red'} title={`${wordsOf(state)} by ${decidedByName}`}>
          <Moment at={decidedAt} />
          {reason && (
            <Text mt={4} style={{ whiteSpace: 'pre-wrap' }}>
              {reason}
            </Text>
          )}
        </Alert>
      )}
    </Stack>
  );
}

/** The buttons of whoever decides, and of the requester. */
function Decision({ request }: { readonly request: Request }) {
  const { user, serviceAccount } = useSession();
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
  const withdraw = useWrite('withdrawLifecycleRequest');
  const own = [user?.id, serviceAccount?.id].includes(request.requestedBy);
  const takeBack = async () => {
    try {
      await withdraw.mutateAsync({ params: { requestId: request.id } });
      showDone('The request is withdrawn.');
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Group gap="xs">
      {own && (
        <PermittedButton
          variant="default"
          permission="lifecycle.request"
          loading={withdraw.isPending}
          onClick={takeBack}
        >
          Withdraw
        </PermittedButton>
      )}
      <PermittedButton variant="default" permission="lifecycle.approve" onClick={() => setDeciding('reject')}>
        Reject
      </PermittedButton>
      <PermittedButton
        permission="lifecycle.approve"
        blocked={request.approval.allowed ? null : request.approval.reason}
        onClick={() => setDeciding('approve')}
      >
        Approve
      </PermittedButton>
      {deciding && <DecisionDialog request={request} decision={deciding} onClose={() => setDeciding(null)} />}
    </Group>
  );
}

function DecisionDialog(props: {
  readonly request: Request;
  readonly decision: 'approve' | 'reject';
  readonly onClose: () => void;
}) {
  const { request, decision, onClose } = props;
  const approve = useWrite('approveLifecycleRequest');
  const reject = useWrite('rejectLifecycleRequest');
  const params = { requestId: request.id };
  const form = useForm({ reason: '' }, async (body) => {
    await (decision === 'approve' ? approve.mutateAsync({ params, body }) : reject.mutateAsync({ params, body }));
    showDone(decision === 'approve' ? 'Approved.' : 'Rejected.');
    onClose();
  });
  const title = decision === 'approve' ? `Approve ${request.proxyName}` : `Reject ${request.proxyName}`;
  return (
    <FormDialog title={title} opened onClose={onClose}>
      <FormBody
        form={form}
        submitLabel={decision === 'approve' ? 'Approve' : 'Reject'}
        danger={decision === 'reject'}
        onCancel={onClose}
      >
        <Textarea
          label="Reason"
          description={
            decision === 'approve'
              ? 'Optional. Governance is evaluated once more.'
              : 'What has to change; the requester is told.'
          }
          required={decision === 'reject'}
          autosize
          minRows={3}
          {...form.text('reason')}
          data-autofocus
        />
      </FormBody>
    </FormDialog>
  );
}
