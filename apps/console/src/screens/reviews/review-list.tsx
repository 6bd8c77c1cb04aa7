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
import { requestTones } from './request-tones.ts';

type Request = DataOf<'listLifecycleRequests'>['requests'][number];

/** The review queue: requests for lifecycle moves, and how they were decided. */
export function ReviewList() {
  const search = useSearch({ strict: false }) as ListSearch;
  const read = useRead('listLifecycleRequests', { query: listQueryOf(search) });
  return (
    <Page title="Review queue" description="Moves that somebody requested, and that somebody else decides about.">
      <ResourceList<Request>
        noun="requests"
        rows={read.data?.requests}
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
            name: 'toStage',
            label: 'To stage',
            options: optionsOf(['approved', 'published', 'deprecated', 'retired']),
          },
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
            title: 'API proxy',
            sort: 'proxyName',
            cell: (request) => (
              <Anchor
                fw={600}
                size="sm"
                renderRoot={(root) => (
                  <Link {...root} to="/review-queue/$requestId" params={{ requestId: request.id }} />
                )}
              >
                {request.proxyName}
              </Anchor>
            ),
          },
          {
            title: 'Move',
            sort: 'toStage',
            cell: ({ fromStage, toStage }) => `${wordsOf(fromStage)} → ${wordsOf(toStage)}`,
          },
          {
            title: 'State',
            cell: ({ state }) => <Mark tone={requestTones[state]}>{wordsOf(state)}</Mark>,
          },
          {
            title: 'To be seen',
            cell: ({ breaking, findings }) => (
              <>
                {breaking && <Mark tone="bad">breaking</Mark>}
                <Text size="sm">
                  {findings} {findings === 1 ? 'finding' : 'findings'}
                </Text>
              </>
            ),
          },
          { title: 'Requested by', cell: ({ requestedByName }) => requestedByName },
          { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          { title: 'Decided by', cell: ({ decidedByName }) => decidedByName ?? '–' },
        ]}
        empty={
          <Text c="dimmed" my="lg">
            No move was requested yet. It is done at the top of an API proxy's page.
          </Text>
        }
      />
    </Page>
  );
}
