import { ActionIcon, Group, Paper, Select, SimpleGrid, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import type { Form } from '@millrace/ui/form';
import { IconChevronDown, IconChevronUp, IconTrash } from '@millrace/ui/icons';
import { wordsOf } from '@millrace/ui/words';
import { moved, type TypeDraft } from './draft.ts';

/** What the API's names of kinds mean to people. */
const kindNames: Readonly<Record<string, string>> = {
  identifier: 'Number or code',
  name: 'Person’s name',
  number: 'Number (a quantity)',
  iban: 'IBAN',
  bic: 'BIC',
  mrz: 'Machine-readable zone',
  tax_id: 'Tax number',
};

const optionsOf = (kinds: readonly string[]) =>
  kinds.map((kind) => ({ value: kind, label: kindNames[kind] ?? wordsOf(kind) }));

/** A field or a column of a type, with buttons that move and remove it. */
export function PartEditor(props: {
  readonly form: Form<TypeDraft>;
  readonly list: 'fields' | 'columns';
  readonly index: number;
  readonly kinds: readonly string[];
}) {
  const { form, index, kinds, list } = props;
  const part = form.values[list][index];
  if (!part) return null;
  const path = `${list}.${index}`;
  const noun = list === 'fields' ? 'Field' : 'Column';
  const called = part.name === '' ? `${noun.toLowerCase()} ${index + 1}` : part.name;
  const text = (name: 'name' | 'description') => ({
    value: part[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      form.setAt(`${path}.${name}`, event.currentTarget.value),
    error: form.errorAt(`${path}.${name}`),
  });
  const tags = (name: 'captions' | 'examples', value: readonly string[]) => ({
    value: [...value],
    onChange: (next: string[]) => form.setAt(`${path}.${name}`, next),
    error: form.errorAt(`${path}.${name}`),
    acceptValueOnBlur: true,
    splitChars: [';'],
  });
  return (
    <Paper withBorder p="sm" component="fieldset" aria-label={`${noun} ${index + 1}`} miw={0}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600}>
            {noun} {index + 1}
          </Text>
          <Group gap={4} wrap="nowrap">
            <Move form={form} list={list} index={index} by={-1} called={called} />
            <Move form={form} list={list} index={index} by={1} called={called} />
            <ActionIcon
              variant="subtle"
              color="red.9"
              aria-label={`Remove ${called}`}
              onClick={() => form.removeAt(list, index)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing="xs">
          <TextInput label="Name" placeholder="invoice_number" {...text('name')} />
          <Select
            label="Kind"
            data={optionsOf(kinds)}
            value={part.kind}
            onChange={(kind) => form.setAt(`${path}.kind`, kind ?? part.kind)}
            allowDeselect={false}
            searchable
            error={form.errorAt(`${path}.kind`)}
          />
          <TagsInput label="Captions" placeholder="Type one, press Enter" {...tags('captions', part.captions)} />
          {'examples' in part && (
            <TagsInput label="Examples" placeholder="Type one, press Enter" {...tags('examples', part.examples)} />
          )}
        </SimpleGrid>
        <TextInput label="Description" {...text('description')} />
        {'examples' in part && (
          <Group>
            <Switch
              label="Required"
              checked={part.required}
              onChange={(event) => form.setAt(`${path}.required`, event.currentTarget.checked)}
            />
            <Switch
              label="Several values"
              checked={part.repeated}
              onChange={(event) => form.setAt(`${path}.repeated`, event.currentTarget.checked)}
            />
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Move(props: {
  readonly form: Form<TypeDraft>;
  readonly list: 'fields' | 'columns';
  readonly index: number;
  readonly by: -1 | 1;
  readonly called: string;
}) {
  const { by, called, form, index, list } = props;
  const last = form.values[list].length - 1;
  const Icon = by < 0 ? IconChevronUp : IconChevronDown;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Move ${called} ${by < 0 ? 'up' : 'down'}`}
      disabled={by < 0 ? index === 0 : index === last}
      onClick={() => form.setAt(list, moved<unknown>(form.values[list], index, by))}
    >
      <Icon size={16} />
    </ActionIcon>
  );
}
