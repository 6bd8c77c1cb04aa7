import { Card } from '@mantine/core';
import { findPolicyKind } from '@millrace/policies';
import { Confirm } from '@millrace/ui/confirm';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { PolicyTemplateForm } from './template-form.tsx';

/** One policy template and its configuration. */
export function PolicyTemplateScreen() {
  const { templateId } = useParams({ from: '/shell/policy-templates/$templateId' });
  const read = useRead('getPolicyTemplate', { params: { templateId } });
  return <EntityScreen read={read}>{(data) => <Shown template={data} />}</EntityScreen>;
}

function Shown({ template }: { readonly template: DataOf<'getPolicyTemplate'> }) {
  const { id, name, kind, version } = template;
  const navigate = useNavigate();
  const remove = useWrite('deletePolicyTemplate');
  const [deleting, setDeleting] = useState(false);
  return (
    <Page
      title={name}
      mark={<Mark tone="accent">{findPolicyKind(kind)?.title ?? kind}</Mark>}
      crumbs={[{ label: 'Policy templates', to: '/policy-templates' }]}
      actions={
        <PermittedButton
          variant="default"
          c="var(--mantine-color-error)"
          permission="policy.write"
          onClick={() => setDeleting(true)}
        >
          Delete
        </PermittedButton>
      }
    >
      <Card withBorder maw={720}>
        <PolicyTemplateForm key={version} template={template} onSaved={() => undefined} />
      </Card>
      {deleting && (
        <Confirm
          title={`Delete ${name}`}
          action="Delete"
          done={`${name} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params: { templateId: id }, version })}
          onDone={() => navigate({ to: '/policy-templates' })}
          onClose={() => setDeleting(false)}
        >
          Policies that were made from it keep their configuration.
        </Confirm>
      )}
    </Page>
  );
}
