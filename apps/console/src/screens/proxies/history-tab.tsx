import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Ago } from '@millrace/ui/values';
import { counted, wordsOf } from '@millrace/ui/words';
import { type DataOf, useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { FieldChanges } from '../revisions/field-changes.tsx';
import classes from './proxies.module.css';
import { useProxy } from './proxy-context.tsx';

type Entry = DataOf<'listProxyHistory'>['entries'][number];

/** What was done to the proxy, by whom, and what it changed. */
export function HistoryTab() {
  const { proxy } = useProxy();
  const list = useList('listProxyHistory', { proxyId: proxy.id });
  return (
    <ResourceList<Entry>
      noun="entries"
      {...list}
      filters={[
        {
          name: 'category',
          label: 'Category',
          options: optionsOf(['configuration', 'deployment', 'security', 'governance']),
        },
      ]}
      columns={[
        {
          title: 'Operation',
          cell: ({ operation, outcome }) => (
            <>
              {operationText(operation)} {outcome !== 'done' && <Mark tone="bad">{wordsOf(outcome)}</Mark>}
            </>
          ),
        },
        { title: 'Note', cell: ({ note }) => note || '–' },
        { title: 'Changes', cell: ({ changes }) => (changes.length === 0 ? '–' : <Changes changes={changes} />) },
        { title: 'By', cell: ({ actorName }) => actorName },
        { title: 'When', sort: 'at', cell: ({ at }) => <Ago at={at} /> },
      ]}
    />
  );
}

/** `updateRoute` becomes `Update route`. */
function operationText(operation: string): string {
  return wordsOf(operation.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
}

function Changes({ changes }: { readonly changes: Entry['changes'] }) {
  const [first] = changes;
  return (
    <details className={classes.changes}>
      <summary>
        {changes.length === 1 && first?.path ? <code>{first.path}</code> : counted(changes.length, 'change')}
      </summary>
      <FieldChanges fields={changes} />
    </details>
  );
}
