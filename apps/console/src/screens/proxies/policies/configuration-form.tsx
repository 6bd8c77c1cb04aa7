import {
  ActionIcon,
  Button,
  Card,
  Fieldset,
  Group,
  Input,
  JsonInput,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type ConfigurationField, emptyObject } from './configuration-schema.ts';
import { readJson } from './json-text.ts';
import { SecretHint } from './secret-hint.tsx';

type Values = Readonly<Record<string, unknown>>;

/** Controls for the members of an object, by its schema. */
export function ConfigurationForm(props: {
  readonly fields: readonly ConfigurationField[];
  readonly value: Values;
  readonly onChange: (value: Values) => void;
  /** Of the object itself, such as `configuration`. */
  readonly path: string;
  readonly errorAt: (path: string) => string | undefined;
  readonly disabled: boolean;
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
          disabled={props.disabled}
        />
      ))}
    </Stack>
  );
}

interface FieldProps {
  readonly field: ConfigurationField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly path: string;
  readonly errorAt: (path: string) => string | undefined;
  readonly disabled: boolean;
}

const longText = 2_000;

function Field(props: FieldProps) {
  const { field, value, onChange, path, errorAt, disabled } = props;
  const { shape, label, description } = field;
  const common = { label, description, disabled, error: errorAt(path) };
  /** An emptied field: left out where it may be, null where it may be. */
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
            disabled={disabled}
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
          // What is no JSON goes to the server as the text that it is, which refuses it: nothing else is saved in its place.
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

/** A list of texts; where it may also be absent as a whole, a switch says so. */
function TextsField(props: FieldProps) {
  const { field, value, onChange, path, errorAt, disabled } = props;
  const input = (
    <TagsInput
      label={field.label}
      description={field.description}
      placeholder="Type and press Enter"
      disabled={disabled || value === null}
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
        label={`All (no list of ${field.label.toLowerCase()})`}
        checked={value === null}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked ? null : [])}
      />
    </Stack>
  );
}

function ObjectsField(props: FieldProps & { readonly fields: readonly ConfigurationField[] }) {
  const { field, fields, onChange, path, errorAt, disabled } = props;
  const items = listOf(props.value).map(objectOf);
  return (
    <Fieldset legend={field.label}>
      <Description text={field.description} />
      {errorAt(path) && items.length === 0 && <Input.Error mb="xs">{errorAt(path)}</Input.Error>}
      <Stack gap="sm">
        {items.map((item, index) => (
          // The items have no identity of their own but their place.
          <Card key={`${items.length}.${String(index)}`} withBorder padding="sm">
            <Group justify="space-between" mb="xs">
              <Text size="sm" fw={600}>
                {index + 1}
              </Text>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={`Remove ${field.label.toLowerCase()} ${index + 1}`}
                disabled={disabled}
                onClick={() => onChange(items.toSpliced(index, 1))}
              >
                ✕
              </ActionIcon>
            </Group>
            <ConfigurationForm
              fields={fields}
              value={item}
              onChange={(next) => onChange(items.with(index, next))}
              path={`${path}.${index}`}
              errorAt={errorAt}
              disabled={disabled}
            />
            {typeof item.name === 'string' && typeof item.value === 'string' && (
              <SecretHint
                name={item.name}
                value={item.value}
                disabled={disabled}
                onChange={(value) => onChange(items.with(index, { ...item, value }))}
              />
            )}
          </Card>
        ))}
        <Button
          variant="default"
          size="xs"
          disabled={disabled}
          onClick={() => onChange([...items, emptyObject(fields)])}
          style={{ alignSelf: 'start' }}
        >
          Add to {field.label.toLowerCase()}
        </Button>
      </Stack>
    </Fieldset>
  );
}

function Description(props: { readonly text: string }) {
  if (props.text === '') return null;
  return (
    <Text size="xs" c="dimmed" mb="xs">
      {props.text}
    </Text>
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

function faultOf(text: string): string | undefined {
  const read = readJson(text);
  return 'fault' in read ? read.fault : undefined;
}
