import { Badge, Group } from '@mantine/core';
import { IconUpload } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { namedOptions, protocolNames } from './names.ts';
import { ProxyForm } from './proxy-form.tsx';
import { stages } from './stages.ts';

const route = '/proxies/$proxyId';
const permission = 'proxy.write';

/** The API proxies of the organization. */
export function ProxyList() {
  const list = useList('listProxies');
  const { tag } = useSearch({ from: '/shell/proxies' });
  const { options } = useEnvironments();
  const navigate = useNavigate();
  const tags = new Set([...(tag ? [String(tag)] : []), ...(list.rows ?? []).flatMap((proxy) => proxy.tags)]);
  return (
    <ListScreen
      title="API proxies"
      description="What callers reach through the gateway, and where it is forwarded."
      noun="API proxies"
      list={list}
      actions={[
        { label: 'Import OpenAPI', icon: IconUpload, permission, link: { to: '/proxies/import' } },
        createAction({
          noun: 'API proxy',
          permission,
          large: true,
          body: (close) => (
            <ProxyForm
              onCancel={close}
              onSaved={({ id }) => navigate({ to: '/proxies/$proxyId/routes', params: { proxyId: id } })}
            />
          ),
        }),
      ]}
      filters={[
        { name: 'stage', label: 'Stage', options: optionsOf(stages) },
        { name: 'protocol', label: 'Protocol', options: namedOptions(protocolNames) },
        { name: 'tag', label: 'Tag', options: [...tags].sort().map((value) => ({ value, label: value })) },
        { name: 'environmentId', label: 'Live in', options },
      ]}
      columns={[
        {
          title: 'Display name',
          sort: 'name',
          cell: ({ id, displayName }) => (
            <TextLink to={route} params={{ proxyId: id }}>
              {displayName}
            </TextLink>
          ),
        },
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Base path', sort: 'basePath', cell: ({ basePath }) => <code>{basePath}</code> },
        { title: 'Protocol', cell: ({ protocol }) => protocolNames[protocol] },
        { title: 'Stage', sort: 'stage', cell: ({ stage }) => <StageBadge stage={stage} /> },
        { title: 'Latest revision', align: 'end', cell: ({ latestRevision }) => latestRevision || '–' },
        {
          title: 'Tags',
          cell: (proxy) => (
            <Group gap={4}>
              {proxy.tags.map((each) => (
                <Badge key={each} variant="default" size="sm" tt="none" fw={400}>
                  {each}
                </Badge>
              ))}
            </Group>
          ),
        },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      hiddenColumns={['Name']}
      empty={
        <EmptyList>
          An API proxy publishes an API of yours under a base path, with routes to target servers and policies. Create
          an empty one, or import an OpenAPI document.
        </EmptyList>
      }
    />
  );
}
