import { ScimError } from './errors.ts';
import { type Filter, parsePatchPath, passes, plainPath } from './filter.ts';

/** A resource or a part of one. */
export type ScimObject = { readonly [name: string]: unknown };

const mostOperations = 1_000;
const mostElements = 10_000;
const multiValued: readonly string[] = [
  'emails',
  'members',
  'phonenumbers',
  'addresses',
  'groups',
  'roles',
  'ims',
  'photos',
  'entitlements',
  'x509certificates',
];
const readOnly: readonly string[] = ['id', 'meta', 'schemas', 'groups'];

/**
 * Applies the operations of a PATCH (RFC 7644, 3.5.2), with what Microsoft and Okta send besides: operations in any case,
 * an absent path, dotted names and names with the URN of a schema in the value, booleans as texts, and members to be
 * removed in the value.
 *
 * @param request the body
 * @throws ScimError
 */
export function applyPatch(resource: ScimObject, request: unknown): ScimObject {
  const operations = isObject(request) ? valueAt(request, 'operations') : undefined;
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, 'invalidSyntax', 'Send a PatchOp with Operations.');
  }
  if (operations.length > mostOperations) {
    throw new ScimError(400, 'tooMany', `Send at most ${mostOperations} operations at once.`);
  }
  let changed = resource;
  for (const operation of operations) changed = applyOne(changed, operation);
  return changed;
}

function applyOne(resource: ScimObject, operation: unknown): ScimObject {
  if (!isObject(operation)) throw new ScimError(400, 'invalidSyntax', 'An operation is an object.');
  const given = valueAt(operation, 'op');
  const op = typeof given === 'string' ? given.toLowerCase() : '';
  const path = valueAt(operation, 'path');
  const value = valueAt(operation, 'value');
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new ScimError(400, 'invalidSyntax', 'An operation is add, replace or remove.');
  }
  if (path === undefined || path === null || path === '') {
    if (op === 'remove') throw new ScimError(400, 'noTarget', 'An operation that removes has a path.');
    if (!isObject(value)) throw new ScimError(400, 'invalidValue', 'Without a path, the value is an object.');
    return Object.entries(value).reduce((changed, [name, part]) => changeAt(changed, op, name, part), resource);
  }
  if (typeof path !== 'string') throw new ScimError(400, 'invalidPath', 'A path is a text.');
  return changeAt(resource, op, path, value);
}

function changeAt(resource: ScimObject, op: 'add' | 'replace' | 'remove', path: string, value: unknown): ScimObject {
  // An extension’s own object, such as Microsoft’s enterprise user, is kept whole.
  if (/^urn:[\w:.-]+$/i.test(path) && isObject(value)) return withValue(resource, path, value);
  const { attribute, filter, sub } = parsePatchPath(path);
  if (readOnly.includes(attribute)) {
    const isSame = op !== 'remove' && JSON.stringify(valueAt(resource, attribute)) === JSON.stringify(value);
    if (isSame || attribute === 'schemas' || attribute === 'meta') return resource;
    throw new ScimError(400, 'mutability', `${attribute} can’t be changed.`);
  }
  const current = valueAt(resource, attribute);
  if (filter !== null) return withValue(resource, attribute, changeElements(listOf(current), op, filter, sub, value));
  if (sub !== null) return withValue(resource, attribute, changeSub(current, op, sub, value));
  if (op === 'remove') {
    // Microsoft names the members to remove in the value.
    const isPartly = multiValued.includes(attribute) && value !== undefined && value !== null;
    return withValue(resource, attribute, isPartly ? without(listOf(current), listOf(value)) : undefined);
  }
  if (multiValued.includes(attribute)) {
    const elements = op === 'add' ? joined(listOf(current), listOf(value)) : listOf(value);
    return withValue(resource, attribute, bounded(elements));
  }
  const isMerged = isObject(current) && isObject(value);
  return withValue(resource, attribute, isMerged ? { ...current, ...value } : value);
}

function changeSub(current: unknown, op: 'add' | 'replace' | 'remove', sub: string, value: unknown): unknown {
  const next = op === 'remove' ? undefined : value;
  if (Array.isArray(current))
    return current.map((element) => (isObject(element) ? withValue(element, sub, next) : element));
  return withValue(isObject(current) ? current : {}, sub, next);
}

/** Changes the elements that a filter selects. */
function changeElements(
  elements: readonly unknown[],
  op: 'add' | 'replace' | 'remove',
  filter: Filter,
  sub: string | null,
  value: unknown,
): readonly unknown[] {
  const isSelected = (element: unknown) => passes(filter, element);
  if (op === 'remove') {
    if (sub === null) return elements.filter((element) => !isSelected(element));
    return elements.map((element) =>
      isSelected(element) && isObject(element) ? withValue(element, sub, undefined) : element,
    );
  }
  const change = (element: ScimObject): ScimObject =>
    sub !== null ? withValue(element, sub, value) : isObject(value) ? { ...element, ...value } : element;
  if (elements.some(isSelected)) {
    return elements.map((element) => (isSelected(element) && isObject(element) ? change(element) : element));
  }
  // Microsoft adds a work address so where there is none yet.
  const template = templateOf(filter);
  if (template === null) throw new ScimError(400, 'noTarget', 'Nothing passes the filter of the path.');
  return bounded([...elements, change(template)]);
}

/** An element that a filter of equalities selects; null for other filters. */
function templateOf(filter: Filter): ScimObject | null {
  if (filter.kind === 'compare' && filter.comparison === 'eq') return { [filter.path]: filter.value };
  if (filter.kind !== 'and') return null;
  const [left, right] = [templateOf(filter.left), templateOf(filter.right)];
  return left && right && { ...left, ...right };
}

/** The object with another value under the name, whatever its case; undefined removes it. */
function withValue(object: ScimObject, name: string, value: unknown): ScimObject {
  const plain = plainPath(name);
  const key = Object.keys(object).find(
    (own) => own.toLowerCase() === plain || own.toLowerCase() === name.toLowerCase(),
  );
  const { [key ?? '']: _, ...rest } = object;
  return value === undefined ? rest : { ...rest, [key ?? nameOf(name)]: value };
}

/** Attributes as they are written; patches may name them in any case. */
const names = [
  'userName',
  'externalId',
  'displayName',
  'nickName',
  'givenName',
  'familyName',
  'middleName',
  'honorificPrefix',
  'honorificSuffix',
  'preferredLanguage',
  'profileUrl',
  'userType',
  'phoneNumbers',
  'streetAddress',
  'postalCode',
];

function nameOf(name: string): string {
  if (/^urn:/i.test(name) && !/:[a-z]+$/i.test(name)) return name;
  const plain = plainPath(name);
  return names.find((known) => known.toLowerCase() === plain) ?? plain;
}

/** The value under a name, whatever its case. */
export function valueAt(object: ScimObject, name: string): unknown {
  const plain = name.toLowerCase();
  return Object.entries(object).find(([own]) => own.toLowerCase() === plain)?.[1];
}

export function isObject(value: unknown): value is ScimObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** By the value of each element, such as a member’s id. */
function keyOf(element: unknown): string {
  if (!isObject(element)) return JSON.stringify(element);
  const value = valueAt(element, 'value');
  return JSON.stringify([value ?? element, valueAt(element, 'type') ?? null]);
}

function joined(elements: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  return [...new Map([...elements, ...added].map((element) => [keyOf(element), element])).values()];
}

function without(elements: readonly unknown[], removed: readonly unknown[]): readonly unknown[] {
  const values = new Set(removed.map((element) => (isObject(element) ? valueAt(element, 'value') : element)));
  return elements.filter((element) => !values.has(isObject(element) ? valueAt(element, 'value') : element));
}

function bounded(elements: readonly unknown[]): readonly unknown[] {
  if (elements.length > mostElements) throw new ScimError(400, 'tooMany', `Send at most ${mostElements} elements.`);
  return elements;
}
