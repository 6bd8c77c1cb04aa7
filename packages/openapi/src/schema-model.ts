import {
  findReference,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  type OpenApiDocument,
  objectAt,
  textAt,
} from './document.ts';

/** A JSON schema with its references resolved, for a page. */
export interface SchemaModel {
  /** Of the component that it stands in; null: none. */
  readonly name: string | null;
  /** Such as `string or null` or `array of Order`. */
  readonly type: string;
  readonly format: string | null;
  readonly description: string;
  readonly deprecated: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  readonly constraints: { readonly keyword: string; readonly value: Json }[];
  readonly examples: Json[];
  readonly properties: { readonly name: string; readonly required: boolean; readonly schema: SchemaModel }[];
  /** Of an array. */
  readonly items: SchemaModel | null;
  /** Of properties with any other name. */
  readonly additional: SchemaModel | null;
  readonly variants: { readonly kind: 'oneOf' | 'anyOf' | 'allOf'; readonly schemas: SchemaModel[] } | null;
  /** Why it is not written out: it contains itself, or it is nested too deeply. */
  readonly cut: 'recursive' | 'deep' | null;
}

const maxDepth = 12;
/** Of all schemas of one reader: a page that sets more is read by nobody. */
const maxSchemas = 3_000;

const constraintKeywords = [
  'enum',
  'const',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

/** Longer values are not set on a page. */
const longestValue = 20_000;

/**
 * A reader of a document's schemas. References are resolved when a schema is read; one that leads back to a schema around
 * it is cut, as is what is deeper than 12 levels, or beyond the first 3,000 schemas of the reader.
 */
export function createSchemaReader(document: OpenApiDocument): (schema: Json | undefined) => SchemaModel | null {
  let count = 0;

  const read = (schema: Json | undefined, depth: number, around: readonly string[]): SchemaModel | null => {
    if (schema === undefined) return null;
    if (typeof schema === 'boolean') return { ...emptyModel, type: schema ? 'anything' : 'nothing' };
    const { value, references } = followed(document, objectAt(schema));
    const name = references.length === 0 ? null : nameOf(references.at(-1)!);
    const plain = plainModel(document, value, name);
    if (references.some((reference) => around.includes(reference))) return { ...plain, cut: 'recursive' };
    count += 1;
    const nested = [...around, ...references];
    const merged = withAllOf(document, value, nested);
    const model = merged === value ? plain : plainModel(document, merged, name);
    if (!hasChildren(merged)) return model;
    if (depth >= maxDepth || count > maxSchemas) return { ...model, cut: 'deep' };
    const inner = (child: Json | undefined) => read(child, depth + 1, nested);
    const required = new Set(listAt(merged.required));
    const kind = (['oneOf', 'anyOf', 'allOf'] as const).find((key) => listAt(merged[key]).length > 0);
    return {
      ...model,
      properties: Object.entries(objectAt(merged.properties)).flatMap(([property, child]) => {
        const read = inner(child);
        return read === null ? [] : [{ name: property, required: required.has(property), schema: read }];
      }),
      items: inner(merged.items),
      additional: isObject(merged.additionalProperties) ? inner(merged.additionalProperties) : null,
      variants:
        kind === undefined ? null : { kind, schemas: listAt(merged[kind]).flatMap((child) => inner(child) ?? []) },
    };
  };
  return (schema) => read(schema, 0, []);
}

const emptyModel: SchemaModel = {
  name: null,
  type: 'anything',
  format: null,
  description: '',
  deprecated: false,
  readOnly: false,
  writeOnly: false,
  constraints: [],
  examples: [],
  properties: [],
  items: null,
  additional: null,
  variants: null,
  cut: null,
};

/** What a page says of a schema without those in it. */
function plainModel(document: OpenApiDocument, schema: JsonObject, name: string | null): SchemaModel {
  const examples = [...listAt(schema.examples), ...(schema.example === undefined ? [] : [schema.example])];
  return {
    ...emptyModel,
    name,
    type: typeOf(document, schema, 0),
    format: formatOf(schema),
    description: textAt(schema.description) ?? textAt(schema.title) ?? '',
    deprecated: schema.deprecated === true,
    readOnly: schema.readOnly === true,
    writeOnly: schema.writeOnly === true,
    constraints: constraintKeywords.flatMap((keyword) => {
      const value = schema[keyword];
      return value === undefined || !fits(value) ? [] : [{ keyword, value }];
    }),
    examples: examples.filter(fits).slice(0, 5),
  };
}

/** Whether a value is short enough to be set on a page. */
export function fits(value: Json): boolean {
  return JSON.stringify(value).length <= longestValue;
}

/** Since OpenAPI 3.1, content in bytes is a media type without an encoding. */
function formatOf(schema: JsonObject): string | null {
  const isBytes = schema.contentMediaType !== undefined && schema.contentEncoding === undefined;
  return textAt(schema.format) ?? (isBytes ? 'binary' : null);
}

function hasChildren(schema: JsonObject): boolean {
  return ['properties', 'items', 'additionalProperties', 'oneOf', 'anyOf', 'allOf'].some((key) =>
    Object.hasOwn(schema, key),
  );
}

/**
 * What a schema's references lead to, with what stands beside each of them, and the references on the way. One that leads
 * nowhere, or in a circle, is an empty schema.
 */
export function followed(
  document: OpenApiDocument,
  schema: JsonObject,
): { readonly value: JsonObject; readonly references: readonly string[] } {
  const references: string[] = [];
  let value = schema;
  for (;;) {
    const { $ref: reference, ...beside } = value;
    if (typeof reference !== 'string') return { value, references };
    if (references.includes(reference)) return { value: beside, references };
    references.push(reference);
    value = { ...objectAt(findReference(document, reference)), ...beside };
  }
}

function nameOf(reference: string): string {
  return reference
    .slice(reference.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** A schema whose `allOf` is objects alone, as the object that they make together; any other stays as it is. */
export function withAllOf(document: OpenApiDocument, schema: JsonObject, around: readonly string[]): JsonObject {
  const parts = listAt(schema.allOf);
  if (parts.length === 0 || parts.length > 50) return schema;
  const members: JsonObject[] = [];
  for (const part of parts) {
    const { value, references } = followed(document, objectAt(part));
    // It would contain itself.
    if (references.some((reference) => around.includes(reference)) || around.length > 100) return schema;
    const member = withAllOf(document, value, [...around, ...references]);
    if (member.allOf !== undefined || member.oneOf !== undefined || member.anyOf !== undefined) return schema;
    members.push(member);
  }
  const { allOf: _, ...own } = schema;
  const all = [...members, own];
  return {
    ...Object.assign({}, ...members, own),
    properties: Object.fromEntries(all.flatMap(({ properties }) => Object.entries(objectAt(properties)))),
    required: [...new Set(all.flatMap(({ required }) => listAt(required)))],
  };
}

/** The types of a schema: those that it states, or that follow from its other keywords. */
export function typesOf(schema: JsonObject): readonly string[] {
  const stated = typeof schema.type === 'string' ? [schema.type] : listAt(schema.type);
  const types = stated.filter((type) => typeof type === 'string');
  if (types.length > 0) return types;
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ['object'];
  if (schema.items !== undefined) return ['array'];
  const values = schema.const === undefined ? listAt(schema.enum) : [schema.const];
  return [...new Set(values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)))];
}

function typeOf(document: OpenApiDocument, schema: JsonObject, depth: number): string {
  const types = typesOf(schema).map((type) => {
    if (type !== 'array' || depth > 3 || !isObject(schema.items)) return type;
    const { value, references } = followed(document, schema.items);
    return `array of ${references.length > 0 ? nameOf(references.at(-1)!) : typeOf(document, value, depth + 1)}`;
  });
  if (types.length > 0) return types.join(' or ');
  if (schema.oneOf !== undefined) return 'one of';
  if (schema.anyOf !== undefined) return 'any of';
  return schema.allOf !== undefined ? 'all of' : 'anything';
}
