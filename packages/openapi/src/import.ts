import { PathPattern } from '@millrace/revision/content';
import {
  findReference,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  type OpenApiDocument,
  objectAt,
  operationMethods,
  pathShape,
  pointer,
  resolved,
  textAt,
} from './document.ts';
import { readText } from './text.ts';
import { upgradeDocument } from './upgrade.ts';

/** An operation of an imported document, as a route of a proxy. */
export interface ImportedRoute {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  readonly pathPattern: string;
  readonly summary: string;
  readonly description: string;
  readonly operationId: string | null;
}

/** A document that was read, and the proxy that it proposes. */
export interface ImportedDocument {
  /** OpenAPI 3.1, its paths as the routes have them. */
  readonly document: OpenApiDocument;
  /** Proposal: the path of the first server, with a version segment. */
  readonly basePath: string;
  /** The path prefix of the first server, such as `/shop/v2`; empty if there is none. */
  readonly serverPath: string;
  readonly title: string;
  readonly version: string;
  readonly routes: readonly ImportedRoute[];
  readonly authScheme: 'none' | 'api_key' | 'jwt';
  /** What was omitted or changed, as sentences. */
  readonly warnings: readonly string[];
}

/** Why a document cannot be imported: a sentence for each JSON pointer (RFC 6901) into it. */
export class ImportError extends Error {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super('The document cannot be imported.');
    this.errors = errors;
  }
}

const maxRoutes = 500;
const maxErrors = 50;

/**
 * Parses OpenAPI 3.0 or 3.1, JSON or YAML, of at most 5 MB, and proposes a proxy for it. OpenAPI 3.0 is upgraded to
 * 3.1. Only references within the document are followed; nothing is ever fetched.
 *
 * @throws ImportError with everything that prevents the import.
 */
export async function importDocument(text: string): Promise<ImportedDocument> {
  const parsed = await parse(text);
  check(parsed);
  const warnings: string[] = [];
  const document = withPatternPaths(upgradeDocument(parsed), warnings);
  const routes = routesOf(document, warnings);
  if (routes.length === 0) throw new ImportError({ '/paths': 'Describe at least one operation that can be a route.' });
  if (routes.length > maxRoutes)
    throw new ImportError({ '/paths': `An API proxy can have at most ${maxRoutes} routes.` });
  const info = objectAt(document.info);
  const version = textAt(info.version)!;
  const title = textAt(info.title)!;
  return {
    document,
    basePath: basePathOf(document, title, version),
    serverPath: serverSegments(document)
      .map((segment) => `/${segment}`)
      .join(''),
    title,
    version,
    routes,
    authScheme: authSchemeOf(document, warnings),
    warnings,
  };
}

async function parse(text: string): Promise<JsonObject> {
  let value: Json;
  try {
    value = await readText(text);
  } catch (error) {
    throw new ImportError({ '': error instanceof Error ? error.message : 'This is neither JSON nor YAML.' });
  }
  if (!isObject(value)) throw new ImportError({ '': 'This is not an object. Send an OpenAPI document.' });
  return value;
}

function check(document: JsonObject): void {
  if (document.swagger !== undefined) {
    throw new ImportError({
      '/swagger':
        'Swagger 2.0 is not supported. Convert the document to OpenAPI 3 first, for example with swagger2openapi.',
    });
  }
  const openapi = textAt(document.openapi);
  if (!openapi || !/^3\.[01]\.\d{1,3}$/.test(openapi)) {
    throw new ImportError({ '/openapi': 'Use OpenAPI 3.0 or 3.1, such as "openapi": "3.1.0".' });
  }
  const errors: Record<string, string> = {};
  const info = objectAt(document.info);
  for (const field of ['title', 'version'] as const) {
    if (!textAt(info[field])) errors[`/info/${field}`] = `The ${field} must be text.`;
  }
  if (!isObject(document.paths)) errors['/paths'] = 'Must be an object of paths.';
  for (const [path, item] of Object.entries(objectAt(document.paths))) {
    const place = pointer('paths', path);
    if (!path.startsWith('/')) {
      if (!path.startsWith('x-')) errors[place] = 'A path starts with "/".';
    } else if (isObject(item)) {
      for (const method of operationMethods) {
        if (item[method] !== undefined && !isObject(item[method]))
          errors[`${place}/${method}`] = 'Must be an operation.';
      }
    } else errors[place] = 'Must be a path item: an object with methods.';
  }
  checkReferences(document, errors);
  if (Object.keys(errors).length > 0)
    throw new ImportError(Object.fromEntries(Object.entries(errors).slice(0, maxErrors)));
}

/** Every textual `$ref` points to a place in the document itself. */
function checkReferences(document: JsonObject, errors: Record<string, string>): void {
  const open: { readonly value: Json; readonly keys: readonly string[] }[] = [{ value: document, keys: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const reference = Array.isArray(next.value) ? null : textAt(next.value.$ref);
    if (reference !== null && Object.keys(errors).length < maxErrors) {
      const place = pointer(...next.keys, '$ref');
      if (!reference.startsWith('#'))
        errors[place] = 'Bundle the document: only references within it (#/…) are followed.';
      // A name after # is an anchor: JSON Schema resolves it.
      else if (/^#(?:\/|$)/.test(reference) && findReference(document, reference) === undefined) {
        errors[place] = 'This reference does not resolve.';
      }
    }
    for (const [key, value] of Object.entries(next.value)) {
      // Data, not description: a `$ref` in it is a plain value.
      if (['example', 'examples', 'default', 'enum', 'const'].includes(key)) continue;
      open.push({ value, keys: [...next.keys, key] });
    }
  }
}

/** The document with its paths in the form of route patterns: no trailing slash, plain parameter names. */
function withPatternPaths(document: OpenApiDocument, warnings: string[]): OpenApiDocument {
  const paths = new Map<string, Json>();
  const shapes = new Set<string>();
  for (const [path, item] of Object.entries(objectAt(document.paths))) {
    if (!path.startsWith('/')) continue;
    const renamed = new Map<string, string>();
    const pattern = (path.length > 1 ? path.replace(/\/$/, '') : path).replaceAll(
      /\{([^{}/]*)\}/g,
      (_, name: string) => {
        const plain = name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[0-9]|$)/, '_');
        if (plain !== name) renamed.set(name, plain);
        return `{${plain}}`;
      },
    );
    if (!PathPattern.safeParse(pattern).success) {
      warnings.push(`${path} was left out: path parameters must be whole segments with different names.`);
    } else if (shapes.has(pathShape(pattern))) {
      warnings.push(`${path} was left out: another path handles the same calls.`);
    } else {
      if (pattern !== path) warnings.push(`${path} is now ${pattern}.`);
      shapes.add(pathShape(pattern));
      paths.set(pattern, renamed.size > 0 ? withParameterNames(document, item, renamed) : item);
    }
  }
  return { ...document, paths: Object.fromEntries(paths) };
}

function withParameterNames(document: OpenApiDocument, item: Json, names: ReadonlyMap<string, string>): JsonObject {
  const rename = (holder: JsonObject): JsonObject => ({
    ...holder,
    ...(holder.parameters === undefined
      ? {}
      : {
          parameters: listAt(holder.parameters).map((parameter) => {
            const known = resolved(document, parameter);
            const name = known.in === 'path' ? names.get(textAt(known.name) ?? '') : undefined;
            return name === undefined ? parameter : { ...known, name };
          }),
        }),
  });
  const renamed = rename(resolved(document, item));
  for (const method of operationMethods) if (isObject(renamed[method])) renamed[method] = rename(renamed[method]);
  return renamed;
}

function routesOf(document: OpenApiDocument, warnings: string[]): readonly ImportedRoute[] {
  return Object.entries(objectAt(document.paths)).flatMap(([path, value]) => {
    const item = resolved(document, value);
    return operationMethods.flatMap((method): ImportedRoute[] => {
      const operation = item[method];
      if (!isObject(operation)) return [];
      if (method === 'trace') {
        warnings.push(`TRACE ${path} was left out: routes don't support it.`);
        return [];
      }
      return [
        {
          // The methods of a route are those of OpenAPI in capitals.
          method: method.toUpperCase() as Uppercase<typeof method>,
          pathPattern: path,
          summary: (textAt(operation.summary) ?? textAt(item.summary) ?? '').slice(0, 200),
          description: (textAt(operation.description) ?? textAt(item.description) ?? '').slice(0, 5_000),
          operationId: textAt(operation.operationId),
        },
      ];
    });
  });
}

/** The segments of the first server's path. */
function serverSegments(document: OpenApiDocument): string[] {
  const server = objectAt(listAt(document.servers)[0]);
  const variables = objectAt(server.variables);
  const address = (textAt(server.url) ?? '/').replaceAll(
    /\{([^{}]*)\}/g,
    (_, name: string) => textAt(objectAt(variables[name]).default) ?? '',
  );
  const path = address.replace(/^[A-Za-z][A-Za-z+.-]*:\/\/[^/]*/, '').replace(/[?#].*$/s, '');
  return path
    .split('/')
    .map((segment) => segment.replaceAll(/[^A-Za-z0-9._~-]/g, ''))
    .filter((segment) => segment !== '');
}

function basePathOf(document: OpenApiDocument, title: string, version: string): string {
  const segments = serverSegments(document);
  if (segments.length === 0) segments.push(slug(title));
  const major = /^v?([1-9]\d{0,3})(?:\.|$)/.exec(version)?.[1] ?? '1';
  const versioned = segments.some((segment) => /^v\d+/.test(segment)) ? segments : [`v${major}`, ...segments];
  return `/${versioned.join('/')}`.slice(0, 200).replace(/\/$/, '');
}

function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['api'];
  return words.join('-').slice(0, 60).replace(/-$/, '');
}

function authSchemeOf(document: OpenApiDocument, warnings: string[]): ImportedDocument['authScheme'] {
  const schemes = objectAt(objectAt(document.components).securitySchemes);
  const kinds = new Set<'api_key' | 'jwt'>();
  for (const [name, value] of Object.entries(schemes)) {
    const scheme = resolved(document, value);
    const type = textAt(scheme.type);
    if (type === 'apiKey' && scheme.in !== 'cookie') kinds.add('api_key');
    else if (type === 'oauth2' || type === 'openIdConnect') kinds.add('jwt');
    else if (type === 'http' && textAt(scheme.scheme)?.toLowerCase() === 'bearer') kinds.add('jwt');
    else warnings.push(`The security scheme ${name} has no matching policy: only the target checks callers.`);
  }
  if (kinds.size > 1) warnings.push('Of several security schemes, the API key was used.');
  return kinds.has('api_key') ? 'api_key' : kinds.has('jwt') ? 'jwt' : 'none';
}
