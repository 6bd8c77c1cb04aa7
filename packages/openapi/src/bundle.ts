import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  type OpenApiDocument,
  type OperationMethod,
  objectAt,
  operationMethods,
  pointer,
  resolved,
  textAt,
} from './document.ts';
import { operationIdOf } from './generate.ts';

/** One API of a bundle. */
export interface BundledApi {
  /** Distinguishes its components from those of the others; letters, digits and hyphens. */
  readonly name: string;
  /** Where its paths begin on the server, such as `/v1/orders`. */
  readonly basePath: string;
  readonly document: OpenApiDocument;
  /** Which of its operations are in the bundle. */
  includes(operation: { readonly method: OperationMethod; readonly path: string; readonly value: JsonObject }): boolean;
}

/** An operation of a bundle, as a list shows it. */
export interface BundledOperation {
  /** Unique within the bundle. */
  readonly id: string;
  /** Name of its API. */
  readonly api: string;
  readonly method: OperationMethod;
  /** With the base path. */
  readonly path: string;
  readonly summary: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
}

export interface Bundle {
  readonly document: OpenApiDocument;
  readonly operations: readonly BundledOperation[];
}

/**
 * One OpenAPI 3.1 document of several APIs behind the same servers: paths begin with the base paths, and of two operations
 * at one place the first stays. Components are renamed if there is more than one API. Servers of the documents, and
 * `x-route`, are left out.
 *
 * @param servers addresses without base path, the first is the default
 */
export function bundleDocuments(
  apis: readonly BundledApi[],
  info: { readonly title: string; readonly description: string; readonly servers: readonly string[] },
): Bundle {
  const paths = new Map<string, Map<string, Json>>();
  const components = new Map<string, [string, Json][]>();
  const tags = new Map<string, Json>();
  const operations: BundledOperation[] = [];
  const ids = new Set<string>();
  for (const api of apis) {
    const prefix = apis.length > 1 ? `${api.name}.` : '';
    const rename = renaming(api, prefix);
    for (const tag of listAt(api.document.tags)) {
      const name = textAt(objectAt(tag).name);
      if (name !== null && !tags.has(name)) tags.set(name, rename(tag));
    }
    for (const place of placesOf(api)) {
      const item = paths.get(place.path) ?? new Map<string, Json>();
      paths.set(place.path, item);
      if (item.has(place.method)) continue;
      const id = freeId(ids, api, place);
      const { 'x-route': _, servers: __, ...value } = place.value;
      item.set(place.method, withSecurity({ ...objectAt(rename(value)), operationId: id }, api, place.value, prefix));
      if (place.parameters.length > 0 && !item.has('parameters')) item.set('parameters', rename([...place.parameters]));
      operations.push({
        id,
        api: api.name,
        method: place.method,
        path: place.path,
        summary: textAt(value.summary) ?? '',
        deprecated: value.deprecated === true,
        tags: listAt(value.tags).filter((tag) => typeof tag === 'string'),
      });
    }
    for (const [kind, values] of Object.entries(objectAt(api.document.components))) {
      const renamed = Object.entries(objectAt(values)).map(([name, value]): [string, Json] => [
        `${prefix}${name}`,
        rename(value),
      ]);
      components.set(kind, [...(components.get(kind) ?? []), ...renamed]);
    }
  }
  const versions = new Set(apis.map(({ document }) => textAt(objectAt(document.info).version) ?? '1'));
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: info.title,
      ...(info.description === '' ? {} : { description: info.description }),
      version: [...versions].join(', ') || '1',
    },
    ...(info.servers.length === 0 ? {} : { servers: info.servers.map((url) => ({ url })) }),
    ...(tags.size === 0 ? {} : { tags: [...tags.values()] }),
    paths: Object.fromEntries(
      [...paths].filter(([, item]) => item.size > 0).map(([path, item]) => [path, Object.fromEntries(item)]),
    ),
    ...(components.size === 0
      ? {}
      : {
          components: Object.fromEntries([...components].map(([kind, values]) => [kind, Object.fromEntries(values)])),
        }),
  };
  return { document, operations };
}

/** An included operation with its place. */
interface Place {
  readonly method: OperationMethod;
  readonly path: string;
  /** In its document, without the base path. */
  readonly ownPath: string;
  readonly value: JsonObject;
  /** Of the path item, which the document's references count from. */
  readonly parameters: readonly Json[];
}

function* placesOf({ document, basePath, includes }: BundledApi): Generator<Place> {
  for (const [path, value] of Object.entries(objectAt(document.paths))) {
    const item = resolved(document, value);
    for (const method of operationMethods) {
      const operation = item[method];
      if (!isObject(operation) || !includes({ method, path, value: operation })) continue;
      yield {
        method,
        path: joined(basePath, path),
        ownPath: path,
        value: operation,
        parameters: listAt(item.parameters),
      };
    }
  }
}

/** A path below a base path. */
function joined(basePath: string, path: string): string {
  const base = basePath.replace(/\/+$/, '');
  return path === '/' && base !== '' ? base : `${base}${path.startsWith('/') ? path : `/${path}`}`;
}

/** Ids stand in addresses. */
const longestId = 180;

/** The operation's id, or one derived from its place, which no other operation of the bundle has. */
function freeId(taken: Set<string>, { name }: BundledApi, { method, ownPath, value }: Place): string {
  const own = textAt(value.operationId) ?? operationIdOf({ method, path: ownPath });
  const wanted = (taken.has(own) ? `${name}.${own}` : own).slice(0, longestId);
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}${number}`;
  taken.add(id);
  return id;
}

/** The operation with the security that applies to it, which may be its document's. */
function withSecurity(
  operation: JsonObject,
  { document }: BundledApi,
  original: JsonObject,
  prefix: string,
): JsonObject {
  const security = original.security ?? document.security;
  if (!Array.isArray(security)) return operation;
  const renamed = security.map((requirement) =>
    Object.fromEntries(Object.entries(objectAt(requirement)).map(([name, scopes]) => [`${prefix}${name}`, scopes])),
  );
  return { ...operation, security: renamed };
}

/** Writes a value's references for their place in the bundle. */
function renaming({ basePath, document }: BundledApi, prefix: string): (value: Json) => Json {
  const schemas = objectAt(objectAt(document.components).schemas);
  const reference = (text: string): string => {
    const component = /^#\/components\/([^/]+)\/(.+)$/.exec(text);
    if (component !== null) return `#/components/${component[1]}/${prefix}${component[2]}`;
    const path = /^#\/paths\/([^/]+)(.*)$/.exec(text);
    if (path === null) return text;
    const own = path[1]!.replaceAll('~1', '/').replaceAll('~0', '~');
    return `#${pointer('paths', joined(basePath, own))}${path[2]}`;
  };
  const rename = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]): [string, Json] => {
        if (key === '$ref' && typeof child === 'string') return [key, reference(child)];
        if (key === 'mapping' && isObject(child)) return [key, mapping(child)];
        return [key, rename(child)];
      }),
    );
  };
  /** Of a discriminator: its values are references, or names of schemas. */
  const mapping = (value: JsonObject): Json =>
    Object.fromEntries(
      Object.entries(value).map(([key, target]): [string, Json] => {
        if (typeof target !== 'string') return [key, rename(target)];
        return [key, Object.hasOwn(schemas, target) ? `${prefix}${target}` : reference(target)];
      }),
    );
  return rename;
}
