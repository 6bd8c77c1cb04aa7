import { EmptyList, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';
import { DeveloperForm } from './developer-form.tsx';

const route = '/developers/$developerId';

/** The developers whose apps call the organization's APIs. */
export function DeveloperList() {
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: route, params: { developerId: id } });
  return (
    <ListScreen
      title="Developers"
      description="People outside the organization who call its APIs through their apps."
      noun="developers"
      list={useList('listDevelopers')}
      actions={[
        createAction({
          noun: 'developer',
          permission: 'developer.write',
          body: (close) => <DeveloperForm onCancel={close} onSaved={open} />,
        }),
      ]}
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ id, name }) => (
            <TextLink to={route} params={{ developerId: id }}>
              {name}
            </TextLink>
          ),
        },
        { title: 'Email', sort: 'email', cell: ({ email }) => email },
        { title: 'Company', sort: 'company', cell: ({ company }) => company || '–' },
        { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
        { title: 'Apps', align: 'end', cell: ({ apps }) => apps },
        { title: 'Created', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) }]}
      empty={<EmptyList>No developers yet. Create one to add their apps.</EmptyList>}
    />
  );
}
