import { FileInput, Text } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../frame/api.ts';

/** Extracts a file as a type, and shows its pages beside the values. */
export function TryForm({ docType, onClose }: { readonly docType: string; readonly onClose: () => void }) {
  const upload = useWrite('uploadDocument');
  const navigate = useNavigate();
  const form = useForm({ file: null as File | null }, async ({ file }) => {
    if (!file) throw new InvalidInput({ file: 'Choose a file.' });
    const { documentId } = await upload.mutateAsync({ form: { docType }, file: { name: file.name, content: file } });
    onClose();
    await navigate({ to: '/documents/$documentId', params: { documentId } });
  });
  return (
    <FormBody form={form} submitLabel="Extract" onCancel={onClose} passing>
      <Text size="sm">The document is stored with your others. Its page shows the values beside it.</Text>
      <FileInput
        label="Document"
        description="PDF, PNG, JPG or TIFF"
        accept="application/pdf,image/png,image/jpeg,image/tiff"
        value={form.values.file}
        onChange={(file) => form.set('file', file)}
        error={form.errorAt('file')}
      />
    </FormBody>
  );
}
