import { Text } from '@mantine/core';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { RowActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { GovernanceTabs } from './governance-tabs.tsx';

type Waiver = DataOf<'listGovernanceWaivers'>['waivers'][number];

const tones: Readonly<Record<Waiver['state'], Tone>> = { active: 'active', expired: 'neutral', ended: 'neutral' };

/** Which findings don't count, until when and why. */
export function WaiverList() {
  const end = useWrite('endGovernanceWaiver');
  const endAction = ({ id, code, proxyName, state, version }: Waiver) => ({
    label: 'End',
    name: `End the waiver of ${code} in ${proxyName}`,
    hidden: state !== 'active',
    permission: 'governance.waive',
    run: () => end.mutateAsync({ params: { waiverId: id }, version }),
    done: 'Waiver ended.',
    confirm: { title: `End the waiver of ${code}?`, text: `Its findings in ${proxyName} count again at once.` },
  });
  return (
    <ListScreen
      title="Waivers"
      description="Accepted findings: until a waiver expires, they neither count nor block."
      noun="waivers"
      list={useList('listGovernanceWaivers')}
      tabs={<GovernanceTabs />}
      columns={[
        {
          title: 'API proxy',
          sort: 'proxyName',
          cell: ({ proxyId, proxyName }) => (
            <TextLink to="/proxies/$proxyId/governance" params={{ proxyId }}>
              {proxyName}
            </TextLink>
          ),
        },
        {
          title: 'Rule',
          sort: 'code',
          cell: ({ code, location }) => (
            <>
              <code>{code}</code>
              <Text size="xs" c="dimmed">
                {location ?? 'every finding'}
              </Text>
            </>
          ),
        },
        { title: 'Reason', cell: ({ reason }) => reason },
        { title: 'Waived by', cell: ({ createdByName }) => createdByName },
        { title: 'State', cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
        { title: 'Expires', sort: 'endsAt', cell: ({ endsAt }) => <Ago at={endsAt} /> },
        { title: 'Actions', cell: (waiver) => <RowActions actions={[endAction(waiver)]} /> },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      empty={<EmptyList>No waivers yet. Waive a finding to accept it until a date.</EmptyList>}
    />
  );
}
