import { EmptyList, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { RequestState, requestTones, whoseFilters } from '../reviews/decision.tsx';

/** Changes to what production callers get, and how they were decided. */
export function ProductionChangeList() {
  return (
    <ListScreen
      title="Production changes"
      description="Changes to what production callers get that need another person’s approval."
      noun="changes"
      list={useList('listProductionChanges')}
      filters={[...whoseFilters, { name: 'state', label: 'State', options: optionsOf(Object.keys(requestTones)) }]}
      columns={[
        {
          title: 'Change',
          cell: ({ id, summary }) => (
            <TextLink to="/production-changes/$changeId" params={{ changeId: id }}>
              {summary}
            </TextLink>
          ),
        },
        { title: 'Name', sort: 'entityName', cell: ({ entityName }) => entityName || '–' },
        { title: 'State', cell: ({ state }) => <RequestState state={state} /> },
        { title: 'Requested by', cell: ({ requestedByName }) => requestedByName },
        { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { title: 'Decided by', cell: ({ decidedByName }) => decidedByName ?? '–' },
      ]}
      empty={
        <EmptyList>No production changes yet. Whether they need approval is set under Settings, Approvals.</EmptyList>
      }
    />
  );
}
