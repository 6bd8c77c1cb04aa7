import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type PermittedAction, RowActions, reasonAction } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';

type Registration = DataOf<'listPortalRegistrations'>['registrations'][number];

const tones: Readonly<Record<Registration['state'], Tone>> = { pending: 'active', approved: 'good', rejected: 'bad' };

/** Who registered in the developer portal, and who waits for approval. */
export function RegistrationList() {
  const approve = useWrite('approvePortalRegistration');
  const reject = useWrite('rejectPortalRegistration');
  const permission = 'developer.write';
  const actionsOf = ({ id, name, version }: Registration): readonly PermittedAction[] => {
    const params = { registrationId: id };
    return [
      {
        label: 'Approve',
        name: `Approve ${name}`,
        permission,
        run: () => approve.mutateAsync({ params, version }),
        done: `${name} approved.`,
      },
      reasonAction({
        label: 'Reject',
        name: `Reject ${name}`,
        permission,
        danger: true,
        title: `Reject ${name}?`,
        help: 'They are sent the reason by email',
        send: async (body) => {
          await reject.mutateAsync({ params, body, version });
          return `${name} rejected.`;
        },
      }),
    ];
  };
  return (
    <ResourceList
      {...useList('listPortalRegistrations')}
      noun="registrations"
      columns={[
        {
          title: 'Name',
          sort: 'name',
          cell: ({ name, developerId }) =>
            developerId === null ? (
              name
            ) : (
              <TextLink to="/developers/$developerId" params={{ developerId }}>
                {name}
              </TextLink>
            ),
        },
        { title: 'Email', sort: 'email', cell: ({ email }) => email },
        { title: 'Company', sort: 'company', cell: ({ company }) => company || '–' },
        { title: 'State', cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
        { title: 'Reason', cell: ({ reason }) => reason ?? '–' },
        { title: 'Confirmed', sort: 'confirmedAt', cell: ({ confirmedAt }) => <Ago at={confirmedAt} /> },
        { title: 'Decided by', cell: ({ decidedByName }) => decidedByName ?? '–' },
        {
          title: 'Actions',
          cell: (registration) => registration.state === 'pending' && <RowActions actions={actionsOf(registration)} />,
        },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      hiddenColumns={['Reason', 'Decided by']}
      empty={<EmptyList>Nobody has registered yet.</EmptyList>}
    />
  );
}
