import { findPolicyKind, policyKinds } from '@millrace/policies';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { PolicyTemplateForm } from './template-form.tsx';

const route = '/policy-templates/$templateId';

/** Policy configurations to reuse in several API proxies. */
export function PolicyTemplateList() {
  const navigate = useNavigate();
  return (
    <ListScreen
      title="Policy templates"
      description="Configurations to start policies from. A policy keeps its own copy."
      noun="policy templates"
      list={useList('listPolicyTemplates')}
      actions={[
        createAction({
          noun: 'policy template',
          permission: 'policy.write',
          large: true,
          body: (close) => (
            <PolicyTemplateForm
              onCancel={close}
              onSaved={({ id }) => navigate({ to: route, params: { templateId: id } })}
            />
          ),
        }),
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ id, name }) => (
            <TextLink to={route} params={{ templateId: id }}>
              {name}
            </TextLink>
          ),
        },
        { title: 'Policy', sort: 'kind', cell: ({ kind }) => findPolicyKind(kind)?.title ?? kind },
        { title: 'Description', cell: ({ description }) => description || '–' },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      filters={[
        {
          name: 'kind',
          label: 'Policy',
          options: policyKinds.map(({ kind, title }) => ({ value: kind, label: title })),
        },
      ]}
    />
  );
}
