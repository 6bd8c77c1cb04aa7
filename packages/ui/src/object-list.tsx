import { Button, Group, Stack } from '@mantine/core';
import { type FieldShape, valuesOf } from './fields.ts';
import type { Form } from './form.ts';
import { IconPlus, IconTrash } from './icons.ts';
import classes from './schema-form.module.css';
import { type FieldOptions, Fields } from './schema-form.tsx';
import { texts } from './texts.ts';

/** A list of objects: a line of fields for each. */
export function ObjectList(props: {
  readonly field: FieldShape;
  readonly options: FieldOptions;
  readonly form: Form<Readonly<Record<string, unknown>>>;
  readonly path: string;
  readonly label: string;
}) {
  const { field, options, form, path, label } = props;
  const items = path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], form.values);
  const noun = options.itemNoun ?? texts().item;
  const count = (items as readonly unknown[]).length;
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {(items as readonly object[]).map((_item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is what identifies an item, also in errors.
        <Group key={index} align="start" gap="xs" wrap="nowrap">
          <Group
            align="start"
            gap="xs"
            flex={1}
            className={classes.line!}
            role="group"
            aria-label={`${noun} ${index + 1}`}
          >
            <Fields
              shape={field.fields}
              options={options.fields ?? {}}
              form={form}
              path={`${path}.${index}.`}
              isNew={false}
            />
          </Group>
          <Button
            variant="subtle"
            color="gray"
            mt={22}
            px={8}
            aria-label={texts().remove(`${noun} ${index + 1}`)}
            onClick={() => form.removeAt(path, index)}
          >
            <IconTrash size={16} aria-hidden />
          </Button>
        </Group>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertAt(path, valuesOf(field.fields, options.newItem?.(form.values) ?? {}))}
          disabled={field.max !== undefined && count >= field.max}
        >
          {texts().add(noun)}
        </Button>
      </Group>
    </Stack>
  );
}
