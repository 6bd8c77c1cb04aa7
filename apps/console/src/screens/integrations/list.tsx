import { IconPlus } from '@millrace/ui/icons';
import { choiceOf, EmptyList } from '@millrace/ui/list';
import { ShownOnce } from '@millrace/ui/shown-once';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { NewIntegration } from './integration-form.tsx';
import { healthOptions, IntegrationMark, kindOptions, kinds } from './kinds.tsx';
import { IntegrationTabs } from './tabs.tsx';
import { targetOf } from './target.ts';

const route = '/integrations/$integrationId';

/** Where notifications, metrics and audit entries go. */
export function IntegrationList() {
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string } | null>(null);
  const open = (integrationId: string) => navigate({ to: route, params: { integrationId } });
  const onCreated = ({ id, secret }: DataOf<'createIntegration'>) => {
    if (secret === null) open(id);
    else setCreated({ id, secret });
  };
  return (
    <>
      <ListScreen
        title="Integrations"
        description="Who is notified of incidents and events, and where metrics and audit entries are sent."
        noun="integrations"
        tabs={<IntegrationTabs />}
        list={useList('listIntegrations', undefined, { refetchInterval: 30_000 })}
        actions={[
          {
            label: 'Create integration',
            icon: IconPlus,
            primary: true,
            permission: 'integration.write',
            form: {
              title: 'Create integration',
              large: true,
              body: (close) => (
                <NewIntegration
                  onCancel={close}
                  onCreated={(integration) => {
                    close();
                    onCreated(integration);
                  }}
                />
              ),
            },
          },
        ]}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name }) => (
              <TextLink to={route} params={{ integrationId: id }}>
                {name}
              </TextLink>
            ),
          },
          { title: 'Kind', sort: 'kind', cell: ({ kind }) => kinds[kind].label },
          { title: 'Sends to', cell: ({ settings }) => targetOf(settings) },
          { title: 'State', cell: (integration) => <IntegrationMark {...integration} /> },
          { title: 'Waiting', align: 'end', cell: ({ queued, stream }) => stream?.waiting ?? queued },
          {
            title: 'Last delivered',
            cell: ({ lastDeliveredAt }) => <Ago at={lastDeliveredAt} absent="Never" />,
          },
        ]}
        filters={[
          { name: 'kind', label: 'Kind', options: kindOptions },
          { name: 'health', label: 'Health', options: healthOptions },
          choiceOf('enabled', 'Enabled', 'Enabled', 'Disabled'),
        ]}
        empty={<EmptyList>No integrations yet. Create one, so that somebody learns of incidents.</EmptyList>}
      />
      {created && (
        <ShownOnce
          title="Signing secret"
          explanation="The receiver checks signatures with it. Users who can reveal integrations can show it again, which the audit trail records."
          notice="Whoever has it can sign as Millrace"
          secret={created.secret}
          onClose={() => open(created.id)}
        />
      )}
    </>
  );
}
