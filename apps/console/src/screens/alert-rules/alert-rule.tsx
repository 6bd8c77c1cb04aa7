import { IconPencil } from '@millrace/ui/icons';
import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { RuleMark, SeverityMark } from './marks.tsx';

const sections = [
  { to: '/alert-rules/$alertRuleId', label: 'Overview', permission: 'alert.read' },
  { to: '/alert-rules/$alertRuleId/test', label: 'Test on the past', permission: 'alert.read' },
  { to: '/alert-rules/$alertRuleId/evaluations', label: 'Evaluations', permission: 'alert.read' },
] as const satisfies readonly PermittedSection[];

/** One alert rule: its header and its sections. */
export function AlertRuleScreen() {
  const { alertRuleId } = useParams({ from: '/shell/alert-rules/$alertRuleId' });
  const read = useRead('getAlertRule', { params: { alertRuleId } }, { refetchInterval: 10_000 });
  return (
    <EntityScreen read={read}>
      {(rule) => (
        <Page
          title={rule.name}
          mark={
            <>
              <RuleMark state={rule.state} />
              <SeverityMark severity={rule.severity} />
            </>
          }
          description={rule.description}
          crumbs={[{ label: 'Alert rules', to: '/alert-rules' }]}
          actions={<Actions rule={rule} />}
          tabs={<PermittedSections label="Sections of the alert rule" sections={sections} params={{ alertRuleId }} />}
        >
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ rule }: { readonly rule: DataOf<'getAlertRule'> }) {
  const { id, name, enabled, version } = rule;
  const params = { alertRuleId: id };
  const navigate = useNavigate();
  const update = useWrite('updateAlertRule');
  const remove = useWrite('deleteAlertRule');
  const permission = 'alert.write';
  return (
    <PermittedActions
      actions={[
        {
          label: 'Edit',
          icon: IconPencil,
          permission,
          link: { to: '/alert-rules/$alertRuleId/edit', params: params as never },
        },
        enabled
          ? {
              label: 'Disable',
              permission,
              run: () => update.mutateAsync({ params, body: { enabled: false }, version }),
              done: `${name} disabled.`,
              confirm: {
                title: `Disable ${name}?`,
                text: 'It is no longer evaluated, and its alerts are resolved. For planned work, a silence is better.',
              },
            }
          : {
              label: 'Enable',
              permission,
              run: () => update.mutateAsync({ params, body: { enabled: true }, version }),
              done: `${name} enabled.`,
            },
        deleteAction({
          name,
          permission,
          text: 'Its alerts are resolved; incidents stay.',
          run: () => remove.mutateAsync({ params, version }),
          onDone: () => navigate({ to: '/alert-rules' }),
        }),
      ]}
    />
  );
}
