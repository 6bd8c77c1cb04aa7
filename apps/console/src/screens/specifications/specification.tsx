import { Anchor, Button, Menu, SegmentedControl, Stack, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, showFailure } from '@millrace/ui/form';
import { Page } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { saveAnswer } from '../../frame/save-answer.ts';
import { useOpened } from '../proxies/opened.ts';
import { DocumentText } from '../proxies/specification/document-text.tsx';
import { EditSpecification } from '../proxies/specification/edit-specification.tsx';
import { LintFindings } from '../proxies/specification/lint-findings.tsx';
import { Operations } from '../proxies/specification/operations.tsx';
import { SpecificationChanges } from '../proxies/specification/specification-changes.tsx';
import { SpecificationMarks } from './list.tsx';

type Specification = DataOf<'getSpecification'>;

/** One specification: its operations, its document, what lint objects to, what changed since it was published. */
export function SpecificationScreen() {
  const { specificationId } = useParams({ from: '/shell/specifications/$specificationId' });
  const read = useRead('getSpecification', { params: { specificationId } });
  return <EntityScreen read={read}>{(data) => <Shown specification={data} />}</EntityScreen>;
}

const views = [
  { value: 'operations', label: 'Operations' },
  { value: 'json', label: 'JSON' },
  { value: 'yaml', label: 'YAML' },
  { value: 'lint', label: 'Lint' },
  { value: 'changes', label: 'Changes' },
];

function Shown({ specification }: { readonly specification: Specification }) {
  const { id, title, apiVersion, state, proxyId, publishedAt } = specification;
  const [chosen, choose] = useOpened('view');
  const view = chosen ?? 'operations';
  return (
    <Page
      title={`${title} ${apiVersion}`}
      mark={<SpecificationMarks {...specification} />}
      description={specification.description}
      crumbs={[{ label: 'Specifications', to: '/specifications' }]}
      actions={<Actions specification={specification} />}
    >
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          {proxyId !== null && (
            <>
              <Anchor
                size="sm"
                underline="always"
                renderRoot={(root) => <Link {...root} to="/proxies/$proxyId/specification" params={{ proxyId }} />}
              >
                Of an API proxy
              </Anchor>
              .{' '}
            </>
          )}
          {publishedAt === null ? (
            'Never published.'
          ) : (
            <>
              Published <Moment at={publishedAt} />.
            </>
          )}
        </Text>
        <SegmentedControl
          aria-label="What to see of the specification"
          data={state === 'published' ? views : views.filter(({ value }) => value !== 'changes')}
          value={view}
          onChange={(value) => choose(value === 'operations' ? null : value)}
          style={{ alignSelf: 'start', maxWidth: '100%', overflowX: 'auto' }}
        />
        {view === 'operations' && <Operations specification={specification} />}
        {(view === 'json' || view === 'yaml') && <DocumentText specificationId={id} format={view} />}
        {view === 'lint' && <LintFindings specification={specification} />}
        {view === 'changes' && <SpecificationChanges specificationId={id} />}
      </Stack>
    </Page>
  );
}

function Actions({ specification }: { readonly specification: Specification }) {
  const { id, title, state, version, unpublishedChanges } = specification;
  const params = { specificationId: id };
  const navigate = useNavigate();
  const publish = useWrite('publishSpecification');
  const unpublish = useWrite('unpublishSpecification');
  const remove = useWrite('deleteSpecification');
  const [dialog, setDialog] = useState<'edit' | 'unpublish' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const published = state === 'published';
  const publishNow = () =>
    publish
      .mutateAsync({ params, version })
      .then(() => showDone(`${title} is published.`))
      .catch(showFailure);
  const save = (format: 'json' | 'yaml') =>
    saveAnswer('downloadSpecification', { params, query: { format } }, `openapi.${format}`).catch(showFailure);
  return (
    <>
      <PermittedButton variant="default" permission="specification.write" onClick={() => setDialog('edit')}>
        Edit
      </PermittedButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Download</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => save('json')}>JSON</Menu.Item>
          <Menu.Item onClick={() => save('yaml')}>YAML</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {published && (
        <PermittedButton variant="default" permission="specification.publish" onClick={() => setDialog('unpublish')}>
          Take it back
        </PermittedButton>
      )}
      {(!published || unpublishedChanges) && (
        <PermittedButton permission="specification.publish" loading={publish.isPending} onClick={publishNow}>
          {published ? 'Publish the changes' : 'Publish'}
        </PermittedButton>
      )}
      <PermittedButton
        variant="default"
        c="var(--mantine-color-error)"
        permission="specification.write"
        blocked={published && 'Take it back first.'}
        onClick={() => setDialog('delete')}
      >
        Delete
      </PermittedButton>
      {dialog === 'edit' && <EditSpecification specification={specification} onClose={close} />}
      {dialog === 'unpublish' && (
        <Confirm
          title={`Take ${title} back`}
          action="Take it back"
          done={`${title} is no longer published.`}
          onConfirm={() => unpublish.mutateAsync({ params, version })}
          onClose={close}
        >
          Readers no longer see it. It can be published again.
        </Confirm>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${title}`}
          action="Delete"
          done={`${title} is deleted.`}
          onConfirm={() => remove.mutateAsync({ params, version })}
          onDone={() => navigate({ to: '/specifications' })}
          onClose={close}
        >
          What was written into it goes with it.
        </Confirm>
      )}
    </>
  );
}
