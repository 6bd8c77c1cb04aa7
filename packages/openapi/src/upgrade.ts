import { isObject, type Json, type JsonObject, type OpenApiDocument, objectAt, textAt } from './document.ts';

/**
 * The document as OpenAPI 3.1.0. Of 3.0, schemas are rewritten as JSON Schema 2020-12: `nullable`, exclusive bounds,
 * `example`, the formats `binary` and `byte`, and the keys beside a `$ref`, which 3.0 ignores (migration notes of the
 * OpenAPI Initiative, "Migrating from OpenAPI 3.0 to 3.1.0"). A document of 3.1 keeps everything but its version.
 */
export function upgradeDocument(document: JsonObject): OpenApiDocument {
  const upgraded = textAt(document.openapi)?.startsWith('3.0') ? upgradeObject(document) : document;
  return { ...upgraded, openapi: '3.1.0' };
}

/** Keys whose values are named by the author: their keys mean nothing here. */
const namedMaps = new Set([
  'paths',
  'responses',
  'requestBodies',
  'headers',
  'callbacks',
  'content',
  'encoding',
  'pathItems',
]);

function upgradeObject(object: JsonObject): JsonObject {
  return mapValues(object, (value, key) => {
    if (key.startsWith('x-') || key === 'example' || key === 'examples') return value;
    if (key === 'schema') return upgradeSchema(value);
    if (key === 'schemas') return mapValues(objectAt(value), upgradeSchema);
    if (namedMaps.has(key) && isObject(value)) return mapValues(value, upgradeNode);
    // A list of parameters in an operation, a map of them in the components.
    if (key === 'parameters' && isObject(value)) return mapValues(value, upgradeNode);
    return upgradeNode(value);
  });
}

function upgradeNode(value: Json): Json {
  if (Array.isArray(value)) return value.map(upgradeNode);
  return isObject(value) ? upgradeObject(value) : value;
}

function upgradeSchema(value: Json): Json {
  if (!isObject(value)) return value;
  if (textAt(value.$ref) !== null) return { $ref: value.$ref! };
  const { nullable, example, ...rest } = value;
  const schema: JsonObject = mapValues(rest, (member, key) => {
    if (key === 'properties') return mapValues(objectAt(member), upgradeSchema);
    if (['allOf', 'anyOf', 'oneOf'].includes(key) && Array.isArray(member)) return member.map(upgradeSchema);
    return ['items', 'additionalProperties', 'not'].includes(key) ? upgradeSchema(member) : member;
  });
  if (example !== undefined) schema.examples = [example];
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const flag = schema[exclusive];
    if (typeof flag !== 'boolean') continue;
    delete schema[exclusive];
    if (!flag || schema[bound] === undefined) continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
  if (schema.type === 'string' && schema.format === 'binary') {
    delete schema.format;
    schema.contentMediaType = 'application/octet-stream';
  }
  if (schema.type === 'string' && schema.format === 'byte') {
    delete schema.format;
    schema.contentEncoding = 'base64';
  }
  return nullable === true ? admitNull(schema) : schema;
}

function admitNull(schema: JsonObject): JsonObject {
  if (typeof schema.type === 'string') {
    const values = Array.isArray(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {};
    return { ...schema, type: [schema.type, 'null'], ...values };
  }
  for (const choice of ['anyOf', 'oneOf'] as const) {
    const forms = schema[choice];
    if (Array.isArray(forms)) return { ...schema, [choice]: [...forms, { type: 'null' }] };
  }
  // By the letter of 3.0.3, nullable means nothing without a type; those who write it beside allOf mean this.
  const { allOf, ...rest } = schema;
  return allOf === undefined ? schema : { ...rest, anyOf: [{ allOf }, { type: 'null' }] };
}

function mapValues(object: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
