import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Exchange } from '../run.ts';
import { type Document, describeError, isObject, type JsonObject, resolve, type Schemas } from './schemas.ts';

/** What is wrong, by field. */
export type Problems = Record<string, string>;

type Kind = 'scalar' | 'array' | 'object';

/** What is known of the type of a value that arrives as text. */
interface Shape {
  readonly kind: Kind;
  readonly types: ReadonlySet<string>;
  /** Of the items of an array; of the members of an object that none is known of. */
  readonly items: Shape | null;
  readonly properties: ReadonlyMap<string, Shape>;
}

export interface Parameter {
  readonly place: 'path' | 'query' | 'header';
  readonly name: string;
  readonly isRequired: boolean;
  readonly style: string;
  readonly explode: boolean;
  /** Whether the text is JSON. */
  readonly isJson: boolean;
  readonly shape: Shape;
  readonly validate: ValidateFunction;
  /** Name of the parameter in the pattern of the route. */
  readonly routeName: string;
}

/** What other parts of a message say, and no parameter may (OpenAPI 3.1, Parameter Object). */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple'],
  header: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
};

/** @throws Error where a parameter cannot be checked as it is described */
export function compileParameter(
  document: Document,
  schemas: Schemas,
  value: unknown,
  routeNames: ReadonlyMap<string, string>,
): Parameter | null {
  const parameter = resolve(document, value);
  const { in: place, name } = parameter;
  if (typeof name !== 'string' || (place !== 'path' && place !== 'query' && place !== 'header')) return null;
  if (place === 'header' && ignoredHeaders.has(name.toLowerCase())) return null;
  const style = typeof parameter.style === 'string' ? parameter.style : place === 'query' ? 'form' : 'simple';
  if (!styles[place]!.includes(style)) throw new Error(`The ${place} parameter ${name} has the style ${style}.`);
  const content = isObject(parameter.content) ? Object.values(parameter.content)[0] : undefined;
  const schema = isObject(content) ? content.schema : parameter.schema;
  return {
    place,
    name: place === 'header' ? name.toLowerCase() : name,
    isRequired: place === 'path' || parameter.required === true,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    isJson: content !== undefined,
    shape: shapeOf(document, schema ?? true),
    validate: schemas.compile(schema ?? true),
    routeName: routeNames.get(name) ?? name,
  };
}

/** The shape of values of a schema, as far as its types tell. */
export function shapeOf(document: Document, schema: unknown, depth = 0): Shape {
  const types = new Set<string>();
  const properties = new Map<string, Shape>();
  let items: Shape | null = null;
  const collect = (value: unknown, level: number): void => {
    if (!isObject(value) || level > 10) return;
    const found = resolve(document, value);
    for (const type of [found.type].flat()) if (typeof type === 'string') types.add(type);
    const constants = [...(Array.isArray(found.enum) ? found.enum : []), ...('const' in found ? [found.const] : [])];
    if (found.type === undefined)
      for (const constant of constants) types.add(constant === null ? 'null' : typeof constant);
    if (depth < 3) {
      if (found.items !== undefined) items ??= shapeOf(document, found.items, depth + 1);
      if (isObject(found.properties)) {
        for (const [name, member] of Object.entries(found.properties)) {
          properties.set(name, shapeOf(document, member, depth + 1));
        }
      }
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const parts = found[keyword];
      if (Array.isArray(parts)) for (const part of parts) collect(part, level + 1);
    }
  };
  collect(schema, 0);
  const kind = types.has('array') ? 'array' : types.has('object') || properties.size > 0 ? 'object' : 'scalar';
  return { kind, types, items, properties };
}

/** The value that a text stands for, by the types that are described. */
function fromText(text: string, shape: Shape | null): unknown {
  if (!shape) return text;
  const { types } = shape;
  if ((types.has('integer') || types.has('number')) && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.has('null') && text === 'null' ? null : text;
}

export interface Pair {
  /** Decoded. */
  readonly name: string;
  /** As received, percent-encoded. */
  readonly value: string;
}

/** Pairs of a query, or of a body of `application/x-www-form-urlencoded`. */
export function parsePairs(text: string): readonly Pair[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals < 0
        ? { name: decodeForm(pair), value: '' }
        : { name: decodeForm(pair.slice(0, equals)), value: pair.slice(equals + 1) };
    });
}

function decodeForm(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  return new URLSearchParams(`=${text.replaceAll('&', '%26')}`).get('') ?? '';
}

const absent = Symbol('absent');

/** Holds the parameters of a request against their schemas. */
export function checkParameters(
  parameters: readonly Parameter[],
  exchange: Exchange,
  pairs: readonly Pair[],
  problems: Problems,
): void {
  for (const parameter of parameters) {
    const { place, name, isRequired, validate } = parameter;
    const field = `${place}.${name}`;
    let value: unknown;
    try {
      value = parameterValue(parameter, exchange, pairs);
    } catch (error) {
      problems[field] = error instanceof ParameterError ? error.message : 'It can’t be parsed.';
      continue;
    }
    if (value === absent) {
      if (isRequired) problems[field] = 'This is missing.';
    } else if (!validate(value)) {
      const [path, message] = describeError(field, validate.errors![0]!);
      problems[path] = message;
    }
  }
}

class ParameterError extends Error {}

function parameterValue(parameter: Parameter, exchange: Exchange, pairs: readonly Pair[]): unknown {
  switch (parameter.place) {
    case 'path': {
      const parameters = exchange.pathParameters();
      const text = Object.hasOwn(parameters, parameter.routeName) ? parameters[parameter.routeName]! : null;
      return text === null ? absent : fromDelimited(parameter, text, (part) => part);
    }
    case 'header': {
      const values = exchange.request.headers.getAll(parameter.name);
      if (values.length === 0) return absent;
      if (values.length > 1 && parameter.shape.kind !== 'array') throw new ParameterError('Send it once.');
      return fromDelimited(parameter, values.join(','), (part) => part.trim());
    }
    case 'query':
      return queryValue(parameter, pairs);
  }
}

/** A value of the style `simple`, or `form` without `explode`: parts between commas. */
function fromDelimited(
  { shape, explode, isJson, style }: Parameter,
  text: string,
  decode: (part: string) => string,
): unknown {
  if (isJson) return parseJson(decode(text));
  if (shape.kind === 'scalar') return fromText(decode(text), shape);
  const delimiter = style === 'spaceDelimited' ? /%20|\+/ : style === 'pipeDelimited' ? /\||%7[cC]/ : ',';
  const parts = text === '' ? [] : text.split(delimiter).map(decode);
  if (shape.kind === 'array') return parts.map((part) => fromText(part, shape.items));
  const members = new Map<string, unknown>();
  if (explode) {
    for (const part of parts) {
      const equals = part.indexOf('=');
      if (equals < 0) throw new ParameterError('Send it as name=value, name=value.');
      members.set(
        part.slice(0, equals),
        fromText(part.slice(equals + 1), shape.properties.get(part.slice(0, equals)) ?? null),
      );
    }
  } else {
    if (parts.length % 2 === 1) throw new ParameterError('Send it as name,value,name,value.');
    for (let index = 0; index < parts.length; index += 2) {
      members.set(parts[index]!, fromText(parts[index + 1]!, shape.properties.get(parts[index]!) ?? null));
    }
  }
  return Object.fromEntries(members);
}

function queryValue(parameter: Parameter, pairs: readonly Pair[]): unknown {
  const { name, shape, style, explode, isJson } = parameter;
  if (!isJson && shape.kind === 'object' && (style === 'deepObject' || (style === 'form' && explode))) {
    return membersOf(pairs, shape, style === 'deepObject' ? (member) => `${name}[${member}]` : null, `${name}[`);
  }
  const own = pairs.filter((pair) => pair.name === name);
  if (own.length === 0) return absent;
  if (shape.kind === 'array' && explode && !isJson)
    return own.map(({ value }) => fromText(decodeForm(value), shape.items));
  if (own.length > 1) throw new ParameterError('Send it once.');
  return fromDelimited(parameter, own[0]!.value, decodeForm);
}

/** An object whose members are parameters of their own. */
function membersOf(
  pairs: readonly Pair[],
  shape: Shape,
  nameOf: ((member: string) => string) | null,
  prefix: string,
): unknown {
  const members = new Map<string, unknown>();
  for (const pair of pairs) {
    const member = nameOf ? pair.name.slice(prefix.length, -1) : pair.name;
    if (nameOf ? pair.name !== nameOf(member) : !shape.properties.has(member)) continue;
    const known = shape.properties.get(member) ?? null;
    const value = fromText(decodeForm(pair.value), known?.kind === 'array' ? known.items : known);
    const before = members.get(member);
    if (known?.kind === 'array') members.set(member, [...(Array.isArray(before) ? before : []), value]);
    else if (members.has(member)) throw new ParameterError(`Send ${member} once.`);
    else members.set(member, value);
  }
  return members.size === 0 ? absent : Object.fromEntries(members);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ParameterError('Send it as JSON.');
  }
}

/** Whether a query parameter with this name is described. */
export function isDescribed(parameters: readonly Parameter[], name: string): boolean {
  return parameters.some((parameter) => {
    if (parameter.place !== 'query') return false;
    if (parameter.shape.kind !== 'object' || parameter.isJson) return parameter.name === name;
    if (parameter.style === 'deepObject') return name.startsWith(`${parameter.name}[`);
    return parameter.explode ? parameter.shape.properties.has(name) : parameter.name === name;
  });
}

/** The body of a form as an object, by the types that its schema describes. */
export function formValue(text: string, shape: Shape): JsonObject {
  const members = new Map<string, unknown>();
  for (const pair of parsePairs(text)) {
    const known = shape.properties.get(pair.name) ?? null;
    const value = fromText(decodeForm(pair.value), known?.kind === 'array' ? known.items : known);
    const before = members.get(pair.name);
    if (known?.kind === 'array') members.set(pair.name, Array.isArray(before) ? [...before, value] : [value]);
    // Several values where one is described fit no schema of one.
    else members.set(pair.name, members.has(pair.name) ? [before, value].flat() : value);
  }
  return Object.fromEntries(members) as JsonObject;
}
