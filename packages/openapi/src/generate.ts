import { parseConfiguration } from '@millrace/policies';
import { policiesFor, type RevisionContent, type RevisionPolicy, type RevisionRoute } from '@millrace/revision/content';
import {
  type Json,
  type JsonObject,
  listAt,
  type OpenApiDocument,
  objectAt,
  operationMethods,
  pathShape,
  resolved,
  textAt,
} from './document.ts';
import { errorResponses, isGatewayReference, rateLimitHeaders, withGatewayComponents } from './gateway-answers.ts';

/** The input for generating a document. */
export interface Generation {
  readonly content: RevisionContent;
  /** The document as last generated, imported or edited; null: none yet. */
  readonly previous: OpenApiDocument | null;
  readonly title: string;
  readonly version: string;
  /** URL at which callers reach the base path; null: only the base path. */
  readonly serverUrl: string | null;
}

/** Methods that describe a route for ANY: HEAD and OPTIONS add nothing about an API. */
const anyMethods = ['get', 'put', 'post', 'delete', 'patch'] as const;
type GeneratedMethod = (typeof anyMethods)[number] | 'head' | 'options';

/** An operation to be written: a route with one of its methods. */
interface Target {
  readonly route: RevisionRoute;
  readonly method: GeneratedMethod;
  /** Path template: `/*` as a parameter, the parameters named as in the first route of this shape. */
  readonly path: string;
}

/**
 * The OpenAPI 3.1 document of a revision. There is one operation per route (five for ANY, minus those with their own
 * route). Routes and policies determine paths, path parameters, security and the gateway's own responses. Texts, other
 * parameters, bodies, the target's responses and schemas are kept from `previous` if the operation is the same: by the
 * route's identifier in `x-route`, else by method and path. Operations without a route are dropped. Generating again
 * from the result changes nothing.
 */
export function generateDocument({ content, previous, title, version, serverUrl }: Generation): OpenApiDocument {
  const old = previous ?? {};
  const { openapi: _, info, servers: __, paths: ___, components, security: ____, tags, ...rest } = old;
  const known = knownOperations(old);
  const operationIds = new Set<string>();
  const paths = new Map<string, [string, JsonObject][]>();
  const schemes: JsonObject = {};

  for (const target of targetsOf(content)) {
    const before = known.byRoute.get(`${target.method} ${target.route.id}`) ?? known.byPath.get(placeOf(target));
    const policies = policiesFor(content, target.route, 'request');
    const security = securityOf(policies);
    Object.assign(schemes, security);
    const operation = writeOperation({ target, before, policies, security, document: old, content, operationIds });
    const item = paths.get(target.path) ?? [];
    paths.set(target.path, [...item, [target.method, operation]]);
  }

  const kinds = new Set(
    content.routes.flatMap((route) => policiesFor(content, route, 'request').map(({ kind }) => kind)),
  );
  return {
    openapi: '3.1.0',
    info: { ...descriptionOf(content), ...objectAt(info), title, version },
    servers: [{ url: serverUrl ?? content.proxy.basePath }],
    ...rest,
    tags: listAt(tags).length > 0 ? tags! : [{ name: content.proxy.name, description: content.proxy.displayName }],
    paths: Object.fromEntries([...paths].map(([path, item]) => [path, Object.fromEntries(item)])),
    components: {
      ...withGatewayComponents(objectAt(components), kinds),
      securitySchemes: schemes,
    },
  };
}

function descriptionOf({ proxy }: RevisionContent): JsonObject {
  return proxy.description === '' ? {} : { description: proxy.description };
}

function targetsOf({ routes }: RevisionContent): readonly Target[] {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const targets: Target[] = [];
  const add = (route: RevisionRoute, method: GeneratedMethod) => {
    const template = templateOf(route.pathPattern);
    const shape = pathShape(template);
    if (!names.has(shape)) names.set(shape, template);
    const target = { route, method, path: names.get(shape)! };
    if (taken.has(placeOf(target))) return;
    taken.add(placeOf(target));
    targets.push(target);
  };
  // Routes with one method first: they take precedence over ANY. The final order is that of the routes.
  const inOrder = new Map(routes.map((route, index) => [route, index]));
  for (const route of routes) if (route.method !== 'ANY') add(route, lowerCase(route.method));
  for (const route of routes) if (route.method === 'ANY') for (const method of anyMethods) add(route, method);
  return targets.sort((a, b) => inOrder.get(a.route)! - inOrder.get(b.route)!);
}

function lowerCase(method: Exclude<RevisionRoute['method'], 'ANY'>) {
  return method.toLowerCase() as Lowercase<typeof method>;
}

function templateOf(pathPattern: string): string {
  if (!pathPattern.endsWith('/*')) return pathPattern;
  const start = pathPattern.slice(0, -1);
  return start.includes('{rest}') ? `${start}{remainder}` : `${start}{rest}`;
}

function placeOf({ method, path }: Pick<Target, 'method' | 'path'>): string {
  return `${method} ${pathShape(path)}`;
}

/**
 * An operation of the previous document, with the parameters of its path item, and its names of the path parameters.
 */
interface KnownOperation {
  readonly operation: JsonObject;
  readonly parameters: readonly Json[];
  readonly path: string;
}

function knownOperations(document: OpenApiDocument) {
  const byRoute = new Map<string, KnownOperation>();
  const byPath = new Map<string, KnownOperation>();
  for (const [path, value] of Object.entries(objectAt(document.paths))) {
    const item = resolved(document, value);
    for (const method of operationMethods) {
      if (!Object.hasOwn(item, method)) continue;
      const operation = objectAt(item[method]);
      const own = listAt(operation.parameters);
      const ownPlaces = new Set(own.map((parameter) => parameterPlace(document, parameter)));
      const inherited = listAt(item.parameters).filter(
        (parameter) => !ownPlaces.has(parameterPlace(document, parameter)),
      );
      const known = { operation, parameters: [...inherited, ...own], path };
      const routeId = textAt(objectAt(operation['x-route']).id);
      if (routeId !== null) byRoute.set(`${method} ${routeId}`, known);
      byPath.set(`${method} ${pathShape(path)}`, known);
    }
  }
  return { byRoute, byPath };
}

function parameterPlace(document: OpenApiDocument, parameter: Json): string {
  const { in: place, name } = resolved(document, parameter);
  return `${textAt(place)} ${textAt(name)}`;
}

/** The security schemes that a route needs together, by name. */
function securityOf(policies: readonly RevisionPolicy[]): JsonObject {
  const schemes: JsonObject = {};
  for (const { kind, configuration } of policies) {
    if (kind === 'verify-api-key') {
      const key = parseConfiguration(kind, configuration);
      if (key.ok) {
        const { location, name } = key.value;
        schemes[location === 'header' ? 'apiKeyHeader' : 'apiKeyQuery'] = { type: 'apiKey', in: location, name };
      }
    }
    if (kind === 'verify-jwt') {
      const token = parseConfiguration(kind, configuration);
      if (token.ok && token.value.header === 'authorization') {
        schemes.bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
      } else if (token.ok) {
        schemes.tokenHeader = { type: 'apiKey', in: 'header', name: token.value.header };
      }
    }
  }
  return schemes;
}

interface OperationParts {
  readonly target: Target;
  readonly before: KnownOperation | undefined;
  readonly policies: readonly RevisionPolicy[];
  readonly security: JsonObject;
  readonly document: OpenApiDocument;
  readonly content: RevisionContent;
  /** Names in use; this operation's is added. */
  readonly operationIds: Set<string>;
}

function writeOperation(parts: OperationParts): JsonObject {
  const { target, before, policies, security, document, content, operationIds } = parts;
  const old = before?.operation ?? {};
  const {
    operationId,
    summary: _,
    description: __,
    parameters: ___,
    responses,
    security: ____,
    tags,
    'x-route': _____,
    'x-rate-limits': ______,
    ...rest
  } = old;
  const id = unique(textAt(operationId) ?? operationIdOf(target), operationIds);
  const limits = rateLimitsOf(policies);
  const parameters = parametersOf(target, before, document);
  return {
    operationId: id,
    tags: listAt(tags).length > 0 ? tags! : [content.proxy.name],
    ...words(target.route, old),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...rest,
    responses: responsesOf(objectAt(responses), policies, limits),
    security:
      Object.keys(security).length > 0 ? [Object.fromEntries(Object.keys(security).map((name) => [name, []]))] : [],
    ...(limits.length > 0 ? { 'x-rate-limits': limits } : {}),
    'x-route': { id: target.route.id, summary: target.route.summary, description: target.route.description },
  };
}

/** Edited texts are kept; those from the route, according to `x-route`, follow it. */
function words(route: RevisionRoute, old: JsonObject): JsonObject {
  const generated = objectAt(old['x-route']);
  return Object.fromEntries(
    (['summary', 'description'] as const).flatMap((field) => {
      const before = textAt(old[field]) ?? '';
      const edited = before !== '' && before !== textAt(generated[field]);
      const text = edited ? before : route[field];
      return text === '' ? [] : [[field, text]];
    }),
  );
}

/** Name of an operation without one: `getByOrderIdLines` for `get` and `/{orderId}/lines`. */
export function operationIdOf({ method, path }: { readonly method: string; readonly path: string }): string {
  const words = path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (segment.startsWith('{') ? `by-${segment.slice(1, -1)}` : segment))
    .flatMap((segment) => segment.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1));
  return `${method}${words.join('') || 'Root'}`;
}

function unique(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}${number}`;
  taken.add(id);
  return id;
}

function parametersOf(target: Target, before: KnownOperation | undefined, document: OpenApiDocument): JsonObject[] {
  const names = parameterNames(target.path);
  const oldNames = before ? parameterNames(before.path) : [];
  const kept = (before?.parameters ?? []).map(objectAt);
  const path = names.map((name, index): JsonObject => {
    const oldName = oldNames[index] ?? name;
    const known = kept.find((parameter) => parameterPlace(document, parameter) === `path ${oldName}`);
    if (!known) return { name, in: 'path', required: true, schema: { type: 'string' } };
    return oldName === name ? known : { ...resolved(document, known), name };
  });
  return [...path, ...kept.filter((parameter) => textAt(resolved(document, parameter).in) !== 'path')];
}

function parameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}/]*)\}/g)].map(([, name]) => name!);
}

function rateLimitsOf(policies: readonly RevisionPolicy[]): JsonObject[] {
  return policies.flatMap(({ kind, name, configuration }): JsonObject[] => {
    if (kind === 'quota') {
      const quota = parseConfiguration(kind, configuration);
      if (!quota.ok) return [];
      const { limit, window, per } = quota.value;
      const length = window.count === 1 ? window.unit : `${window.count} ${window.unit}s`;
      return [
        { name, requests: limit, window: { ...window }, per, text: `${limit} requests per ${length} and ${per}` },
      ];
    }
    if (kind === 'spike-arrest') {
      const arrest = parseConfiguration(kind, configuration);
      if (!arrest.ok) return [];
      const { ratePerSecond, ratePerMinute, burst, per } = arrest.value;
      const [requests, unit] = ratePerSecond === null ? [ratePerMinute!, 'minute'] : [ratePerSecond, 'second'];
      const text = `${requests} requests per ${unit} and ${per}, ${burst} at once`;
      return [{ name, requests, window: { unit, count: 1 }, per, burst, text }];
    }
    return [];
  });
}

/** The target's responses as described, and the gateway's as the policies define them. */
function responsesOf(old: JsonObject, policies: readonly RevisionPolicy[], limits: readonly JsonObject[]): JsonObject {
  const kept = Object.entries(old).filter(([, response]) => !isGatewayReference(response));
  const described = kept.some(([status]) => /^(?:[123]|default)/.test(status));
  const target = described ? kept : [['200', { description: 'The response of the target.' }] as const, ...kept];
  const withHeaders = target.map(([status, response]) => [
    status,
    status.startsWith('2') ? rateLimitHeaders(objectAt(response), limits.length > 0) : response,
  ]);
  const own = Object.entries(errorResponses(new Set(policies.map(({ kind }) => kind)), limits));
  // A hand-written description of a status says more than the gateway's own text.
  return { ...Object.fromEntries(own), ...Object.fromEntries(withHeaders) };
}
