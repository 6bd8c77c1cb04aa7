import { Anchor, Text } from '@mantine/core';
import { optionsOf } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useSearch } from '@tanstack/react-router';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { requestTones } from '../reviews/request-tones.ts';

type Change = DataOf<'listProductionChanges'>['changes'][number];

/** Changes to what production callers get, and how they were decided. */
export function ProductionChangeList() {
  const search = useSearch({ strict: false }) as ListSearch;
  const read = useRead('listProductionChanges', { query: listQueryOf(search) });
  return (
    <Page
      title="Production changes"
      description="Changes to what callers of production get, for somebody else to approve."
    >
      <ResourceList<Change>
        noun="changes"
        rows={read.data?.changes}
        total={read.data?.total}
        loading={read.isFetching}
        error={read.error}
        filters={[
          {
            name: 'approvable',
            label: 'Whose decision',
            options: [{ value: 'true', label: 'Waits for me' }],
          },
          { name: 'state', label: 'State', options: optionsOf(Object.keys(requestTones)) },
          {
            name: 'mine',
            label: 'Whose request',
            options: [
              { value: 'true', label: 'Mine' },
              { value: 'false', label: 'Of others' },
            ],
          },
        ]}
        columns={[
          {
            title: 'Change',
            cell: ({ id, summary }) => (
              <Anchor
                fw={600}
                size="sm"
                renderRoot={(root) => <Link {...root} to="/production-changes/$changeId" params={{ changeId: id }} />}
              >
                {summary}
              </Anchor>
            ),
          },
          { title: 'Of', sort: 'entityName', cell: ({ entityName }) => entityName || '–' },
          { title: 'State', cell: ({ state }) => <Mark tone={requestTones[state]}>{wordsOf(state)}</Mark> },
          { title: 'Requested by', cell: ({ requestedByName }) => requestedByName },
          { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          { title: 'Decided by', cell: ({ decidedByName }) => decidedByName ?? '–' },
        ]}
        empty={
          <Text c="dimmed" my="lg">
            No change to production has waited for approval yet. Settings say whether changes do.
          </Text>
        }
      />
    </Page>
  );
}
