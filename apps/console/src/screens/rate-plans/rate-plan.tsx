import { IconPencil, IconRocket, IconTrash } from '@millrace/ui/icons';
import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { PlanMarks } from './list.tsx';
import { PublishForm } from './publish-form.tsx';

const sections = [
  { to: '/rate-plans/$ratePlanId', label: 'Terms', permission: 'rate-plan.read' },
  { to: '/rate-plans/$ratePlanId/versions', label: 'Versions', permission: 'rate-plan.read' },
  { to: '/rate-plans/$ratePlanId/subscribers', label: 'Subscribers', permission: 'rate-plan.read' },
] as const satisfies readonly PermittedSection[];

/** One rate plan: its header and its sections. */
export function RatePlanScreen() {
  const { ratePlanId } = useParams({ from: '/shell/rate-plans/$ratePlanId' });
  const read = useRead('getRatePlan', { params: { ratePlanId } });
  return (
    <EntityScreen read={read}>
      {(plan) => (
        <Page
          title={plan.displayName}
          mark={<PlanMarks plan={plan} />}
          description={plan.description}
          crumbs={[
            { label: 'Rate plans', to: '/rate-plans' },
            { label: plan.productName, to: '/products/$productId/pricing', params: { productId: plan.productId } },
          ]}
          actions={<Actions plan={plan} />}
          tabs={<PermittedSections label="Sections of the rate plan" sections={sections} params={{ ratePlanId }} />}
        >
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ plan }: { readonly plan: DataOf<'getRatePlan'> }) {
  const { id, displayName, state, draft, version } = plan;
  const params = { ratePlanId: id };
  const navigate = useNavigate();
  const publish = useWrite('publishRatePlan');
  const retire = useWrite('retireRatePlan');
  const remove = useWrite('deleteRatePlan');
  if (state === 'retired') return null;
  const isDraft = state === 'draft';
  const publishAction = {
    label: isDraft ? 'Publish' : `Publish version ${draft?.planVersion}`,
    icon: IconRocket,
    primary: true,
    hidden: !isDraft && draft === null,
    permission: 'rate-plan.publish',
  };
  return (
    <PermittedActions
      actions={[
        isDraft
          ? {
              ...publishAction,
              run: () => publish.mutateAsync({ params, body: {} }),
              done: `${displayName} published. Apps can subscribe to it.`,
              confirm: {
                title: `Publish ${displayName}?`,
                text: 'Apps can subscribe to it, and these terms never change. Later edits become new versions.',
              },
            }
          : {
              ...publishAction,
              form: {
                title: `Publish version ${draft?.planVersion} of ${displayName}`,
                body: (close: () => void) => <PublishForm plan={plan} onClose={close} />,
              },
            },
        {
          label: isDraft ? 'Edit' : draft === null ? 'New version' : `Edit version ${draft.planVersion}`,
          icon: IconPencil,
          permission: 'rate-plan.write',
          link: { to: '/rate-plans/$ratePlanId/edit', params },
        },
        {
          label: 'Retire',
          hidden: isDraft,
          permission: 'rate-plan.publish',
          blocked: draft !== null && 'Publish or delete the drafted version first.',
          danger: true,
          run: () => retire.mutateAsync({ params }),
          done: `${displayName} retired.`,
          confirm: {
            title: `Retire ${displayName}?`,
            text: 'It accepts no new subscribers; existing ones keep it. This can’t be undone.',
          },
        },
        {
          label: isDraft ? 'Delete' : 'Delete draft',
          icon: IconTrash,
          hidden: !isDraft && draft === null,
          danger: true,
          permission: 'rate-plan.write',
          run: () => remove.mutateAsync({ params, version }),
          done: isDraft ? `${displayName} deleted.` : 'Draft deleted.',
          ...(isDraft && { onDone: () => navigate({ to: '/rate-plans' }) }),
          confirm: {
            title: isDraft ? `Delete ${displayName}?` : `Delete version ${draft?.planVersion}?`,
            text: isDraft ? 'It was never published.' : 'The published version stays as it is.',
          },
        },
      ]}
    />
  );
}
