import { Anchor, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, listQueryOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { GovernanceLinks } from './governance-links.tsx';

type Waiver = DataOf<'listGovernanceWaivers'>['waivers'][number];

const tones: Readonly<Record<Waiver['state'], Tone>> = { active: 'active', expired: 'neutral', ended: 'neutral' };

/** Which findings count no longer, until when and why. */
export function WaiverList() {
  const search = useSearch({ from: '/shell/governance/waivers' });
  const list = useRead('listGovernanceWaivers', { query: listQueryOf(search) });
  const end = useWrite('endGovernanceWaiver');
  const [ending, setEnding] = useState<Waiver | null>(null);
  return (
    <Page title="Waivers" description="Findings that count and block no longer, until a date and for a reason.">
      <GovernanceLinks />
      <ResourceList
        noun="waivers"
        rows={list.data?.waivers}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          {
            title: 'API proxy',
            sort: 'proxyName',
            cell: ({ proxyId, proxyName }) => (
              <Anchor renderRoot={(root) => <Link {...root} to="/proxies/$proxyId/governance" params={{ proxyId }} />}>
                {proxyName}
              </Anchor>
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
          { title: 'Who', cell: ({ createdByName }) => createdByName },
          { title: 'State', cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
          { title: 'Expires', sort: 'endsAt', cell: ({ endsAt }) => <Ago at={endsAt} /> },
          {
            title: 'Actions',
            cell: (waiver) =>
              waiver.state === 'active' ? (
                <PermittedButton
                  size="compact-sm"
                  variant="default"
                  permission="governance.waive"
                  aria-label={`End the waiver of ${waiver.code} in ${waiver.proxyName}`}
                  onClick={() => setEnding(waiver)}
                >
                  End
                </PermittedButton>
              ) : null,
          },
        ]}
        filters={[{ name: 'state', label: 'State', options: optionsOf(['active', 'expired', 'ended']) }]}
      />
      {ending && (
        <Confirm
          title={`End the waiver of ${ending.code}`}
          action="End it"
          done="The waiver is ended."
          onConfirm={() => end.mutateAsync({ params: { waiverId: ending.id }, version: ending.version })}
          onClose={() => setEnding(null)}
        >
          Its findings in {ending.proxyName} count again at once.
        </Confirm>
      )}
    </Page>
  );
}
