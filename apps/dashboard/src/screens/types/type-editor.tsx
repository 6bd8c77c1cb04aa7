import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { valueKinds } from '@millrace/document-model';
import { ownColumnKinds, ownTypeLimits } from '@millrace/document-model/own-type';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { IconPlus } from '@millrace/ui/icons';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRead, useWrite } from '../../frame/api.ts';
import { definitionOf, draftOf, newColumn, newField, type OwnType } from './draft.ts';
import { PartEditor } from './part-editor.tsx';

const crumbs = [{ label: 'Document types', to: '/types' }] as const;

/** Defines a document type. */
export function NewTypeScreen() {
  return (
    <Page title="New document type" crumbs={crumbs}>
      <Editor />
    </Page>
  );
}

/** Changes one of the account's own types. */
export function EditTypeScreen() {
  const { typeName } = useParams({ from: '/shell/types/$typeName/edit' });
  const type = useRead('getDocumentType', { params: { name: typeName } });
  return (
    <Page title={`Edit ${type.data?.title ?? typeName}`} crumbs={crumbs}>
      <Loaded read={type}>{(loaded) => <Editor type={loaded} />}</Loaded>
    </Page>
  );
}

function Editor({ type }: { readonly type?: OwnType }) {
  const create = useWrite('createDocumentType');
  const change = useWrite('changeDocumentType');
  const navigate = useNavigate();
  const form = useForm(draftOf(type), async (draft) => {
    const definition = definitionOf(draft);
    const saved = type
      ? await change.mutateAsync({ params: { name: type.name }, body: { version: type.version, ...definition } })
      : await create.mutateAsync({ body: { name: draft.name, ...definition } });
    showDone(`${saved.title} saved.`);
    await navigate({ to: '/types/$typeName', params: { typeName: saved.name }, ignoreBlocker: true });
  });
  const { columns, fields } = form.values;
  return (
    <FormBody form={form} submitLabel={type ? 'Save' : 'Create type'}>
      <TextInput label="Title" placeholder="Calibration certificate" {...form.text('title')} />
      {!type && (
        <TextInput
          label="Name"
          description="For programs, as doc_type. It can’t be changed later"
          placeholder="calibration_certificate"
          {...form.text('name')}
        />
      )}
      <Textarea label="Description" autosize minRows={2} {...form.text('description')} />
      <Section title="Fields">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            Captions are the words printed next to a value, in any language. Without any, the words of the name and the
            description are looked for.
          </Text>
          {fields.map(({ key }, index) => (
            <PartEditor key={key} form={form} list="fields" index={index} kinds={valueKinds} />
          ))}
          <AddButton
            label="Add field"
            isFull={fields.length >= ownTypeLimits.fields}
            onAdd={() => form.insertAt('fields', newField())}
          />
        </Stack>
      </Section>
      <Section title="Line items">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            Columns of a table that is read row by row. Captions are the headings of a column.
          </Text>
          {columns.map(({ key }, index) => (
            <PartEditor key={key} form={form} list="columns" index={index} kinds={ownColumnKinds} />
          ))}
          <AddButton
            label="Add column"
            isFull={columns.length >= ownTypeLimits.columns}
            onAdd={() => form.insertAt('columns', newColumn())}
          />
        </Stack>
      </Section>
    </FormBody>
  );
}

function AddButton(props: { readonly label: string; readonly isFull: boolean; readonly onAdd: () => void }) {
  return (
    <Group>
      <Button variant="default" leftSection={<IconPlus size={16} />} disabled={props.isFull} onClick={props.onAdd}>
        {props.label}
      </Button>
    </Group>
  );
}
