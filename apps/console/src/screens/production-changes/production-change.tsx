import { Alert, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Page } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { requestTones } from '../reviews/request-tones.ts';
import { FieldChanges } from '../revisions/field-changes.tsx';

type Change = DataOf<'getProductionChange'>;

/** One change to production: what it changes, who asks for it, and the decision. */
export function ProductionChangeScreen() {
  const { changeId } = useParams({ strict: false }) as { readonly changeId: string };
  // Somebody else may decide meanwhile.
  const read = useRead('getProductionChange', { params: { changeId } }, { refetchInterval: 15_000 });
  return (
    <Loaded read={read}>
      {(change) => (
        <Page
          title={titleOf(change)}
          mark={<Mark tone={requestTones[change.state]}>{wordsOf(change.state)}</Mark>}
          description={
            <>
              Requested by {change.requestedByName}, <Moment at={change.createdAt} />
            </>
          }
          crumbs={[{ label: 'Production changes', to: '/production-changes' }]}
          actions={change.state === 'pending' && <Decision change={change} />}
        >
          <Stack gap="xl" maw={960}>
            <Outcome change={change} />
            <section>
              <Title order={2} size="h4" mb="sm">
                What changes
              </Title>
              {change.note !== '' && <Text mb="sm">{change.note}</Text>}
              {change.changes.length === 0 ? (
                <Text c="dimmed">No field that may be shown.</Text>
              ) : (
                <FieldChanges fields={change.changes} />
              )}
            </section>
            <section>
              <Title order={2} size="h4" mb="sm">
                The request
              </Title>
              <Text size="sm" component="pre" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {JSON.stringify(change.input, null, 2)}
              </Text>
            </section>
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function titleOf({ summary, entityName }: Change): string {
  return entityName === '' ? summary : `${summary}: ${entityName}`;
}

function Outcome({ change }: { readonly change: Change }) {
  const { state, decidedByName, decidedAt, reason, approval } = change;
  return (
    <>
      {state === 'pending' && approval.reason !== null && (
        <Alert color="blue" title="You can’t approve this">
          {approval.reason}
        </Alert>
      )}
      {decidedByName !== null && (
        <Alert color={state === 'approved' ? 'teal' : 'red'} title={`${wordsOf(state)} by ${decidedByName}`}>
          <Moment at={decidedAt} />
          {state === 'void' && <Text mt={4}>What it was to change was gone by then.</Text>}
          {reason && (
            <Text mt={4} style={{ whiteSpace: 'pre-wrap' }}>
              {reason}
            </Text>
          )}
        </Alert>
      )}
    </>
  );
}

/** The buttons of whoever decides, and of the requester. */
function Decision({ change }: { readonly change: Change }) {
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
  const withdraw = useWrite('withdrawProductionChange');
  const takeBack = () =>
    withdraw
      .mutateAsync({ params: { changeId: change.id } })
      .then(() => showDone('The change is withdrawn.'))
      .catch(showFailure);
  return (
    <Group gap="xs">
      {change.withdrawable && (
        <PermittedButton variant="default" loading={withdraw.isPending} onClick={takeBack}>
          Withdraw
        </PermittedButton>
      )}
      <PermittedButton variant="default" permission="deployment.prod" onClick={() => setDeciding('reject')}>
        Reject
      </PermittedButton>
      <PermittedButton
        permission="deployment.prod"
        blocked={change.approval.allowed ? null : change.approval.reason}
        onClick={() => setDeciding('approve')}
      >
        Approve
      </PermittedButton>
      {deciding && <DecisionDialog change={change} decision={deciding} onClose={() => setDeciding(null)} />}
    </Group>
  );
}

function DecisionDialog(props: {
  readonly change: Change;
  readonly decision: 'approve' | 'reject';
  readonly onClose: () => void;
}) {
  const { change, decision, onClose } = props;
  const approve = useWrite('approveProductionChange');
  const reject = useWrite('rejectProductionChange');
  const params = { changeId: change.id };
  const approves = decision === 'approve';
  const form = useForm({ reason: '' }, async (body) => {
    const { state } = await (approves ? approve.mutateAsync({ params, body }) : reject.mutateAsync({ params, body }));
    showDone(`${wordsOf(state)}.`);
    onClose();
  });
  return (
    <FormDialog title={`${approves ? 'Approve' : 'Reject'}: ${titleOf(change)}`} opened onClose={onClose}>
      <FormBody form={form} submitLabel={approves ? 'Approve' : 'Reject'} danger={!approves} onCancel={onClose}>
        <Textarea
          label="Reason"
          description={approves ? 'Optional. The change takes effect at once.' : 'The requester sees it.'}
          required={!approves}
          autosize
          minRows={3}
          {...form.text('reason')}
          data-autofocus
        />
      </FormBody>
    </FormDialog>
  );
}
