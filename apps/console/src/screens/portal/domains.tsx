import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Ago } from '@millrace/ui/values';
import { type PermittedAction, PermittedActions, RowActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { AddDomain, DomainRecord } from './domain-record.tsx';

type Domain = DataOf<'listPortalDomains'>['domains'][number];

/** The host names at which the developer portal answers. */
export function DomainList() {
  const verify = useWrite('verifyPortalDomain');
  const update = useWrite('updatePortalDomain');
  const remove = useWrite('deletePortalDomain');
  const permission = 'portal.write';
  const actionsOf = (domain: Domain): readonly PermittedAction[] => {
    const { id, hostName, state, primary, version } = domain;
    const params = { domainId: id };
    return [
      {
        label: 'Show record',
        name: `Show record of ${hostName}`,
        form: { title: `DNS record of ${hostName}`, body: () => <DomainRecord domain={domain} /> },
      },
      {
        label: 'Verify',
        name: `Verify ${hostName}`,
        permission,
        hidden: state === 'verified',
        run: () => verify.mutateAsync({ params }),
        done: 'DNS record looked up.',
      },
      {
        label: primary ? 'Make secondary' : 'Make primary',
        name: `Make ${hostName} ${primary ? 'secondary' : 'primary'}`,
        permission,
        hidden: state !== 'verified',
        run: () => update.mutateAsync({ params, body: { primary: !primary }, version }),
        done: primary ? 'Links use the portal’s own address again.' : `Links use ${hostName} now.`,
      },
      {
        label: 'Delete',
        name: `Delete ${hostName}`,
        danger: true,
        permission,
        run: () => remove.mutateAsync({ params, version }),
        done: `${hostName} deleted.`,
        confirm: { title: `Delete ${hostName}?`, text: 'The portal no longer answers there.' },
      },
    ];
  };
  const add: PermittedAction = {
    label: 'Add domain',
    icon: IconPlus,
    primary: true,
    permission,
    form: { title: 'Add domain', body: (close) => <AddDomain onClose={close} /> },
  };
  return (
    <ResourceList
      {...useList('listPortalDomains')}
      noun="domains"
      actions={<PermittedActions actions={[add]} />}
      columns={[
        { title: 'Host name', sort: 'hostName', cell: ({ hostName }) => <code>{hostName}</code> },
        {
          title: 'State',
          cell: ({ state, primary, missingSince }) => (
            <Mark tone={state === 'verified' && missingSince === null ? 'good' : 'warning'}>
              {state === 'pending' ? 'Not verified' : primary ? 'Primary' : 'Verified'}
            </Mark>
          ),
        },
        { title: 'Checked', cell: ({ checkedAt }) => <Ago at={checkedAt} absent="Never" /> },
        { title: 'Problem', cell: ({ problem }) => problem ?? '–' },
        { title: 'Actions', cell: (domain) => <RowActions actions={actionsOf(domain)} /> },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(['pending', 'verified']) }]}
      empty={<EmptyList>No domains yet. Add one to show the portal at a host name of your own.</EmptyList>}
    />
  );
}
