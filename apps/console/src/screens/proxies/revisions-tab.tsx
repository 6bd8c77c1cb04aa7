import { Anchor, Button, Group, Menu, Select, Stack, Text, Textarea, Timeline, Title } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Mark } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { useSession } from '../../frame/session.tsx';
import { DiffView } from '../revisions/diff-view.tsx';
import { comparison, sidesOf, workingCopy } from '../revisions/sides.ts';
import { useOpened } from './opened.ts';
import { useProxy } from './proxy-context.tsx';

type Revision = DataOf<'listRevisions'>['revisions'][number];

/** How the proxy came to be what it is: its revisions, and what differs between any two of them. */
export function RevisionsTab() {
  const { proxy } = useProxy();
  const params = { proxyId: proxy.id };
  const [page, setPage] = useState(1);
  const read = useRead('listRevisions', { params, query: { page, pageSize: 50 } });
  const [cutting, setCutting] = useState(false);
  return (
    <Stack gap="xl">
      <Loaded read={read}>
        {({ revisions, total }) => (
          <>
            <Compare revisions={revisions} />
            <section>
              <Group justify="space-between" mb="md">
                <Title order={2} size="h4">
                  Revisions
                </Title>
                <PermittedButton permission="revision.write" onClick={() => setCutting(true)}>
                  Cut a revision
                </PermittedButton>
              </Group>
              {total === 0 ? (
                <Text c="dimmed">
                  None yet. A revision keeps the working copy as it is now, under a number; only revisions are deployed.
                </Text>
              ) : (
                <RevisionTimeline revisions={revisions} />
              )}
              {total > page * 50 && (
                <Anchor component="button" onClick={() => setPage(page + 1)}>
                  Older revisions
                </Anchor>
              )}
            </section>
          </>
        )}
      </Loaded>
      {cutting && <CutDialog onClose={() => setCutting(false)} />}
    </Stack>
  );
}

function Compare({ revisions }: { readonly revisions: readonly Revision[] }) {
  const { deployments, proxy } = useProxy();
  const [from, setFrom] = useOpened('from');
  const [to, setTo] = useOpened('to');
  const newest = revisions[0];
  const older = from ?? (newest ? String(newest.revision) : workingCopy);
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
  if (newest === undefined) return null;
  const sides = sidesOf(
    revisions.map(({ revision }) => revision),
    deployments,
  );
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        Compare
      </Title>
      <Group mb="md" align="end">
        <Select label="From" data={sides} value={older} onChange={setFrom} allowDeselect={false} w={240} />
        <Select label="To" data={sides} value={newer} onChange={setTo} allowDeselect={false} w={240} />
      </Group>
      <div aria-live="polite">
        {asked === null ? (
          <Text c="dimmed">Both are the same revision.</Text>
        ) : (
          <Loaded read={read}>
            {(diff) => (
              <Stack gap="sm">
                <Text size="sm" c="dimmed">
                  {diff.before} → {diff.after}
                </Text>
                <DiffView diff={diff} same="Both hold exactly the same." />
              </Stack>
            )}
          </Loaded>
        )}
      </div>
    </section>
  );
}

function RevisionTimeline({ revisions }: { readonly revisions: readonly Revision[] }) {
  const { deployments, proxy, workingCopy: copy } = useProxy();
  return (
    <Timeline bulletSize={16} lineWidth={2}>
      {revisions.map((revision) => (
        <Timeline.Item
          key={revision.revision}
          title={
            <Group gap="xs">
              <Text fw={600}>Revision {revision.revision}</Text>
              {revision.approvedAt !== null && <Mark tone="good">approved</Mark>}
              {proxy.approvedRevision === revision.revision && <Mark tone="accent">may go to production</Mark>}
              {copy.sameAsRevision === revision.revision && <Mark tone="neutral">same as the working copy</Mark>}
              {deployments
                .filter((deployment) => deployment.revision === revision.revision)
                .map((deployment) => (
                  <Mark key={deployment.deploymentId} tone="active">
                    serves in {deployment.environmentName}
                  </Mark>
                ))}
            </Group>
          }
        >
          <RevisionEntry revision={revision} />
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function RevisionEntry({ revision }: { readonly revision: Revision }) {
  const { can } = useSession();
  const { proxy } = useProxy();
  const [, setFrom] = useOpened('from');
  const [asking, setAsking] = useState<'restore' | 'delete' | null>(null);
  const restore = useWrite('restoreRevision');
  const remove = useWrite('deleteRevision');
  const params = { proxyId: proxy.id, revision: revision.revision };
  return (
    <Group justify="space-between" align="start" wrap="nowrap">
      <div>
        {revision.note !== '' && <Text size="sm">{revision.note}</Text>}
        <Text size="sm" c="dimmed">
          {revision.automatic ? 'Cut by an edit while deployed, ' : 'Cut '}
          <Moment at={revision.createdAt} />
          {revision.firstDeployedAt && (
            <>
              , first deployed <Moment at={revision.firstDeployedAt} />
            </>
          )}
        </Text>
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" size="xs" flex="none" aria-label={`Actions for revision ${revision.revision}`}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setFrom(String(revision.revision))}>Compare with another</Menu.Item>
          {can('revision.write') && (
            <>
              <Menu.Item onClick={() => setAsking('restore')}>Make it the working copy</Menu.Item>
              <Menu.Item
                c="var(--mantine-color-error)"
                disabled={revision.state === 'deployed'}
                onClick={() => setAsking('delete')}
              >
                {revision.state === 'deployed' ? 'Delete (it was deployed, and stays)' : 'Delete'}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asking === 'restore' && (
        <Confirm
          title={`Make revision ${revision.revision} the working copy?`}
          action="Restore"
          done={`Revision ${revision.revision} is the working copy.`}
          onConfirm={() => restore.mutateAsync({ params })}
          onClose={() => setAsking(null)}
        >
          Routes, policies and specification of the working copy give way to those of the revision. Cut a revision first
          to keep what is there now. What serves stays as it is.
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete revision ${revision.revision}?`}
          action="Delete"
          done={`Revision ${revision.revision} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params })}
          onClose={() => setAsking(null)}
        >
          Its number is not given again.
        </Confirm>
      )}
    </Group>
  );
}

function CutDialog({ onClose }: { readonly onClose: () => void }) {
  const { proxy } = useProxy();
  const cut = useWrite('cutRevision');
  const form = useForm({ note: '' }, async (body) => {
    const { revision } = await cut.mutateAsync({ params: { proxyId: proxy.id }, body });
    showDone(`Revision ${revision} is cut.`);
    onClose();
  });
  return (
    <FormDialog title="Cut a revision from the working copy" opened onClose={onClose}>
      <FormBody form={form} submitLabel="Cut" onCancel={onClose}>
        <Textarea
          label="Note"
          description="What it is for, in a sentence."
          autosize
          minRows={2}
          {...form.text('note')}
        />
      </FormBody>
    </FormDialog>
  );
}
