import {
  Fieldset,
  JsonInput,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { ObjectsField, TextsField } from './configuration-lists.tsx';
import type { ConfigurationField } from './configuration-schema.ts';
import { readJson } from './json-text.ts';

type Values = Readonly<Record<string, unknown>>;

/** Fields for an object, from its schema. */
export function ConfigurationForm(props: {
  readonly fields: readonly ConfigurationField[];
  readonly value: Values;
  readonly onChange: (value: Values) => void;
  /** Of the object itself, such as `configuration`. */
  readonly path: string;
  readonly errorAt: (path: string) => string | undefined;
}) {
  const { fields, value, onChange, path } = props;
  return (
    <Stack gap="md">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={value[field.name]}
          onChange={(next) => {
            const { [field.name]: _, ...others } = value;
            onChange(next === undefined ? others : { ...others, [field.name]: next });
          }}
          path={`${path}.${field.name}`}
          errorAt={props.errorAt}
        />
      ))}
    </Stack>
  );
}

/** A field, its value, and where the server's errors about it stand. */
export interface FieldProps {
  readonly field: ConfigurationField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly path: string;
  readonly errorAt: (path: string) => string | undefined;
}

const longText = 2_000;

function Field(props: FieldProps) {
  const { field, value, onChange, path, errorAt } = props;
  const { shape, label, description } = field;
  const common = { label, description, error: errorAt(path) };
  /** What an emptied field becomes. */
  const none = field.optional ? undefined : field.nullable ? null : '';
  switch (shape.type) {
    case 'text': {
      const input = {
        ...common,
        value: typeof value === 'string' ? value : '',
        onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
          onChange(event.currentTarget.value === '' ? none : event.currentTarget.value),
      };
      const long = (shape.maxLength ?? 0) > longText && field.name === 'body';
      return long ? <Textarea {...input} autosize minRows={4} maxRows={16} ff="monospace" /> : <TextInput {...input} />;
    }
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(next === '' ? none : Number(next))}
          thousandSeparator=","
          {...(shape.min === null ? {} : { min: shape.min })}
          {...(shape.max === null ? {} : { max: shape.max })}
          clampBehavior="none"
        />
      );
    case 'switch':
      return (
        <Switch {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case 'choice':
      return (
        <Select
          {...common}
          data={shape.values.map(String)}
          value={value === undefined || value === null ? null : String(value)}
          onChange={(next) => onChange(shape.values.find((choice) => String(choice) === next) ?? none)}
          clearable={field.optional || field.nullable}
          allowDeselect={false}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...common}
          data={shape.values.map(String)}
          value={listOf(value).map(String)}
          onChange={(next) => onChange(shape.values.filter((choice) => next.includes(String(choice))))}
        />
      );
    case 'texts':
      return <TextsField {...props} />;
    case 'object':
      return (
        <Fieldset legend={label}>
          <Description text={description} />
          <ConfigurationForm
            fields={shape.fields}
            value={objectOf(value)}
            onChange={onChange}
            path={path}
            errorAt={errorAt}
          />
        </Fieldset>
      );
    case 'objects':
      return <ObjectsField {...props} fields={shape.fields} />;
    case 'json':
      return (
        <JsonInput
          {...common}
          defaultValue={JSON.stringify(value, null, 2)}
          // Invalid JSON goes to the server as text, which it rejects.
          onChange={(text) => {
            const read = readJson(text);
            onChange('fault' in read ? text : read.value);
          }}
          error={typeof value === 'string' ? faultOf(value) : common.error}
          autosize
          minRows={3}
        />
      );
  }
}

/** A description of a group of fields. */
export function Description(props: { readonly text: string }) {
  if (props.text === '') return null;
  return (
    <Text size="xs" c="dimmed" mb="xs">
      {props.text}
    </Text>
  );
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

function faultOf(text: string): string | undefined {
  const read = readJson(text);
  return 'fault' in read ? read.fault : undefined;
}
