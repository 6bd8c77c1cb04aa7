import { choiceOf, EmptyList } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Lines } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { EnvironmentForm } from './environment-form.tsx';

const route = '/environments/$environmentId';

/** Marks what customers call. */
export function ProductionMark() {
  return <Mark tone="accent">Production</Mark>;
}

/** The environments of the organization. */
export function EnvironmentList() {
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: route, params: { environmentId: id } });
  return (
    <ListScreen
      title="Environments"
      description="Where revisions are deployed: each with its host names, target servers and variables."
      noun="environments"
      list={useList('listEnvironments')}
      actions={[
        createAction({
          noun: 'environment',
          permission: 'environment.write',
          body: (close) => <EnvironmentForm onCancel={close} onSaved={open} />,
        }),
      ]}
      columns={[
        {
          title: 'Environment',
          sort: 'name',
          cell: ({ id, displayName }) => (
            <TextLink to={route} params={{ environmentId: id }}>
              {displayName}
            </TextLink>
          ),
        },
        { title: 'Name', cell: ({ name }) => <code>{name}</code> },
        { title: 'Type', cell: ({ production }) => (production ? <ProductionMark /> : 'Non-production') },
        { title: 'Host names', cell: ({ hostNames }) => <Lines texts={hostNames} /> },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      filters={[choiceOf('production', 'Type', 'Production', 'Non-production')]}
      empty={<EmptyList>No environments yet. Create one to deploy API proxies to it.</EmptyList>}
    />
  );
}
