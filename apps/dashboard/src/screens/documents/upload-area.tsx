import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAskedTypeOptions } from '../../frame/document-words.ts';
import { type UploadType, upload } from '../../frame/uploads.ts';
import classes from './upload.module.css';
import { UploadList } from './upload-list.tsx';

const mediaTypes = ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff'];

/**
 * Accepts files dropped anywhere on the page, pasted, or chosen; several at once.
 *
 * @param props.sizeLimitBytes per file, once it is known
 */
export function UploadArea({ sizeLimitBytes }: { readonly sizeLimitBytes: number | undefined }) {
  const [docType, setDocType] = useState<UploadType>('detect');
  const picker = useRef<HTMLInputElement>(null);
  const typeOptions = useAskedTypeOptions();
  const numbers = useNumbers();
  const take = (files: readonly File[]) => upload(files, docType);
  const dragged = useDropOnPage(take);
  usePaste(take);
  return (
    <Stack mb="lg" gap="sm">
      <Paper withBorder className={classes.area!} data-dragged={dragged || undefined}>
        <Stack gap={4} align="center">
          <Text fw={600} aria-live="polite">
            {dragged ? 'Drop to upload' : 'Drop documents here, or paste them'}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            PDF, PNG, JPG or TIFF, as many as you like
            {sizeLimitBytes === undefined ? '' : `, up to ${numbers.bytes(sizeLimitBytes)} each`}
          </Text>
          <Group mt="xs" justify="center">
            <Select
              aria-label="Document type"
              data={typeOptions}
              value={docType}
              onChange={(value) => setDocType((value ?? 'detect') as UploadType)}
              allowDeselect={false}
              searchable
              w={200}
            />
            <Button onClick={() => picker.current?.click()}>Choose files</Button>
          </Group>
          <input
            ref={picker}
            type="file"
            multiple
            accept={mediaTypes.join(',')}
            hidden
            aria-label="Files to upload"
            onChange={({ currentTarget }) => {
              take([...(currentTarget.files ?? [])]);
              // So that the same files can be chosen again.
              currentTarget.value = '';
            }}
          />
        </Stack>
      </Paper>
      <UploadList />
    </Stack>
  );
}

/** Whether files are being dragged over the page; dropped files are uploaded. */
function useDropOnPage(take: (files: readonly File[]) => void): boolean {
  const [dragged, setDragged] = useState(false);
  const takeNow = useEffectEvent(take);
  useEffect(() => {
    // Every element fires its own enter and leave events: the drag has left the page once they balance.
    let inside = 0;
    const ofFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const enter = (event: DragEvent) => {
      if (!ofFiles(event)) return;
      inside++;
      setDragged(true);
    };
    const leave = (event: DragEvent) => {
      if (!ofFiles(event)) return;
      inside--;
      if (inside <= 0) setDragged(false);
    };
    const over = (event: DragEvent) => {
      if (ofFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!ofFiles(event)) return;
      event.preventDefault();
      inside = 0;
      setDragged(false);
      takeNow([...(event.dataTransfer?.files ?? [])]);
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('dragenter', enter, { signal });
    document.addEventListener('dragleave', leave, { signal });
    document.addEventListener('dragover', over, { signal });
    document.addEventListener('drop', drop, { signal });
    return () => listening.abort();
  }, []);
  return dragged;
}

/** Uploads files that are pasted anywhere on the page. */
function usePaste(take: (files: readonly File[]) => void): void {
  const takeNow = useEffectEvent(take);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      takeNow(files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
