import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { compilePattern } from './pattern.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };
export type Document = Readonly<Record<string, unknown>>;

/** Most values in the schema of one parameter or body, with all that it refers to. */
const maxSchemaValues = 20_000;
const maxReferences = 1_000;
const maxFormatLength = 4_096;

/** Keywords whose values are data, not schemas. */
const dataKeywords = new Set([
  'const',
  'enum',
  'default',
  'example',
  'examples',
  'required',
  'type',
  'dependentRequired',
]);
/** Keywords whose values are schemas by name. */
const mapKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that name schemas or say nothing about values: references are resolved before. */
const leftOutKeywords = new Set([
  '$id',
  '$schema',
  '$anchor',
  '$comment',
  'discriminator',
  'xml',
  'externalDocs',
  'description',
  'title',
]);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a value refers to within the document, or the value itself.
 *
 * @throws Error where a reference leads out of the document, nowhere, or in a circle
 */
export function resolve(document: Document, value: unknown): JsonObject {
  for (let hop = 0; hop < 20; hop++) {
    if (!isObject(value)) return {};
    const { $ref } = value;
    if (typeof $ref !== 'string') return value;
    value = target(document, $ref);
  }
  throw new Error('The specification has a circular reference.');
}

function target(document: Document, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) {
    throw new Error(`The reference ${reference} points outside the specification.`);
  }
  let found: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
      throw new Error(`The target of the reference ${reference} doesn’t exist in the specification.`);
    }
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

/** Makes validators of the schemas of one document. */
export class Schemas {
  readonly #document: Document;
  readonly #ajv: Ajv2020;

  constructor(document: Document) {
    this.#document = document;
    const regExp = (source: string) => compilePattern(source);
    this.#ajv = new Ajv2020({
      strict: false,
      strictNumbers: true,
      validateSchema: false,
      addUsedSchema: false,
      logger: false,
      code: { regExp: Object.assign(regExp, { code: 'compilePattern' }) },
    });
    // The package is CommonJS: its function is the member `default` of what is imported.
    addFormatsModule.default(this.#ajv);
    boundFormats(this.#ajv);
    // Its own compares every item with every other.
    this.#ajv.removeKeyword('uniqueItems');
    this.#ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      validate: (isUnique: boolean, items: readonly unknown[]) =>
        !isUnique || new Set(items.map(canonicalJson)).size === items.length,
      error: { message: 'must not have duplicate items' },
    });
  }

  /** @throws Error where the schema, or what it refers to, cannot be used */
  compile(schema: unknown): ValidateFunction {
    return this.#ajv.compile(new Bundle(this.#document).root(schema));
  }
}

/** The same text for equal values. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`;
}

/** Formats of texts are looked at up to a length: beyond, none of them fits. */
function boundFormats(ajv: Ajv2020): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (name === 'byte' || name === 'binary' || name === 'password') continue;
    const test =
      format instanceof RegExp ? (text: string) => format.test(text) : typeof format === 'function' ? format : null;
    if (test) ajv.addFormat(name, (text: string) => text.length <= maxFormatLength && test(text));
  }
}

/** A schema of a request with all that it refers to, on its own. */
class Bundle {
  readonly #document: Document;
  readonly #names = new Map<string, string>();
  readonly #definitions: Record<string, unknown> = {};
  #values = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  root(schema: unknown): JsonObject | boolean {
    const copied = this.#schema(schema);
    return isObject(copied) ? { ...copied, $defs: { ...(this.#definitions as JsonObject) } } : copied === true;
  }

  #schema(schema: unknown): Json {
    if (++this.#values > maxSchemaValues) throw new Error('A schema of the specification is too large.');
    if (Array.isArray(schema)) return schema.map((item) => this.#schema(item));
    if (!isObject(schema)) return schema as Json;
    const copied: Record<string, Json> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (leftOutKeywords.has(keyword) || keyword.startsWith('x-')) continue;
      if (keyword === '$ref') copied.$ref = this.#reference(String(value));
      else if (keyword === '$dynamicRef' || keyword === '$recursiveRef') {
        throw new Error('A schema of the specification uses a dynamic reference.');
      } else if (dataKeywords.has(keyword)) copied[keyword] = keyword === 'required' ? this.#required(schema) : value;
      // References lead into the document, so that definitions beside them need no copy.
      else if (keyword === '$defs' || keyword === 'definitions') continue;
      else if (mapKeywords.has(keyword) && isObject(value)) {
        copied[keyword] = Object.fromEntries(
          Object.entries(value).map(([name, member]) => [name, this.#schema(member)]),
        );
      } else copied[keyword] = typeof value === 'object' ? this.#schema(value) : value;
    }
    return copied;
  }

  /** Without what only answers hold. */
  #required({ required, properties }: JsonObject): Json {
    if (!Array.isArray(required)) return [];
    return required.filter((name) => {
      const property = isObject(properties) && typeof name === 'string' ? properties[name] : undefined;
      return resolve(this.#document, property).readOnly !== true;
    });
  }

  #reference(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return `#/$defs/${known}`;
    if (this.#names.size >= maxReferences) throw new Error('A schema of the specification has too many references.');
    const name = String(this.#names.size);
    this.#names.set(reference, name);
    this.#definitions[name] = this.#schema(target(this.#document, reference));
    return `#/$defs/${name}`;
  }
}

/** What is wrong, as the path of the field below `path` and a sentence. */
export function describeError(path: string, error: ErrorObject): readonly [string, string] {
  const steps = error.instancePath.split('/').slice(1);
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = error.params;
  const added = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  if (typeof added === 'string') steps.push(added);
  const field = [path, ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 100))].join(
    '.',
  );
  if (missingProperty !== undefined) return [field, 'This is missing.'];
  if (typeof added === 'string') return [field, 'Unknown field.'];
  if (Array.isArray(allowedValues)) return [field, `Use one of ${JSON.stringify(allowedValues).slice(0, 300)}.`];
  return [field, `It ${error.message ?? 'does not fit'}.`];
}
