import { Button, Group, List, Paper, Progress, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type AnswerOf, useRead } from '../../frame/api.ts';

type BulkAction = AnswerOf<'getBulkAction'>;

const refreshIntervalMs = 700;

const words = {
  delete: { running: 'Deleting', done: 'Deleted' },
  retry: { running: 'Queuing for extraction', done: 'Queued for extraction' },
  confirm: { running: 'Confirming', done: 'Confirmed' },
} as const satisfies Record<BulkAction['action'], { running: string; done: string }>;

/** How far a bulk action is, and which documents it could not change. It is found again by the page's address. */
export function BulkProgress({ id }: { readonly id: string }) {
  const read = useRead(
    'getBulkAction',
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : refreshIntervalMs) },
  );
  const cache = useQueryClient();
  const navigate = useNavigate();
  const isDone = read.data?.state === 'done';
  useEffect(() => {
    if (isDone) cache.invalidateQueries({ queryKey: ['listDocuments'] });
  }, [isDone, cache]);
  const dismiss = () =>
    navigate({ to: '.', search: (search: object) => ({ ...search, action: undefined }), replace: true } as never);
  if (!read.data) return null;
  return (
    <Paper withBorder p="sm" mb="md" component="section" aria-label="Bulk action">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Outcome action={read.data} />
        {isDone && (
          <Button variant="default" size="compact-sm" onClick={dismiss}>
            Dismiss
          </Button>
        )}
      </Group>
    </Paper>
  );
}

function Outcome({ action }: { readonly action: BulkAction }) {
  const { state, total, finishedCount, failedCount, failures } = action;
  const numbers = useNumbers();
  const { running, done } = words[action.action];
  if (state !== 'done') {
    return (
      <div style={{ flex: 1 }}>
        <Text size="sm" role="status">
          {running}: {numbers.count(finishedCount)} of {numbers.count(total)}
        </Text>
        <Progress value={total === 0 ? 0 : (finishedCount / total) * 100} mt={6} aria-label={running} />
      </div>
    );
  }
  return (
    <div>
      <Text size="sm" role="status">
        {done}: {numbers.count(total - failedCount)} of {numbers.count(total)}
        {failedCount > 0 && ` · ${numbers.count(failedCount)} skipped`}
      </Text>
      {failures.length > 0 && (
        <List size="sm" mt={4} aria-label="Skipped documents">
          {failures.map(({ documentId, fileName, reference, message }) => (
            <List.Item key={documentId} className="file-name">
              {fileName || reference || documentId}: {message}
            </List.Item>
          ))}
        </List>
      )}
      {failedCount > failures.length && (
        <Text size="sm" c="dimmed">
          and {numbers.count(failedCount - failures.length)} more
        </Text>
      )}
    </div>
  );
}
