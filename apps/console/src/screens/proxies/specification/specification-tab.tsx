import { Alert, Button, Group, Menu, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { Mark } from '@millrace/ui/mark';
import { Loaded } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { PermittedButton } from '../../../frame/can.tsx';
import { saveAnswer } from '../../../frame/save-answer.ts';
import { useOpened } from '../opened.ts';
import { useProxy } from '../proxy-context.tsx';
import { DocumentText } from './document-text.tsx';
import { EditSpecification } from './edit-specification.tsx';
import { LintFindings } from './lint-findings.tsx';
import { Operations } from './operations.tsx';
import { SpecificationChanges } from './specification-changes.tsx';

type Specification = DataOf<'getSpecification'>;

/** The OpenAPI document of the proxy: generated from its routes and policies, edited in its words, published. */
export function SpecificationTab() {
  const { specification } = useProxy();
  if (specification === null) return <NoSpecification />;
  return <PresentSpecification specificationId={specification.id} />;
}

function useGenerate() {
  const { proxy } = useProxy();
  const generate = useWrite('generateSpecification');
  const run = async () => {
    try {
      await generate.mutateAsync({ params: { proxyId: proxy.id }, body: {} });
      showDone('The specification is generated.');
    } catch (error) {
      showFailure(error);
    }
  };
  return { run, busy: generate.isPending };
}

function NoSpecification() {
  const { counts } = useProxy();
  const { run, busy } = useGenerate();
  return (
    <Stack align="start">
      <Text maw={640}>
        There is no specification yet. It is generated from the routes and policies as OpenAPI 3.1: what callers send,
        what they need to prove who they are, the limits, and the errors that the gateway itself answers with. What you
        write into it stays when it is generated again.
      </Text>
      <PermittedButton
        permission="specification.write"
        blocked={counts.routes === 0 && 'Add a route first: there is nothing to describe.'}
        loading={busy}
        onClick={run}
      >
        Generate the specification
      </PermittedButton>
    </Stack>
  );
}

const views = [
  { value: 'operations', label: 'Operations' },
  { value: 'json', label: 'JSON' },
  { value: 'yaml', label: 'YAML' },
  { value: 'lint', label: 'Lint' },
  { value: 'changes', label: 'Changes' },
];

function PresentSpecification({ specificationId }: { readonly specificationId: string }) {
  const read = useRead('getSpecification', { params: { specificationId } });
  const [chosen, choose] = useOpened('view');
  const view = chosen ?? 'operations';
  return (
    <Loaded read={read}>
      {(specification) => (
        <Stack gap="lg">
          <Head specification={specification} />
          <SegmentedControl
            aria-label="What to see of the specification"
            data={specification.state === 'published' ? views : views.filter(({ value }) => value !== 'changes')}
            value={view}
            onChange={(value) => choose(value === 'operations' ? null : value)}
            style={{ alignSelf: 'start', maxWidth: '100%', overflowX: 'auto' }}
          />
          {view === 'operations' && <Operations specification={specification} />}
          {(view === 'json' || view === 'yaml') && <DocumentText specificationId={specificationId} format={view} />}
          {view === 'lint' && <LintFindings specification={specification} />}
          {view === 'changes' && <SpecificationChanges specificationId={specificationId} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Head({ specification }: { readonly specification: Specification }) {
  const { id, title, apiVersion, state, outdated, unpublishedChanges, description, publishedAt } = specification;
  const { proxy } = useProxy();
  const { run, busy } = useGenerate();
  const [editing, setEditing] = useState(false);
  const publish = useWrite('publishSpecification');
  const unpublish = useWrite('unpublishSpecification');
  const params = { specificationId: id };
  const attempt = async (act: () => Promise<unknown>, done: string) => {
    try {
      await act();
      showDone(done);
    } catch (error) {
      showFailure(error);
    }
  };
  const published = state === 'published';
  return (
    <section>
      <Group justify="space-between" align="start">
        <div>
          <Group gap="xs">
            <Title order={2} size="h4">
              {title} {apiVersion}
            </Title>
            <Mark tone={published ? 'accent' : 'neutral'}>{published ? 'Published' : 'Draft'}</Mark>
          </Group>
          {description !== '' && (
            <Text size="sm" maw={720}>
              {description}
            </Text>
          )}
          {published && (
            <Text size="sm" c="dimmed">
              Published <Moment at={publishedAt} />
            </Text>
          )}
        </div>
        <Group gap="xs">
          <PermittedButton variant="default" permission="specification.write" onClick={() => setEditing(true)}>
            Edit
          </PermittedButton>
          {!outdated && (
            <PermittedButton variant="default" permission="specification.write" loading={busy} onClick={run}>
              Generate again
            </PermittedButton>
          )}
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default">Download</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(['json', 'yaml'] as const).map((format) => (
                <Menu.Item
                  key={format}
                  onClick={() =>
                    saveAnswer(
                      'downloadSpecification',
                      { params, query: { format } },
                      `${proxy.name}.openapi.${format}`,
                    ).catch(showFailure)
                  }
                >
                  {format.toUpperCase()}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          {published && (
            <PermittedButton
              variant="default"
              permission="specification.publish"
              loading={unpublish.isPending}
              onClick={() => attempt(() => unpublish.mutateAsync({ params }), 'It is no longer published.')}
            >
              Take it back
            </PermittedButton>
          )}
          {(!published || unpublishedChanges) && (
            <PermittedButton
              permission="specification.publish"
              loading={publish.isPending}
              onClick={() => attempt(() => publish.mutateAsync({ params }), 'The specification is published.')}
            >
              {published ? 'Publish the changes' : 'Publish'}
            </PermittedButton>
          )}
        </Group>
      </Group>
      {outdated && (
        <Alert color="yellow" mt="md" title="The routes or policies changed since it was generated">
          <Group>
            <Text size="sm">Generating it again keeps what you wrote.</Text>
            <PermittedButton size="xs" permission="specification.write" loading={busy} onClick={run}>
              Generate again
            </PermittedButton>
          </Group>
        </Alert>
      )}
      {published && unpublishedChanges && !outdated && (
        <Alert color="blue" mt="md">
          It was edited since it was published. Readers see what was published until you publish the changes.
        </Alert>
      )}
      {editing && <EditSpecification specification={specification} onClose={() => setEditing(false)} />}
    </section>
  );
}
