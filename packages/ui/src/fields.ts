import * as z from 'zod';
import { InvalidInput } from './invalid-input.ts';
import { texts } from './texts.ts';
import { wordsOf } from './words.ts';

/** How a field of a schema is drawn; `raw` for a value that only its own control knows. */
type FieldKind =
  | 'text'
  | 'multiline'
  | 'number'
  | 'switch'
  | 'choice'
  | 'texts'
  | 'json'
  | 'objects'
  | 'object'
  | 'raw';

/** A field of a form, as its schema declares it. */
export interface FieldShape {
  readonly name: string;
  readonly label: string;
  /** The schema's description, without the full stop at its end. */
  readonly help: string | undefined;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** What a left-out value means; undefined for none. */
  readonly initial: unknown;
  /** What an empty field is sent as. */
  readonly empty: null | undefined | '';
  readonly inputType: 'text' | 'email' | 'url' | 'date';
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly min: number | undefined;
  /** Of a number, or the most items of a list. */
  readonly max: number | undefined;
  readonly integer: boolean;
  /** Of an object, or of each object of a list. */
  readonly fields: ObjectShape;
}

export type ObjectShape = readonly FieldShape[];

/** The fields of a schema, in its order. */
export function fieldsOf(schema: z.ZodObject): ObjectShape {
  return Object.entries(schema.shape).map(([name, field]) => fieldOf(name, field));
}

function fieldOf(name: string, schema: z.core.$ZodType): FieldShape {
  const { inner, optional, nullable, initial, title, description } = unwrap(schema);
  const item = inner instanceof z.ZodArray ? unwrap(inner.element).inner : null;
  const text = isText(inner) ? inner : null;
  const number = inner instanceof z.ZodNumber ? inner : null;
  const object = inner instanceof z.ZodObject ? inner : item instanceof z.ZodObject ? item : null;
  const choices = inner instanceof z.ZodEnum ? inner : item instanceof z.ZodEnum ? item : null;
  return {
    name,
    label: texts().fields[name] ?? title ?? labelOf(name),
    help: texts().fieldHelp(description?.replace(/\.$/, '')),
    kind: kindOf(inner, item),
    required: !optional && !nullable && (number !== null || choices === inner || text?.safeParse('').success === false),
    initial,
    // A text that may be empty is sent as such: left out of an edit, it would stay as it was.
    empty: nullable ? null : optional && !text?.safeParse('').success ? undefined : '',
    inputType: inputTypes.find((type) => type === text?.format) ?? 'text',
    options: (choices?.options ?? []).map((value) => ({ value: String(value), label: wordsOf(String(value)) })),
    min: finite(number?.minValue),
    max: inner instanceof z.ZodArray ? mostItems(inner) : finite(number?.maxValue),
    integer: number?.format?.includes('int') ?? false,
    fields: object === null ? [] : fieldsOf(object),
  };
}

const inputTypes = ['email', 'url', 'date'] as const;

/** Texts that may be this long get several lines. */
const multilineFrom = 1_000;

function kindOf(inner: z.core.$ZodType, item: z.core.$ZodType | null): FieldKind {
  if (isWritten(inner)) return 'text';
  if (isText(inner)) return (inner.maxLength ?? 0) >= multilineFrom ? 'multiline' : 'text';
  if (inner instanceof z.ZodNumber) return 'number';
  if (inner instanceof z.ZodBoolean) return 'switch';
  if (inner instanceof z.ZodEnum) return 'choice';
  if (inner instanceof z.ZodObject) return 'object';
  if ((item !== null && isText(item)) || item instanceof z.ZodEnum) return 'texts';
  if (item instanceof z.ZodObject) return 'objects';
  return 'json';
}

/** A union of texts, such as one of some names or another one: what it may be is given by options. */
function isWritten(schema: z.core.$ZodType): boolean {
  const isOption = (option: z.core.$ZodType): boolean =>
    isText(option) || option instanceof z.ZodEnum || option instanceof z.ZodLiteral || isWritten(option);
  return schema instanceof z.ZodUnion && schema.options.every(isOption);
}

/** Texts, also those of a format such as `z.url()`. */
function isText(schema: z.core.$ZodType): schema is z.ZodString {
  return schema._zod.def.type === 'string';
}

/** What stands within `.optional()`, `.nullable()`, `.default()` and the like, and what they say. */
function unwrap(schema: z.core.$ZodType) {
  let inner = schema;
  let optional = false;
  let demanded = false;
  let nullable = false;
  let initial: unknown;
  let title: string | undefined;
  let description: string | undefined;
  for (;;) {
    const meta = z.globalRegistry.get(inner);
    title ??= meta?.title;
    description ??= meta?.description;
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
      optional = true;
      initial ??= inner.def.defaultValue;
      inner = inner.def.innerType;
    } else if (inner instanceof z.ZodNonOptional) {
      demanded = true;
      inner = inner.def.innerType;
    } else if (inner instanceof z.ZodOptional) {
      optional = !demanded;
      inner = inner.def.innerType;
    } else if (inner instanceof z.ZodNullable) {
      nullable = true;
      inner = inner.def.innerType;
    } else if (inner instanceof z.ZodPipe) {
      inner = inner.def.in instanceof z.ZodTransform ? inner.def.out : inner.def.in;
    } else {
      return { inner, optional, nullable, initial, title, description };
    }
  }
}

function finite(bound: number | null | undefined): number | undefined {
  return bound === null || bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function mostItems(list: z.ZodArray): number | undefined {
  const checks = (list.def.checks ?? []).map(({ _zod }) => _zod.def as z.core.$ZodCheckMaxLengthDef);
  return checks.find(({ check }) => check === 'max_length')?.maximum;
}

/** `healthPath` as `Health path`. */
function labelOf(name: string): string {
  return wordsOf(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

type Values = Readonly<Record<string, unknown>>;

/** The initial values of a form, from an object of the API. */
export function valuesOf(shape: ObjectShape, given: object): Values {
  return Object.fromEntries(
    shape.map((field) => [field.name, initialOf(field, (given as Values)[field.name] ?? field.initial)]),
  );
}

function initialOf(field: FieldShape, given: unknown): unknown {
  switch (field.kind) {
    case 'switch':
      return given === true;
    case 'texts':
      return given ?? [];
    case 'objects':
      return ((given ?? []) as readonly object[]).map((item) => valuesOf(field.fields, item));
    case 'object':
      return valuesOf(field.fields, (given ?? {}) as object);
    case 'raw':
      return given === undefined ? '' : given;
    case 'json':
      return given === undefined || given === null ? '' : JSON.stringify(given, null, 2);
    default:
      return given ?? '';
  }
}

/**
 * What a form sends: an empty field as null where the schema allows it, otherwise left out.
 *
 * @throws InvalidInput where the text of a JSON field can't be parsed
 */
export function sendableOf(shape: ObjectShape, values: Values): Values {
  return Object.fromEntries(
    shape
      .map((field) => [field.name, sentOf(field, values[field.name])] as const)
      .filter(([, value]) => value !== undefined),
  );
}

function sentOf(field: FieldShape, value: unknown): unknown {
  if (field.kind === 'object') return sendableOf(field.fields, value as Values);
  if (field.kind === 'objects') return (value as readonly Values[]).map((item) => sendableOf(field.fields, item));
  if (field.kind === 'json') return value === '' ? field.empty : parsed(field, String(value));
  if (value !== '') return value;
  // Without a value, a number is missing; the server says so at its field.
  return field.kind === 'number' && field.empty === '' ? undefined : field.empty;
}

function parsed(field: FieldShape, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput({ [field.name]: texts().notJson });
  }
}
