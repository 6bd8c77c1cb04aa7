import { type Filter, optionsOf } from '@millrace/ui/list';
import type { Column } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import type { DataOf } from '../../frame/api.ts';
import { ActiveMark } from '../../frame/state-mark.tsx';

/** Columns of every list of apps. */
export const appColumns: readonly Column<DataOf<'listApps'>['apps'][number]>[] = [
  {
    title: 'Name',
    sort: 'displayName',
    cell: ({ id, displayName }) => (
      <TextLink to="/apps/$appId" params={{ appId: id }}>
        {displayName}
      </TextLink>
    ),
  },
  {
    title: 'Developer',
    cell: ({ developerId, developerName }) => (
      <TextLink to="/developers/$developerId" params={{ developerId }}>
        {developerName}
      </TextLink>
    ),
  },
  { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Created', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

export const appFilters: readonly Filter[] = [
  { name: 'state', label: 'State', options: optionsOf(['active', 'suspended']) },
];
