import { Anchor, Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { optionsOf } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { Page } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { Link, useSearch } from '@tanstack/react-router';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { Can } from '../../frame/can.tsx';
import { useEnvironments } from '../../frame/environments.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { StageBadge } from '../../frame/stage-badge.tsx';
import { namedOptions, protocolNames } from './proxy-fields.tsx';
import { stages } from './stages.ts';

type ApiProxy = DataOf<'getProxy'>;

/** Every API proxy of the organization. */
export function ProxyList() {
  const search = useSearch({ strict: false }) as ListSearch;
  const read = useRead('listProxies', { query: listQueryOf(search) });
  const environments = useEnvironments();
  const tags = [
    ...new Set([
      ...(search.tag ? [String(search.tag)] : []),
      ...(read.data?.proxies ?? []).flatMap((proxy) => proxy.tags),
    ]),
  ];
  const actions = (
    <Can anyOf={['proxy.write']}>
      <Button variant="default" renderRoot={(root) => <Link {...root} to="/proxies/import" />}>
        Import OpenAPI
      </Button>
      <Button renderRoot={(root) => <Link {...root} to="/proxies/new" />}>New API proxy</Button>
    </Can>
  );
  return (
    <Page title="API proxies" description="What callers reach through the gateway, and where it leads.">
      <ResourceList<ApiProxy>
        noun="API proxies"
        rows={read.data?.proxies}
        total={read.data?.total}
        loading={read.isFetching}
        error={read.error}
        filters={[
          { name: 'stage', label: 'Stage', options: optionsOf(stages) },
          { name: 'protocol', label: 'Protocol', options: namedOptions(protocolNames) },
          { name: 'tag', label: 'Tag', options: tags.sort().map((tag) => ({ value: tag, label: tag })) },
          {
            name: 'environmentId',
            label: 'Serving in',
            options: environments.options,
          },
        ]}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: (proxy) => (
              <>
                <Anchor
                  fw={600}
                  size="sm"
                  renderRoot={(root) => <Link {...root} to="/proxies/$proxyId" params={{ proxyId: proxy.id }} />}
                >
                  {proxy.displayName}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {proxy.name}
                </Text>
              </>
            ),
          },
          { title: 'Base path', sort: 'basePath', cell: ({ basePath }) => <Code>{basePath}</Code> },
          { title: 'Protocol', cell: ({ protocol }) => protocolNames[protocol] },
          { title: 'Stage', sort: 'stage', cell: ({ stage }) => <StageBadge stage={stage} /> },
          { title: 'Revision', cell: ({ latestRevision }) => latestRevision || '–' },
          {
            title: 'Tags',
            cell: (proxy) => (
              <Group gap={4}>
                {proxy.tags.map((tag) => (
                  <Badge key={tag} variant="default" size="sm" tt="none">
                    {tag}
                  </Badge>
                ))}
              </Group>
            ),
          },
          { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
        ]}
        actions={actions}
        empty={<NoProxies />}
      />
    </Page>
  );
}

function NoProxies() {
  return (
    <Stack align="center" py="xl" gap="xs">
      <Title order={2} size="h4">
        No API proxies yet
      </Title>
      <Text c="dimmed" ta="center" maw={480}>
        A proxy puts an API of yours behind the gateway: under a base path, with routes to target servers and with
        policies on the way. Begin with an empty one, or with the OpenAPI document you have.
      </Text>
    </Stack>
  );
}
