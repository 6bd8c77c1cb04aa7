import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { RequestState, requestTones, whoseFilters } from './decision.tsx';

/** The review queue: requests for lifecycle moves, and how they were decided. */
export function ReviewList() {
  return (
    <ListScreen
      title="Review queue"
      description="Lifecycle moves that need another person’s approval."
      noun="requests"
      list={useList('listLifecycleRequests')}
      filters={[
        ...whoseFilters,
        { name: 'state', label: 'State', options: optionsOf(Object.keys(requestTones)) },
        { name: 'toStage', label: 'To stage', options: optionsOf(['approved', 'published', 'deprecated', 'retired']) },
      ]}
      columns={[
        {
          title: 'API proxy',
          sort: 'proxyName',
          cell: ({ id, proxyName }) => (
            <TextLink to="/review-queue/$requestId" params={{ requestId: id }}>
              {proxyName}
            </TextLink>
          ),
        },
        {
          title: 'Move',
          sort: 'toStage',
          cell: ({ fromStage, toStage }) => `${wordsOf(fromStage)} → ${wordsOf(toStage)}`,
        },
        { title: 'State', cell: ({ state }) => <RequestState state={state} /> },
        { title: 'Findings', align: 'end', cell: ({ findings }) => findings },
        { title: 'Changes', cell: ({ breaking }) => (breaking ? <Mark tone="bad">Breaking</Mark> : '–') },
        { title: 'Requested by', cell: ({ requestedByName }) => requestedByName },
        { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: 'Decided by', cell: ({ decidedByName }) => decidedByName ?? '–' },
      ]}
      empty={<EmptyList>No requests yet. Request a lifecycle move at the top of an API proxy.</EmptyList>}
    />
  );
}
