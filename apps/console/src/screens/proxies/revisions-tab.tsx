import { Group, Select, Stack, Text } from '@mantine/core';
import { EmptyList } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { DiffView } from '../revisions/diff-view.tsx';
import { comparison, sidesOf, workingCopy } from '../revisions/sides.ts';
import { useOpened } from './opened.ts';
import { useProxy } from './proxy-context.tsx';
import { CutForm, RevisionMenu } from './revision-actions.tsx';

type Revision = DataOf<'listRevisions'>['revisions'][number];

/** The revisions of the proxy, and what differs between any two of them. */
export function RevisionsTab() {
  const { proxy } = useProxy();
  const list = useList('listRevisions', { proxyId: proxy.id });
  const cut = {
    label: 'Cut revision',
    primary: true,
    permission: 'revision.write',
    form: { title: 'Cut revision', body: (close: () => void) => <CutForm onClose={close} /> },
  };
  return (
    <Stack gap="lg">
      <div>
        <ResourceList
          noun="revisions"
          {...list}
          rows={list.rows?.map((revision) => ({ ...revision, id: String(revision.revision) }))}
          actions={<PermittedActions actions={[cut]} />}
          columns={[
            { title: 'Revision', sort: 'revision', cell: ({ revision }) => `Revision ${revision}` },
            { title: 'State', cell: (revision) => <RevisionMarks revision={revision} /> },
            {
              title: 'Note',
              cell: ({ note, automatic }) => note || (automatic ? 'Cut by an edit while deployed' : '–'),
            },
            { title: 'Created', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
            {
              title: 'First deployed',
              cell: ({ firstDeployedAt }) => <Ago at={firstDeployedAt} absent="Never" />,
            },
            { title: 'Actions', align: 'end', cell: (revision) => <RevisionMenu revision={revision} /> },
          ]}
          empty={
            <EmptyList>
              No revisions yet. A revision is a copy of the working copy that never changes; only revisions can be
              deployed.
            </EmptyList>
          }
        />
      </div>
      <Comparison />
    </Stack>
  );
}

function RevisionMarks({ revision }: { readonly revision: Revision }) {
  const { deployments, proxy, workingCopy: copy } = useProxy();
  const live = deployments.filter((deployment) => deployment.revision === revision.revision);
  return (
    <Group gap={4}>
      {proxy.approvedRevision === revision.revision ? (
        <Mark tone="good">Approved for production</Mark>
      ) : (
        revision.approvedAt !== null && <Mark tone="neutral">Approved</Mark>
      )}
      {live.map(({ deploymentId, environmentName }) => (
        <Mark key={deploymentId} tone="active">
          Live in {environmentName}
        </Mark>
      ))}
      {copy.sameAsRevision === revision.revision && <Mark tone="accent">Working copy</Mark>}
    </Group>
  );
}

function Comparison() {
  const { deployments, proxy } = useProxy();
  const [from, setFrom] = useOpened('from');
  const [to, setTo] = useOpened('to');
  const revisions = useRead('listRevisions', { params: { proxyId: proxy.id }, query: { pageSize: 100 } });
  const numbers = (revisions.data?.revisions ?? []).map(({ revision }) => revision);
  const older = from ?? String(proxy.latestRevision || workingCopy);
  const newer = to ?? workingCopy;
  const asked = comparison(older, newer);
  const read = useRead(
    'diffRevision',
    {
      params: { proxyId: proxy.id, revision: asked?.revision ?? 1 },
      query: { against: asked?.against ?? workingCopy },
    },
    { enabled: asked !== null },
  );
  if (proxy.latestRevision === 0) return null;
  const sides = sidesOf(numbers, deployments);
  return (
    <Section
      title="Compare"
      actions={
        <Group gap="xs">
          <Select aria-label="From" data={sides} value={older} onChange={setFrom} allowDeselect={false} w={200} />
          <Text size="sm" c="dimmed">
            with
          </Text>
          <Select aria-label="To" data={sides} value={newer} onChange={setTo} allowDeselect={false} w={200} />
        </Group>
      }
    >
      <div aria-live="polite">
        {asked === null ? (
          <Text size="sm" c="dimmed">
            Both are the same revision.
          </Text>
        ) : (
          <Loaded read={read}>{(diff) => <DiffView diff={diff} same="No differences." />}</Loaded>
        )}
      </div>
    </Section>
  );
}
