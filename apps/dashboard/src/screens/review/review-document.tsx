import { Alert, Button, Group, Kbd, Stack, Text } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { Moment } from '@millrace/ui/values';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { readOf, useRead } from '../../frame/api.ts';
import { useReviewCount } from '../../frame/review-count.ts';
import { Checks } from '../document/checks.tsx';
import { useCorrections } from '../document/corrections.ts';
import { AddField, Fields, fieldsOf } from '../document/fields.tsx';
import type { DocumentDetail } from '../document/paths.ts';
import { RowsTable } from '../document/rows.tsx';
import classes from '../document/workspace.module.css';
import { useEditing, Workspace } from '../document/workspace.tsx';
import { useQueue } from './queue.ts';

/** One document of the queue: from one low-confidence value to the next, then to the next document. */
export function ReviewDocumentScreen() {
  const { documentId } = useParams({ from: '/shell/review/$documentId' });
  const document = useRead('getDocument', { params: { id: documentId } });
  return (
    <Page
      title={document.data?.fileName ?? 'Review'}
      description={document.data?.reference}
      crumbs={[{ label: 'Review', to: '/review' }]}
    >
      <Loaded read={document}>
        {(detail) =>
          detail.state === 'done' ? (
            <Review document={detail} />
          ) : (
            <Alert color="orange">This document has nothing to review.</Alert>
          )
        }
      </Loaded>
    </Page>
  );
}

function Review({ document }: { readonly document: DocumentDetail }) {
  const corrections = useCorrections(document.id);
  const isConfirmed = document.confirmedAt !== null;
  const { editing, selected, panel, choose } = useEditing(corrections, !isConfirmed);
  const queue = useQueue(document.id);
  const waiting = useReviewCount();
  const [confirming, setConfirming] = useState(false);
  const cache = useQueryClient();
  // Values must not move while somebody is checking them.
  const [toCheck] = useState(() => document.doubtful.flatMap((path) => ('field' in path ? [path.field] : [])));
  const others = fieldsOf(document).filter((name) => !toCheck.includes(name));

  useEffect(() => {
    // After the screen's title, which takes the focus first.
    const frame = requestAnimationFrame(() => {
      const first = panel.current?.querySelector<HTMLElement>('[data-value][data-doubtful], [data-after-values]');
      first?.focus();
      if (first instanceof HTMLInputElement) first.select();
    });
    return () => cancelAnimationFrame(frame);
  }, [panel]);

  const confirm = async () => {
    if (confirming) return;
    setConfirming(true);
    // Leaving the focused input saves what is typed there.
    if (window.document.activeElement instanceof HTMLElement) window.document.activeElement.blur();
    if (!(await corrections.settled())) {
      setConfirming(false);
      panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const { queryKey } = readOf('getDocument', { params: { id: document.id } });
    const { version } = cache.getQueryData(queryKey) ?? document;
    queue
      .confirm(version)
      .then(
        (sender) =>
          showDone(`${document.reference} is confirmed.${sender ? ` It helps with the next one of ${sender}.` : ''}`),
        showFailure,
      );
    await queue.goOn();
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.ctrlKey && !isConfirmed) {
      event.preventDefault();
      confirm();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for a button inside.
    <div onKeyDown={keyDown}>
      <Workspace document={document} selected={selected} panel={panel} onChoose={choose}>
        <Stack gap="lg">
          {isConfirmed && (
            <Alert color="teal" title="Confirmed">
              {document.confirmedBy ? `By ${document.confirmedBy.name}, ` : ''}
              <Moment at={document.confirmedAt} />. If you change a value, it has to be confirmed again.
            </Alert>
          )}
          <Text size="sm" c="dimmed" component="p" m={0} visibleFrom="sm" hidden={isConfirmed}>
            <Kbd>Enter</Kbd> accepts a value, <Kbd>Tab</Kbd> goes to the next one, <Kbd>Esc</Kbd> reverts what you
            typed, <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> confirms the document.
          </Text>
          <Section title="To check">
            {toCheck.length > 0 ? (
              <Fields document={document} names={toCheck} selected={selected} editing={editing} />
            ) : (
              <Text size="sm" c="dimmed">
                {document.doubtful.length > 0 ? 'Check the line items below.' : 'No values to check.'}
              </Text>
            )}
          </Section>
          {document.checks.length > 0 && (
            <Section title="Checks">
              <Checks checks={document.checks} />
            </Section>
          )}
          {document.rows && (
            <Section title="Line items">
              <RowsTable document={document} rows={document.rows} editing={editing} />
            </Section>
          )}
          <Section title="Other fields">
            <Fields document={document} names={others} selected={selected} editing={editing} />
            <AddField document={document} shownNames={[...toCheck, ...others]} selected={selected} editing={editing} />
          </Section>
          <Group className={classes.actionBar!} justify="space-between">
            <Text size="sm" role="status">
              {isConfirmed
                ? 'Confirmed'
                : document.doubtful.length === 0
                  ? 'All values checked'
                  : `${document.doubtful.length} still to check`}
              {waiting.count > 0 && ` · ${waiting.text} ${waiting.count === 1 ? 'document' : 'documents'} to review`}
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={queue.goOn}>
                {queue.hasNext ? (isConfirmed ? 'Next' : 'Skip') : 'Back to the queue'}
              </Button>
              {!isConfirmed && (
                <Button onClick={confirm} loading={confirming} data-after-values>
                  {queue.hasNext ? 'Confirm and continue' : 'Confirm'}
                </Button>
              )}
            </Group>
          </Group>
        </Stack>
      </Workspace>
    </div>
  );
}
