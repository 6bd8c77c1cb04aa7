import { Code } from '@mantine/core';
import { RowActions } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import classes from './integrations.module.css';
import { IntegrationTabs } from './tabs.tsx';

/** What integrations can subscribe to. */
export function EventList() {
  const { rows, ...list } = useList('listEvents');
  return (
    <ListScreen
      title="Events"
      description="An incident’s notifications go to the integrations of its alert rule. Any event also goes to integrations that subscribe to it."
      noun="events"
      tabs={<IntegrationTabs />}
      list={{ ...list, rows: rows?.map((event) => ({ ...event, id: event.kind })) }}
      columns={[
        { title: 'Kind', sort: 'kind', cell: ({ kind }) => <code>{kind}</code> },
        { title: 'When', cell: ({ description }) => description },
        {
          title: 'Example',
          cell: ({ kind, example }) => (
            <RowActions
              actions={[
                {
                  label: 'Show',
                  name: `Show an example of ${kind}`,
                  form: {
                    title: `Example of ${kind}`,
                    body: () => (
                      <Code block className={classes.code!} tabIndex={0}>
                        {JSON.stringify(example, null, 2)}
                      </Code>
                    ),
                  },
                },
              ]}
            />
          ),
        },
      ]}
    />
  );
}
