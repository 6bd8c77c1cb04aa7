import type { PolicyKind } from '@millrace/policies/kind';
import * as z from 'zod';

/** What a field of a configuration is edited with. */
type FieldShape =
  | { readonly type: 'text'; readonly maxLength: number | null }
  | { readonly type: 'number'; readonly min: number | null; readonly max: number | null }
  | { readonly type: 'switch' }
  | { readonly type: 'choice'; readonly values: readonly Choice[] }
  | { readonly type: 'choices'; readonly values: readonly Choice[] }
  | { readonly type: 'texts' }
  | { readonly type: 'object'; readonly fields: readonly ConfigurationField[] }
  | { readonly type: 'objects'; readonly fields: readonly ConfigurationField[] }
  /** What no control stands for is edited as JSON. */
  | { readonly type: 'json' };

type Choice = string | number;

/** A member of a configuration, as a form shows it. */
export interface ConfigurationField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Whether it may be left out. */
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly shape: FieldShape;
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The members of a kind's configuration, read from its JSON Schema. */
export function configurationFields(kind: PolicyKind): readonly ConfigurationField[] {
  return fieldsOf(z.toJSONSchema(kind.configuration, { io: 'input', unrepresentable: 'any' }));
}

/** What a form starts a value with that is not there yet: the schema's default, or the emptiest of its shape. */
function emptyValue(field: ConfigurationField): unknown {
  if (field.optional) return undefined;
  if (field.nullable) return null;
  switch (field.shape.type) {
    case 'text':
      return '';
    case 'number':
      return field.shape.min ?? 0;
    case 'switch':
      return false;
    case 'choice':
      return field.shape.values[0];
    case 'choices':
    case 'texts':
    case 'objects':
      return [];
    case 'object':
      return emptyObject(field.shape.fields);
    case 'json':
      return null;
  }
}

/** An object with the empty value of every field. */
export function emptyObject(fields: readonly ConfigurationField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.map((field) => [field.name, emptyValue(field)]).filter(([, value]) => value !== undefined),
  );
}

function fieldsOf(schema: JsonSchema): readonly ConfigurationField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const value = typeof member === 'boolean' ? {} : member;
    const nullable = alternatives(value).some(({ type }) => type === 'null');
    return {
      name,
      label: fieldLabel(name),
      description: (value.description ?? '').replace(/\.$/, ''),
      optional: !required.has(name) && value.default === undefined,
      nullable,
      shape: shapeOf(nullable ? withoutNull(value) : value),
    };
  });
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return (schema.anyOf ?? []).filter((option) => typeof option !== 'boolean');
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const rest = alternatives(schema).filter(({ type }) => type !== 'null');
  return rest.length === 1 ? rest[0]! : { anyOf: [...rest] };
}

function shapeOf(schema: JsonSchema): FieldShape {
  const values = choicesOf(schema);
  if (values) return { type: 'choice', values };
  const texts = alternatives(schema);
  if (texts.length > 0 && texts.every(({ type }) => type === 'string')) return { type: 'text', maxLength: null };
  switch (schema.type) {
    case 'string':
      return { type: 'text', maxLength: schema.maxLength ?? null };
    case 'integer':
    case 'number':
      return { type: 'number', min: schema.minimum ?? null, max: schema.maximum ?? null };
    case 'boolean':
      return { type: 'switch' };
    case 'object':
      return schema.properties ? { type: 'object', fields: fieldsOf(schema) } : { type: 'json' };
    case 'array':
      return typeof schema.items === 'object' && !Array.isArray(schema.items)
        ? listShape(shapeOf(schema.items as JsonSchema))
        : { type: 'json' };
    default:
      return { type: 'json' };
  }
}

function listShape(item: FieldShape): FieldShape {
  if (item.type === 'choice') return { type: 'choices', values: item.values };
  if (item.type === 'text') return { type: 'texts' };
  if (item.type === 'object') return { type: 'objects', fields: item.fields };
  return { type: 'json' };
}

function choicesOf(schema: JsonSchema): readonly Choice[] | null {
  const values = schema.enum ?? (schema.anyOf ? alternatives(schema).map((option) => option.const) : [schema.const]);
  return values.length > 0 && values.every((value) => typeof value === 'string' || typeof value === 'number')
    ? (values as readonly Choice[])
    : null;
}

const acronyms: Readonly<Record<string, string>> = {
  ip: 'IP',
  jwks: 'JWKS',
  json: 'JSON',
  ttl: 'TTL',
  url: 'URL',
  ms: 'ms',
};
const units: Readonly<Record<string, string>> = { ms: 'milliseconds', seconds: 'seconds', bytes: 'bytes' };

/** `clockSkewSeconds` → `Clock skew (seconds)`, `jwksUrl` → `JWKS URL`. */
export function fieldLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
  const unit = words.length > 1 ? units[words.at(-1)!] : undefined;
  const text = (unit ? words.slice(0, -1) : words).map((word) => acronyms[word] ?? word).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${unit ? ` (${unit})` : ''}`;
}
