import { isObject, type Json, type JsonObject, listAt, type OpenApiDocument, objectAt } from './document.ts';
import { fits, followed, typesOf, withAllOf } from './schema-model.ts';

const maxDepth = 8;
const maxValues = 300;

/** Values of string formats (JSON Schema 2020-12, validation, 7.3). */
const formats: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T09:00:00Z',
  time: '09:00:00Z',
  duration: 'P1D',
  email: 'sam@example.com',
  hostname: 'api.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  byte: 'bWlsbHJhY2U=',
  binary: '',
};

/**
 * A value that a schema describes: its example, default or first allowed value, or one made of its types. What repeats
 * itself is left out; undefined if nothing follows from the schema.
 *
 * @param direction `request` leaves out what only responses have, and the other way round
 */
export function sampleOf(
  document: OpenApiDocument,
  schema: Json | undefined,
  direction: 'request' | 'response',
): Json | undefined {
  let count = 0;
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';

  const sample = (given: Json | undefined, depth: number, around: readonly string[]): Json | undefined => {
    const { value: target, references } = followed(document, objectAt(given));
    if (references.some((reference) => around.includes(reference))) return undefined;
    count += 1;
    if (depth > maxDepth || count > maxValues) return undefined;
    const nested = [...around, ...references];
    const schema = withAllOf(document, target, nested);
    const stated = [schema.example, listAt(schema.examples)[0], schema.const, schema.default, listAt(schema.enum)[0]];
    const known = stated.find((value) => value !== undefined && fits(value));
    if (known !== undefined) return known;
    const variants = [...listAt(schema.oneOf), ...listAt(schema.anyOf), ...listAt(schema.allOf)];
    const type = typesOf(schema).find((name) => name !== 'null');
    if (type === undefined && variants.length > 0) return sample(variants[0], depth + 1, nested);
    if (type === 'object') return sampleObject(schema, depth, nested);
    if (type === 'array') {
      const item = isObject(schema.items) ? sample(schema.items, depth + 1, nested) : undefined;
      return item === undefined ? [] : [item];
    }
    return plainSample(schema, type);
  };
  const sampleObject = (schema: JsonObject, depth: number, around: readonly string[]): JsonObject => {
    const members = Object.entries(objectAt(schema.properties)).flatMap(([name, child]): [string, Json][] => {
      if (followed(document, objectAt(child)).value[hidden] === true) return [];
      const value = sample(child, depth + 1, around);
      return value === undefined ? [] : [[name, value]];
    });
    return Object.fromEntries(members);
  };
  return schema === undefined ? undefined : sample(schema, 0, []);
}

function plainSample(schema: JsonObject, type: string | undefined): Json | undefined {
  const { minimum, exclusiveMinimum, format, minLength } = schema;
  if (type === 'integer' || type === 'number') {
    if (typeof minimum === 'number') return minimum;
    return typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : type === 'integer' ? 1 : 1.5;
  }
  if (type === 'boolean') return true;
  if (type !== 'string') return undefined;
  const ofFormat = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format]! : 'string';
  const least = typeof minLength === 'number' && minLength <= 1_000 ? minLength : 0;
  return ofFormat.padEnd(least, 'x');
}
