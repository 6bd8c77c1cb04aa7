import { ActionIcon, Button, Card, Fieldset, Group, Input, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { IconTrash } from '@millrace/ui/icons';
import { ConfigurationForm, Description, type FieldProps, listOf, objectOf } from './configuration-form.tsx';
import { type ConfigurationField, emptyObject } from './configuration-schema.ts';
import { SecretHint } from './secret-hint.tsx';

/** A list of texts, with a switch if it may be null: anything is allowed then. */
export function TextsField(props: FieldProps) {
  const { field, value, onChange, path, errorAt } = props;
  const input = (
    <TagsInput
      label={field.label}
      description={field.description}
      placeholder="Type and press Enter"
      disabled={value === null}
      error={errorAt(path)}
      value={listOf(value).map(String)}
      onChange={(next) => onChange(next)}
      acceptValueOnBlur
      splitChars={[',', ' ']}
    />
  );
  if (!field.nullable) return input;
  return (
    <Stack gap={4}>
      {input}
      <Switch
        size="xs"
        label={`Any ${field.label.toLowerCase()}`}
        checked={value === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : [])}
      />
    </Stack>
  );
}

/** A list of objects, with a form for each. */
export function ObjectsField(props: FieldProps & { readonly fields: readonly ConfigurationField[] }) {
  const { field, fields, onChange, path, errorAt } = props;
  const items = listOf(props.value).map(objectOf);
  return (
    <Fieldset legend={field.label}>
      <Description text={field.description} />
      {errorAt(path) && items.length === 0 && <Input.Error mb="xs">{errorAt(path)}</Input.Error>}
      <Stack gap="sm">
        {items.map((item, index) => (
          // Items have no identity but their position.
          <Card key={`${items.length}.${String(index)}`} withBorder padding="sm">
            <Group justify="space-between" mb="xs">
              <Text size="sm" fw={600}>
                {index + 1}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${field.label.toLowerCase()} ${index + 1}`}
                onClick={() => onChange(items.toSpliced(index, 1))}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Group>
            <ConfigurationForm
              fields={fields}
              value={item}
              onChange={(next) => onChange(items.with(index, next))}
              path={`${path}.${index}`}
              errorAt={errorAt}
            />
            {typeof item.name === 'string' && typeof item.value === 'string' && (
              <SecretHint
                name={item.name}
                value={item.value}
                onChange={(value) => onChange(items.with(index, { ...item, value }))}
              />
            )}
          </Card>
        ))}
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...items, emptyObject(fields)])}
          style={{ alignSelf: 'start' }}
        >
          Add to {field.label.toLowerCase()}
        </Button>
      </Stack>
    </Fieldset>
  );
}
