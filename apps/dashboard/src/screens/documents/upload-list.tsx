import { Button, Group, Loader, Paper, Progress, Text, VisuallyHidden } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { clearSentUploads, dropUpload, retryUpload, type Upload, useUploads } from '../../frame/uploads.ts';
import classes from './upload.module.css';

/** The upload progress of each file; renders nothing without files. */
export function UploadList() {
  const uploads = useUploads();
  const cache = useQueryClient();
  const sent = uploads.filter(({ state }) => state.name === 'sent').length;
  const failed = uploads.filter(({ state }) => state.name === 'failed').length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is refetched once a file has arrived.
  useEffect(() => {
    cache.invalidateQueries({ queryKey: ['listDocuments'] });
  }, [sent]);
  if (uploads.length === 0) return null;
  return (
    <Paper withBorder p="sm" component="section" aria-label="Uploads">
      <Group justify="space-between" mb="xs">
        <Text size="sm" fw={600} role="status">
          {sent} of {uploads.length} uploaded{failed > 0 && `, ${failed} failed`}
        </Text>
        {sent > 0 && (
          <Button variant="default" size="compact-sm" onClick={clearSentUploads}>
            Clear uploaded
          </Button>
        )}
      </Group>
      <ul className={classes.list}>
        {uploads.map((each) => (
          <UploadItem key={each.id} upload={each} />
        ))}
      </ul>
    </Paper>
  );
}

function UploadItem({ upload: { id, file, state } }: { readonly upload: Upload }) {
  const numbers = useNumbers();
  return (
    <li className={classes.item}>
      <Text size="sm" className={classes.file!}>
        {state.name === 'sent' ? (
          <TextLink to="/documents/$documentId" params={{ documentId: state.documentId }}>
            {file.name}
          </TextLink>
        ) : (
          file.name
        )}{' '}
        <Text span size="xs" c="dimmed">
          {numbers.bytes(file.size)}
        </Text>
      </Text>
      {state.name === 'waiting' && (
        <Text size="xs" c="dimmed">
          Waiting
        </Text>
      )}
      {state.name === 'sending' &&
        (state.share < 1 ? (
          <Progress
            value={state.share * 100}
            className={classes.progress!}
            aria-label={`${file.name}: ${Math.floor(state.share * 100)} % sent`}
          />
        ) : (
          <Loader size="xs" aria-label={`${file.name} is being stored`} />
        ))}
      {state.name === 'sent' && (
        <Text size="xs" c="dimmed">
          <span aria-hidden>✓ </span>
          {state.reference}
        </Text>
      )}
      {state.name === 'failed' && (
        <>
          <Text size="xs" c="var(--mantine-color-error)" className={classes.failure!}>
            {state.message}
          </Text>
          <Button variant="default" size="compact-xs" onClick={() => retryUpload(id)}>
            Try again<VisuallyHidden> to upload {file.name}</VisuallyHidden>
          </Button>
        </>
      )}
      {state.name !== 'sent' && (
        <Button variant="default" size="compact-xs" onClick={() => dropUpload(id)}>
          {state.name === 'failed' ? 'Remove' : 'Cancel'}
          <VisuallyHidden> {file.name}</VisuallyHidden>
        </Button>
      )}
    </li>
  );
}
