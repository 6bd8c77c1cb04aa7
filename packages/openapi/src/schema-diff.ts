import { type Json, type JsonObject, listAt, type OpenApiDocument, objectAt, resolved, textAt } from './document.ts';

/** Whether callers send what the schema describes, or receive it. */
export type SchemaDirection = 'request' | 'response';

export interface SchemaChange {
  /** Dotted path of the property, `[]` for the items of a list; empty: the whole. */
  readonly field: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly breaking: boolean;
  readonly text: string;
}

interface Side {
  readonly document: OpenApiDocument;
  readonly schema: Json | undefined;
}

/** Below this depth a schema repeats itself, or nobody reads the difference. */
const maxDepth = 20;
const maxChanges = 200;

/**
 * The differences between two JSON Schemas: types, enumerations, bounds, properties, items. A request schema that
 * allows less is breaking, and so is a response schema that promises less. `allOf` is merged; for `anyOf` and `oneOf`,
 * the number of forms and the forms in order are compared.
 */
export function compareSchemas(before: Side, after: Side, direction: SchemaDirection): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  compare(before, after, { direction, field: '', depth: 0, changes, seen: new Set() });
  return changes;
}

interface Comparison {
  readonly direction: SchemaDirection;
  readonly field: string;
  readonly depth: number;
  readonly changes: SchemaChange[];
  /** Pairs of references already compared, so that recursive schemas terminate. */
  readonly seen: Set<string>;
}

function compare(before: Side, after: Side, at: Comparison): void {
  if (before.schema === undefined && after.schema === undefined) return;
  if (at.depth > maxDepth || at.changes.length >= maxChanges) return;
  const references = [before, after].map(({ schema }) => textAt(objectAt(schema).$ref) ?? '');
  if (references.every((reference) => reference !== '')) {
    const pair = references.join(' ');
    if (at.seen.has(pair)) return;
    at.seen.add(pair);
  }
  const [old, current] = [flattened(before), flattened(after)];
  const { direction, changes, field } = at;
  const report = (kind: SchemaChange['kind'], breaking: boolean, text: string, of = field) =>
    changes.push({ field: of, kind, breaking, text });

  compareTypes(old, current, direction, report);
  compareEnums(old, current, direction, report);
  compareBounds(old, current, direction, report);
  compareProperties(before, after, old, current, at, report);
  compareForms(before, after, old, current, at, report);
  if (old.items !== undefined || current.items !== undefined) {
    const below = { ...at, field: `${field}[]`, depth: at.depth + 1 };
    compare({ ...before, schema: old.items }, { ...after, schema: current.items }, below);
  }
}

type Report = (kind: SchemaChange['kind'], breaking: boolean, text: string, of?: string) => void;

/** The resolved schema, with the parts of `allOf` merged, each reference once. */
function flattened({ document, schema }: Side): JsonObject {
  const merged: JsonObject = {};
  const properties: JsonObject = {};
  const required: Json[] = [];
  const taken = new Set<string>();
  const take = (part: Json | undefined) => {
    const reference = textAt(objectAt(part).$ref);
    if (reference !== null && taken.has(reference)) return;
    if (reference !== null) taken.add(reference);
    const { allOf, ...own } = resolved(document, part);
    for (const inner of listAt(allOf)) take(inner);
    Object.assign(merged, own);
    Object.assign(properties, objectAt(own.properties));
    required.push(...listAt(own.required));
  };
  take(schema);
  return { ...merged, properties, required };
}

function typesOf({ type }: JsonObject): readonly string[] | null {
  const types = [type ?? []].flat().map(String);
  return types.length > 0 ? types : null;
}

function compareTypes(old: JsonObject, current: JsonObject, direction: SchemaDirection, report: Report): void {
  const [before, after] = [typesOf(old), typesOf(current)];
  const covers = (wide: readonly string[] | null, narrow: readonly string[] | null) =>
    wide === null ||
    (narrow?.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number'))) ?? false);
  const [wider, narrower] = [covers(after, before), covers(before, after)];
  if (wider && narrower) return;
  const breaking = direction === 'request' ? !wider : !narrower;
  report('changed', breaking, `the type was ${before?.join(' or ') ?? 'any'} and is ${after?.join(' or ') ?? 'any'}.`);
}

function compareEnums(old: JsonObject, current: JsonObject, direction: SchemaDirection, report: Report): void {
  const values = (schema: JsonObject) =>
    Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)) : null;
  const [before, after] = [values(old), values(current)];
  if (before === null && after === null) return;
  if (before === null) return void report('changed', direction === 'request', 'only listed values are allowed.');
  if (after === null) return void report('changed', direction === 'response', 'values are no longer listed.');
  for (const value of before.filter((value) => !after.includes(value))) {
    report('removed', direction === 'request', `the value ${value} was removed.`);
  }
  for (const value of after.filter((value) => !before.includes(value))) {
    report('added', direction === 'response', `the value ${value} is new.`);
  }
}

/** A greater number of the first admits less, a smaller of the second does. */
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

function compareBounds(old: JsonObject, current: JsonObject, direction: SchemaDirection, report: Report): void {
  for (const bound of [...lowerBounds, ...upperBounds]) {
    const sign = lowerBounds.includes(bound) ? 1 : -1;
    const value = (schema: JsonObject) => (typeof schema[bound] === 'number' ? schema[bound] * sign : -Infinity);
    const [before, after] = [value(old), value(current)];
    if (before === after) continue;
    const narrower = after > before;
    report(
      'changed',
      direction === 'request' && narrower,
      `${bound} was ${JSON.stringify(old[bound]) ?? 'open'} and is ${JSON.stringify(current[bound]) ?? 'open'}.`,
    );
  }
  for (const rule of ['pattern', 'format'] as const) {
    if (textAt(old[rule]) === textAt(current[rule])) continue;
    report('changed', direction === 'request' && current[rule] !== undefined, `the ${rule} differs.`);
  }
}

function compareProperties(
  before: Side,
  after: Side,
  old: JsonObject,
  current: JsonObject,
  at: Comparison,
  report: Report,
): void {
  const { direction } = at;
  const [oldProperties, properties] = [objectAt(old.properties), objectAt(current.properties)];
  const [oldRequired, required] = [listAt(old.required), listAt(current.required)];
  const path = (name: string) => (at.field === '' ? name : `${at.field}.${name}`);
  for (const name of Object.keys(oldProperties)) {
    if (Object.hasOwn(properties, name)) continue;
    const breaking = direction === 'response' || current.additionalProperties === false;
    report('removed', breaking, 'the property was removed.', path(name));
  }
  for (const [name, schema] of Object.entries(properties)) {
    const needed = required.includes(name);
    if (!Object.hasOwn(oldProperties, name)) {
      const breaking = direction === 'request' && needed;
      report('added', breaking, `the property was added${needed ? ' and required' : ''}.`, path(name));
      continue;
    }
    if (needed !== oldRequired.includes(name)) {
      const breaking = direction === 'request' ? needed : !needed;
      report('changed', breaking, `the property is now ${needed ? 'required' : 'optional'}.`, path(name));
    }
    const below = { ...at, field: path(name), depth: at.depth + 1 };
    compare({ ...before, schema: oldProperties[name] }, { ...after, schema }, below);
  }
  if (direction === 'request' && current.additionalProperties === false && old.additionalProperties !== false) {
    report('changed', true, 'additional properties are now rejected.');
  }
}

function compareForms(
  before: Side,
  after: Side,
  old: JsonObject,
  current: JsonObject,
  at: Comparison,
  report: Report,
): void {
  for (const choice of ['anyOf', 'oneOf'] as const) {
    const [forms, currentForms] = [listAt(old[choice]), listAt(current[choice])];
    if (forms.length !== currentForms.length) {
      const fewer = currentForms.length !== 0 && (forms.length === 0 || currentForms.length < forms.length);
      const breaking = at.direction === 'request' ? fewer : !fewer;
      report('changed', breaking, `the number of alternatives changed from ${forms.length} to ${currentForms.length}.`);
      continue;
    }
    forms.forEach((schema, index) => {
      compare({ ...before, schema }, { ...after, schema: currentForms[index] }, { ...at, depth: at.depth + 1 });
    });
  }
}
