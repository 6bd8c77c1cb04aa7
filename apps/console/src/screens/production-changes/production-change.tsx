import { Code, Stack, Text } from '@mantine/core';
import { Page, Section } from '@millrace/ui/page';
import { Properties } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { ApprovalNote, decisionActions, decisionProperties, RequestState } from '../reviews/decision.tsx';
import { FieldChanges } from '../revisions/field-changes.tsx';

type Change = DataOf<'getProductionChange'>;

/** One change to production: what it changes, who requested it, and the decision. */
export function ProductionChangeScreen() {
  const { changeId } = useParams({ from: '/shell/production-changes/$changeId' });
  // Someone else may decide in the meantime.
  const read = useRead('getProductionChange', { params: { changeId } }, { refetchInterval: 15_000 });
  return (
    <EntityScreen read={read}>
      {(change) => (
        <Page
          title={titleOf(change)}
          mark={<RequestState state={change.state} />}
          crumbs={[{ label: 'Production changes', to: '/production-changes' }]}
          actions={change.state === 'pending' && <Decision change={change} />}
        >
          <Stack gap="lg">
            <ApprovalNote {...change} />
            {change.state === 'void' && (
              <Text size="sm" c="dimmed">
                What it would have changed no longer exists.
              </Text>
            )}
            <Properties of={decisionProperties(change)} />
            <Section title="Changes">
              {change.changes.length === 0 ? (
                <Text size="sm" c="dimmed">
                  No changed fields to show.
                </Text>
              ) : (
                <FieldChanges fields={change.changes} />
              )}
            </Section>
            <Section title="Request">
              <Code block className="json">
                {JSON.stringify(change.input, null, 2)}
              </Code>
            </Section>
          </Stack>
        </Page>
      )}
    </EntityScreen>
  );
}

function titleOf({ summary, entityName }: Change): string {
  return entityName === '' ? summary : `${summary}: ${entityName}`;
}

function Decision({ change }: { readonly change: Change }) {
  const approve = useWrite('approveProductionChange');
  const reject = useWrite('rejectProductionChange');
  const withdraw = useWrite('withdrawProductionChange');
  const params = { changeId: change.id };
  return (
    <PermittedActions
      actions={decisionActions({
        name: change.entityName || 'this change',
        permission: 'deployment.prod',
        approval: change.approval,
        approveHelp: 'The change takes effect at once',
        approve: (body) => approve.mutateAsync({ params, body }),
        reject: (body) => reject.mutateAsync({ params, body }),
        withdraw: change.withdrawable ? () => withdraw.mutateAsync({ params }) : null,
      })}
    />
  );
}
