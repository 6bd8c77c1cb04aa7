import { findPolicyKind } from '@millrace/policies';
import { Page } from '@millrace/ui/page';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, PermittedActions } from '../../frame/actions.tsx';
import { useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { PolicyTemplateForm } from './template-form.tsx';

/** One policy template and its configuration. */
export function PolicyTemplateScreen() {
  const { templateId } = useParams({ from: '/shell/policy-templates/$templateId' });
  const read = useRead('getPolicyTemplate', { params: { templateId } });
  const navigate = useNavigate();
  const remove = useWrite('deletePolicyTemplate');
  return (
    <EntityScreen read={read}>
      {(template) => (
        <Page
          title={template.name}
          description={findPolicyKind(template.kind)?.title ?? template.kind}
          crumbs={[{ label: 'Policy templates', to: '/policy-templates' }]}
          actions={
            <PermittedActions
              actions={[
                deleteAction({
                  name: template.name,
                  permission: 'policy.write',
                  text: 'Policies created from it keep their configuration.',
                  run: () => remove.mutateAsync({ params: { templateId }, version: template.version }),
                  onDone: () => navigate({ to: '/policy-templates' }),
                }),
              ]}
            />
          }
        >
          <PolicyTemplateForm key={template.version} template={template} onSaved={() => undefined} />
        </Page>
      )}
    </EntityScreen>
  );
}
