import {
  Autocomplete,
  Checkbox,
  Fieldset,
  Group,
  JsonInput,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { nameOfTitle } from '@millrace/operations/name-of-title';
import { Fragment, memo, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type * as z from 'zod';
import { type FieldShape, fieldsOf, type ObjectShape, sendableOf, valuesOf } from './fields.ts';
import { type Form, useForm } from './form.ts';
import { FormBody } from './form-body.tsx';
import { LinesInput } from './lines-input.tsx';
import { ObjectList } from './object-list.tsx';
import { PasswordField } from './password-field.tsx';
import classes from './schema-form.module.css';
import { texts } from './texts.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly help?: string;
}

/** Overrides what the schema says of a field. */
export interface FieldOptions {
  readonly label?: string;
  /** Below the label; null for none. */
  readonly help?: ReactNode;
  readonly placeholder?: string;
  /** `checkboxes` for several of a few options, `lines` for a long list of texts. */
  readonly kind?: 'text' | 'multiline' | 'code' | 'secret' | 'json' | 'checkboxes' | 'lines';
  /** To choose from, instead of free text or a number; '' sends none. A help text only shows with checkboxes. */
  readonly options?: readonly Choice[];
  /** Offered while a text is typed. */
  readonly suggestions?: readonly string[];
  /** Above the field: what it and those below it are about. */
  readonly heading?: string;
  /** Within the field, such as the currency of an amount; by the values of the whole form. */
  readonly unit?: (values: Readonly<Record<string, unknown>>) => string;
  /** Stands on the line of the field before it. */
  readonly beside?: boolean;
  readonly widthPx?: number;
  /** Why it can't be changed. */
  readonly locked?: string | undefined;
  /** Whether the field is shown, by the values of the whole form. */
  readonly when?: (values: Readonly<Record<string, unknown>>) => boolean;
  /** What else changes with it. */
  readonly onChange?: (value: unknown, form: Form<Readonly<Record<string, unknown>>>) => void;
  /** Follows this field of a new object until it is edited: `Pet Store (EU)` gives `pet-store-eu`. */
  readonly nameOf?: string;
  /** In place of the field that the kind would have. */
  readonly render?: (field: RenderedField) => ReactNode;
  /** Of the fields of an object, or of each object of a list. */
  readonly fields?: Readonly<Record<string, FieldOptions>>;
  /** Of a list of objects, such as `host`: for the button that adds one, and the labels of each. */
  readonly itemNoun?: string;
  /** Of a list of objects: values that a new one begins with. */
  readonly newItem?: (values: Readonly<Record<string, unknown>>) => object;
  /** Shown on demand. */
  readonly collapsed?: boolean;
}

export interface RenderedField {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Sets a part of the value, such as `0.name`, and keeps the errors of the others. */
  readonly setAt: (path: string, value: unknown) => void;
  /** Of the whole form. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly error: string | undefined;
  /** The server's error at a part of the value, such as `window.count`. */
  readonly errorAt: (path: string) => string | undefined;
}

/**
 * A form whose fields follow from the schema of what it sends, and whose errors are the server's. Labels are the names
 * of the fields, help texts their descriptions.
 */
export function SchemaForm<Schema extends z.ZodObject>(props: {
  /** Of the body that is sent. */
  readonly schema: Schema;
  /** The object to edit; without it, a new one begins with the schema's defaults. */
  readonly initial?: object | undefined;
  /** Values that a new object begins with. */
  readonly preset?: Partial<z.input<Schema>>;
  readonly fields?: { readonly [Name in keyof z.input<Schema> & string]?: FieldOptions };
  /** Fields that come before the others, in this order. */
  readonly order?: readonly (keyof z.input<Schema> & string)[];
  /** Not shown and not sent. */
  readonly omit?: readonly (keyof z.input<Schema> & string)[];
  readonly submitLabel: string;
  readonly danger?: boolean;
  /** Whether it can’t be sent, as by a reader who may not change it. */
  readonly disabled?: boolean;
  readonly send: (body: z.input<Schema>) => Promise<unknown>;
  readonly onCancel?: () => void;
  /** Whenever they change, and at first, as they would be sent: for what is shown beside the form. */
  readonly onValues?: (body: z.input<Schema>) => void;
  /** Above the fields. */
  readonly children?: ReactNode;
}) {
  const { schema, initial, preset, omit = [], order = [], fields = {}, send } = props;
  const { submitLabel, danger = false, disabled = false, onCancel } = props;
  const [shape] = useState(() => {
    const options: Readonly<Record<string, FieldOptions | undefined>> = fields;
    const all = fieldsOf(schema)
      .filter(({ name }) => !(omit as readonly string[]).includes(name))
      .map((field) => (options[field.name]?.render ? { ...field, kind: 'raw' as const } : field));
    const first = order.flatMap((name) => all.filter((field) => field.name === name));
    return [...first, ...all.filter((field) => !first.includes(field))];
  });
  const [initialValues] = useState(() => valuesOf(shape, initial ?? preset ?? {}));
  const form = useForm(initialValues, (values) => send(sendableOf(shape, values) as z.input<Schema>));
  const { values } = form;
  const onValues = useEffectEvent((now: typeof values) => props.onValues?.(sendableOf(shape, now) as z.input<Schema>));
  useEffect(() => onValues(values), [values]);
  return (
    <FormBody
      {...{ form, submitLabel, danger }}
      // A page's own form has nothing to save until it is edited.
      disabled={disabled || (initial !== undefined && onCancel === undefined && !form.changed)}
      {...(onCancel && { onCancel })}
    >
      {props.children}
      <Fields shape={shape} options={fields} form={form} path="" isNew={initial === undefined} />
    </FormBody>
  );
}

type AnyForm = Form<Readonly<Record<string, unknown>>>;
const noOptions: FieldOptions = {};

/** The fields of an object, those that stand beside each other on one line. */
export function Fields(props: {
  readonly shape: ObjectShape;
  readonly options: Readonly<Record<string, FieldOptions | undefined>>;
  readonly form: AnyForm;
  /** Of the object, with a dot at its end; empty for the form itself. */
  readonly path: string;
  readonly isNew: boolean;
}) {
  const { shape, options, form, path, isNew } = props;
  const shown = shape.filter(({ name }) => options[name]?.when?.(form.values) ?? true);
  const lines: FieldShape[][] = [];
  for (const field of shown) {
    const line = lines.at(-1);
    if (line && options[field.name]?.beside) line.push(field);
    else lines.push([field]);
  }
  const draw = (field: FieldShape, first: boolean) => {
    const own = options[field.name] ?? noOptions;
    const at = `${path}${field.name}`;
    const followers = shape.filter(({ name }) => isNew && options[name]?.nameOf === field.name);
    return (
      <Field
        key={field.name}
        field={field}
        options={own}
        form={form}
        path={at}
        value={valueAt(form.values, at)}
        error={form.errorAt(at)}
        unit={own.unit?.(form.values)}
        isNew={isNew}
        autoFocus={first && path === ''}
        followers={followers.map(({ name }) => name).join()}
      />
    );
  };
  return lines.map((line, index) => {
    const [{ name }] = line as [FieldShape];
    const heading = options[name]?.heading;
    return (
      <Fragment key={name}>
        {heading !== undefined && (
          <Title order={2} size="h4" className={classes.heading!}>
            {heading}
          </Title>
        )}
        {line.length === 1 ? (
          draw(line[0]!, index === 0)
        ) : (
          <Group align="start" gap="xs" className={classes.line!}>
            {line.map((field, place) => draw(field, index === 0 && place === 0))}
          </Group>
        )}
      </Fragment>
    );
  });
}

/** The unit of what is typed, at the end of its field. */
export function unitSection(unit: string) {
  return {
    inputMode: 'decimal',
    rightSection: (
      <Text size="xs" c="dimmed">
        {unit}
      </Text>
    ),
    rightSectionWidth: 20 + 8 * unit.length,
    rightSectionPointerEvents: 'none',
  } as const;
}

interface FieldProps {
  readonly field: FieldShape;
  readonly options: FieldOptions;
  readonly form: AnyForm;
  readonly path: string;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly unit: string | undefined;
  readonly isNew: boolean;
  readonly autoFocus: boolean;
  /** Fields whose text follows this one's, with commas between. */
  readonly followers: string;
}

/** Drawn again where something of its own changed, and not at each key that is typed in another one. */
const Field = memo(function Field(props: FieldProps) {
  const { field, options, form, path, value, error, unit, isNew } = props;
  const label = options.label ?? field.label;
  const isChoice = options.options !== undefined && (field.kind === 'text' || field.kind === 'number');
  const kind = options.kind ?? (isChoice ? 'choice' : field.kind);
  const onChange = (next: unknown) => {
    form.setAt(path, next);
    // Until somebody edits it, a name is the one that its title gives.
    for (const follower of props.followers === '' ? [] : props.followers.split(',')) {
      if (form.values[follower] === nameOfTitle(String(value ?? ''))) form.setAt(follower, nameOfTitle(String(next)));
    }
    options.onChange?.(next, form);
  };
  if (options.render) {
    return options.render({
      label,
      value,
      onChange,
      setAt: (part, next) => form.setAt(`${path}.${part}`, next),
      values: form.values,
      error,
      errorAt: (part) => form.errorAt(`${path}.${part}`),
    });
  }
  const common = {
    label,
    description: options.locked ?? (options.help === undefined ? field.help : options.help),
    error,
    required: field.required,
    disabled: options.locked !== undefined,
    placeholder: options.placeholder,
    'data-autofocus': props.autoFocus || undefined,
    style: { maxWidth: options.widthPx },
  };
  const onText = (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value);
  const text = String(value ?? '');
  const choices: readonly Choice[] = options.options ?? field.options;
  switch (kind) {
    case 'text':
      if (options.suggestions) {
        return <Autocomplete {...common} data={[...options.suggestions]} limit={20} value={text} onChange={onChange} />;
      }
      return (
        <TextInput
          {...common}
          {...(unit !== undefined && unitSection(unit))}
          type={field.inputType}
          value={text}
          onChange={onText}
          autoComplete="off"
        />
      );
    case 'multiline':
      return <Textarea {...common} autosize minRows={2} maxRows={12} value={text} onChange={onText} />;
    case 'code':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={10}
          value={text}
          onChange={onText}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: classes.code! }}
        />
      );
    case 'secret':
      return <PasswordField {...common} value={text} onChange={onText} autoComplete="new-password" />;
    case 'number':
      return (
        <NumberInput
          {...common}
          {...(unit && unitSection(unit))}
          value={value as number | string}
          onChange={onChange}
          min={field.min}
          max={field.max}
          allowDecimal={!field.integer}
          allowNegative={field.min === undefined || field.min < 0}
          clampBehavior="none"
          hideControls
        />
      );
    case 'switch':
      return (
        <Checkbox
          {...common}
          required={false}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice': {
      const hasNone = choices.some((option) => option.value === '');
      return (
        <Select
          {...common}
          data={[...choices]}
          value={hasNone ? text : text || null}
          onChange={(next) => onChange(field.kind === 'number' && next ? Number(next) : (next ?? ''))}
          allowDeselect={!field.required && !hasNone}
          searchable={choices.length > 8}
          clearable={field.empty === null && !hasNone}
          clearButtonProps={{ 'aria-label': texts().clear(label) }}
        />
      );
    }
    case 'texts': {
      const list = { ...common, value: [...(value as readonly string[])], onChange };
      return options.options || choices.length > 0 ? (
        <MultiSelect {...list} data={[...choices]} searchable />
      ) : (
        <TagsInput {...list} acceptValueOnBlur />
      );
    }
    case 'checkboxes':
      return (
        <Checkbox.Group {...common} value={[...(value as readonly string[])]} onChange={onChange}>
          <Stack gap="xs" mt="xs">
            {choices.map((choice) => (
              <Checkbox key={choice.value} value={choice.value} label={choice.label} description={choice.help} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case 'lines':
      return (
        <LinesInput
          {...common}
          value={value as readonly string[]}
          onChange={onChange}
          errorAt={(line) => form.errorAt(`${path}.${line}`)}
        />
      );
    case 'json':
      return <JsonInput {...common} autosize minRows={4} maxRows={20} value={text} onChange={onChange} formatOnBlur />;
    case 'objects':
      return <ObjectList field={field} options={options} form={form} path={path} label={label} />;
    case 'raw':
      return null;
    case 'object':
      return (
        <ObjectField label={label} collapsed={options.collapsed === true && isEmpty(value) && error === undefined}>
          <Fields shape={field.fields} options={options.fields ?? {}} form={form} path={`${path}.`} isNew={isNew} />
        </ObjectField>
      );
  }
}, isSameField);

/** Whether a field looks the same, for one whose look depends on no more than its own value. */
function isSameField(before: FieldProps, after: FieldProps): boolean {
  const { form: _, ...own } = after;
  const { field, options } = after;
  const isAlone = !options.render && !['object', 'objects'].includes(field.kind) && options.kind !== 'lines';
  return isAlone && Object.entries(own).every(([name, value]) => before[name as keyof FieldProps] === value);
}

/** A group of fields, which may be shown on demand. */
function ObjectField(props: { readonly label: string; readonly collapsed: boolean; readonly children: ReactNode }) {
  const [startsCollapsed] = useState(props.collapsed);
  if (!startsCollapsed) {
    return (
      <Fieldset legend={props.label}>
        <div className={classes.fields}>{props.children}</div>
      </Fieldset>
    );
  }
  return (
    <details className={classes.details} open={props.collapsed ? undefined : true}>
      <summary>{props.label}</summary>
      <div className={classes.fields}>{props.children}</div>
    </details>
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);
}
