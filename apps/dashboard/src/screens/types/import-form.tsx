import { FileInput, Switch } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { useNavigate } from '@tanstack/react-router';
import { type ArgumentsOf, useWrite } from '../../frame/api.ts';

type TypeFile = ArgumentsOf<'importDocumentType'>['body']['file'];

/** A definition is smaller than this. */
const mostBytes = 64 * 1024;

/** Takes the file of a document type. */
export function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const take = useWrite('importDocumentType');
  const navigate = useNavigate();
  const form = useForm({ file: null as File | null, replace: false }, async ({ file, replace }) => {
    const body = { file: await contentOf(file), replace };
    const type = await take.mutateAsync({ body });
    showDone(`${type.title} imported.`);
    onClose();
    await navigate({ to: '/types/$typeName', params: { typeName: type.name } });
  });
  return (
    <FormBody form={form} submitLabel="Import" onCancel={onClose}>
      <FileInput
        label="File"
        description="A JSON file that was exported from a document type"
        accept="application/json,.json"
        value={form.values.file}
        onChange={(file) => form.set('file', file)}
        error={form.errorAt('file')}
      />
      <Switch
        label="Replace a type of the same name"
        checked={form.values.replace}
        onChange={(event) => form.set('replace', event.currentTarget.checked)}
      />
    </FormBody>
  );
}

/** @throws InvalidInput where the file holds no JSON; what else is wrong with it the server says */
async function contentOf(file: File | null): Promise<TypeFile> {
  if (!file) throw new InvalidInput({ file: 'Choose a file.' });
  if (file.size > mostBytes) throw new InvalidInput({ file: 'This file is too large for a document type.' });
  try {
    return JSON.parse(await file.text()) as TypeFile;
  } catch {
    throw new InvalidInput({ file: 'This is no JSON file. Choose one that was exported here.' });
  }
}
