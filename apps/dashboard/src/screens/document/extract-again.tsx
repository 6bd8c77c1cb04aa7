import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { showDone, showFailure } from '@millrace/ui/form';
import { useState } from 'react';
import { type ArgumentsOf, useWrite } from '../../frame/api.ts';
import { docTypeOptions } from '../../frame/document-words.ts';
import type { DocumentDetail } from './paths.ts';

type AskedType = NonNullable<NonNullable<ArgumentsOf<'retryDocument'>['body']>['docType']>;

/** Extracts a document again, optionally as another type. */
export function ExtractAgain(props: { readonly document: DocumentDetail; readonly onClose: () => void }) {
  const { document, onClose } = props;
  const [docType, setDocType] = useState<AskedType>(document.docType);
  const retry = useWrite('retryDocument');
  const send = async () => {
    try {
      await retry.mutateAsync({ params: { id: document.id }, body: { docType } });
      showDone('Extracting again.');
      onClose();
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Extract again" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm">A new result from the stored file replaces the current one.</Text>
        <Select
          label="Type"
          data={[{ value: 'detect', label: 'Detect type automatically' }, ...docTypeOptions]}
          value={docType}
          onChange={(value) => setDocType((value ?? 'detect') as AskedType)}
          allowDeselect={false}
          searchable
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={send} loading={retry.isPending}>
            Extract again
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
