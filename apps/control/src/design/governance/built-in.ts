import { type OpenApiDocument, objectAt, pathShape } from '@millrace/openapi/document';
import { writtenCredentials } from '@millrace/policies/secrets';
import { policiesFor, type RevisionContent, type RevisionRoute } from '@millrace/revision/content';
import { versionSegment } from '../proxies/rules.ts';
import { operationsOf } from '../specifications/rules.ts';
import { isMasked, sensitiveFields } from './sensitive-fields.ts';

/** The input of the built-in rules. */
export interface Subject {
  readonly content: RevisionContent;
  /** Id of the specification that is part of the content; null where it has none. */
  readonly specificationId: string | null;
  /** The proxy's specification that was published last, as it was published. */
  readonly published: { readonly id: string; readonly document: OpenApiDocument } | null;
  /** Target servers of production environments. */
  readonly productionTargets: readonly {
    readonly id: string;
    readonly name: string;
    readonly scheme: 'http' | 'https';
    readonly environmentName: string;
  }[];
}

/** One discovery of a rule. */
export interface Discovery {
  /** Where, such as `route GET /{orderId}`; a rule has one discovery per place. */
  readonly location: string;
  readonly message: string;
  readonly remedy: string;
  readonly fix: {
    readonly kind: 'proxy' | 'route' | 'policy' | 'specification' | 'target-server';
    readonly id: string | null;
  };
}

/** A rule of the platform with its defaults. */
export interface BuiltInStandard {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly severity: 'error' | 'warning' | 'information';
  readonly blocking: boolean;
  check(subject: Subject): Iterable<Discovery>;
}

/** The platform's rules, each a pure function of a content. */
export const builtInStandards: readonly BuiltInStandard[] = [
  {
    code: 'DAT-001',
    name: 'Masking of sensitive fields',
    description: 'Data Masking hides response fields that the specification marks with x-sensitive.',
    severity: 'error',
    blocking: false,
    check: unmaskedFields,
  },
  {
    code: 'DOC-001',
    name: 'Published specification',
    description: 'A specification is published and matches the routes exactly.',
    severity: 'warning',
    blocking: false,
    check: undocumented,
  },
  {
    code: 'DOC-002',
    name: 'Summary of every operation',
    description: 'Every operation has a one-line summary.',
    severity: 'warning',
    blocking: false,
    check: unsummarized,
  },
  {
    code: 'NAM-001',
    name: 'Naming of paths',
    description: 'Path segments are lower case with hyphens, path parameters camel case.',
    severity: 'information',
    blocking: false,
    check: misnamed,
  },
  {
    code: 'REL-001',
    name: 'Time-out on every route',
    description: 'Every route sets a time-out for its target.',
    severity: 'warning',
    blocking: false,
    check: unlimitedTime,
  },
  {
    code: 'SEC-001',
    name: 'Authentication on every route',
    description: 'Every route is behind Verify API Key or Verify JWT.',
    severity: 'error',
    blocking: true,
    check: unauthenticated,
  },
  {
    code: 'SEC-002',
    name: 'Production targets over TLS',
    description: 'Every target server used by a route has TLS in production.',
    severity: 'error',
    blocking: true,
    check: unencrypted,
  },
  {
    code: 'SEC-003',
    name: 'Traffic limit',
    description: 'Quota or Spike Arrest limits the calls of every route.',
    severity: 'warning',
    blocking: false,
    check: unlimitedCalls,
  },
  {
    code: 'SEC-004',
    name: 'No literal credentials',
    description: 'Policies refer to secret variables instead of containing credentials.',
    severity: 'warning',
    blocking: false,
    check: writtenOut,
  },
  {
    code: 'VER-001',
    name: 'Version in the base path',
    description: 'The base path has a version segment such as /v1.',
    severity: 'warning',
    blocking: false,
    check: unversioned,
  },
];

function routeLocation({ method, pathPattern }: RevisionRoute): string {
  return `route ${method} ${pathPattern}`;
}

/** An attached policy of one of the kinds, enabled or not, as the first place to look. */
function anyPolicy({ policies }: RevisionContent, kinds: readonly string[]): string | null {
  return policies.find(({ kind }) => kinds.includes(kind))?.id ?? null;
}

const authenticating = ['verify-api-key', 'verify-jwt'];
const limiting = ['quota', 'spike-arrest'];

function* unauthenticated({ content }: Subject): Generator<Discovery> {
  for (const route of content.routes) {
    if (policiesFor(content, route, 'request', authenticating).length > 0) continue;
    yield {
      location: routeLocation(route),
      message: `Anybody can call ${route.method} ${route.pathPattern}: no authentication policy applies to it.`,
      remedy: 'Attach Verify API Key or Verify JWT to the request flow, for all routes or for this one, and enable it.',
      fix: { kind: 'policy', id: anyPolicy(content, authenticating) },
    };
  }
}

function* writtenOut({ content }: Subject): Generator<Discovery> {
  for (const { id, flow, kind, name, configuration } of content.policies) {
    if (writtenCredentials(configuration).length === 0) continue;
    yield {
      location: `policy ${flow}/${kind}: ${name}`,
      message: `The policy ${name} contains a literal credential: it is the same in every environment and stays in each revision.`,
      remedy: 'Store it as a secret variable of each environment and refer to it as {{variables.NAME}}.',
      fix: { kind: 'policy', id },
    };
  }
}

function* unencrypted({ content, productionTargets }: Subject): Generator<Discovery> {
  const names = new Set(content.routes.map(({ targetServer }) => targetServer));
  for (const { id, name, scheme, environmentName } of productionTargets) {
    if (scheme === 'https' || !names.has(name)) continue;
    yield {
      location: `target server ${name} in ${environmentName}`,
      message: `${environmentName} is production and reaches ${name} without TLS.`,
      remedy: 'Set the scheme of this target server to https.',
      fix: { kind: 'target-server', id },
    };
  }
}

function* unlimitedCalls({ content }: Subject): Generator<Discovery> {
  const open = content.routes.filter((route) => policiesFor(content, route, 'request', limiting).length === 0);
  const fix = { kind: 'policy', id: anyPolicy(content, limiting) } as const;
  const remedy = 'Attach Quota or Spike Arrest to the request flow and enable it.';
  if (open.length === content.routes.length && open.length > 0) {
    yield { location: 'request flow', message: 'Nothing limits how often the API is called.', remedy, fix };
    return;
  }
  for (const route of open) {
    const message = `Nothing limits how often ${route.method} ${route.pathPattern} is called.`;
    yield { location: routeLocation(route), message, remedy, fix };
  }
}

function* unlimitedTime({ content }: Subject): Generator<Discovery> {
  for (const route of content.routes) {
    if (route.timeoutMs !== null) continue;
    yield {
      location: routeLocation(route),
      message: `${route.method} ${route.pathPattern} has no time-out of its own.`,
      remedy: 'Set the route’s time-out slightly above the longest time that its target takes.',
      fix: { kind: 'route', id: route.id },
    };
  }
}

function* unversioned({ content: { proxy } }: Subject): Generator<Discovery> {
  if (versionSegment(proxy.basePath) !== null) return;
  yield {
    location: `base path ${proxy.basePath}`,
    message: `The base path ${proxy.basePath} has no version segment.`,
    remedy: `Change it to a path such as /v1${proxy.basePath}.`,
    fix: { kind: 'proxy', id: null },
  };
}

function* misnamed({ content: { proxy, routes } }: Subject): Generator<Discovery> {
  const basePath = badSegments(proxy.basePath);
  if (basePath.length > 0) {
    yield {
      location: `base path ${proxy.basePath}`,
      message: `The base path has segments with another format: ${basePath.join(', ')}.`,
      remedy: 'Use lower-case words with hyphens, such as /v1/sales-orders.',
      fix: { kind: 'proxy', id: null },
    };
  }
  for (const route of routes) {
    const bad = badSegments(route.pathPattern);
    if (bad.length === 0) continue;
    yield {
      location: routeLocation(route),
      message: `${route.method} ${route.pathPattern} has segments with another format: ${bad.join(', ')}.`,
      remedy: 'Use lower-case words with hyphens, and camel case for parameters: /sales-orders/{orderId}.',
      fix: { kind: 'route', id: route.id },
    };
  }
}

function badSegments(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '*')
    .filter((segment) => !/^(?:[a-z0-9]+(?:[-.][a-z0-9]+)*|\{[a-z][A-Za-z0-9]*\})$/.test(segment));
}

function shapeOf(pathPattern: string): string {
  return pathShape(pathPattern.endsWith('/*') ? `${pathPattern.slice(0, -1)}{rest}` : pathPattern);
}

/** The place of an operation, or of a route of one method; a route of ANY answers every method of its shape. */
function placeOf(method: string, shape: string): string {
  return `${method} ${shape}`;
}

function* undocumented({ content, specificationId, published }: Subject): Generator<Discovery> {
  if (published === null) {
    yield {
      location: 'specification',
      message: specificationId === null ? 'The API proxy has no specification.' : 'The specification is not published.',
      remedy: specificationId === null ? 'Generate a specification and publish it.' : 'Publish the specification.',
      fix: { kind: 'specification', id: specificationId },
    };
    return;
  }
  const operations = operationsOf(published.document);
  const described = new Set(
    operations.flatMap(({ method, path }) => [placeOf(method, pathShape(path)), placeOf('ANY', pathShape(path))]),
  );
  const routed = new Set(content.routes.map(({ method, pathPattern }) => placeOf(method, shapeOf(pathPattern))));
  const missing = content.routes.filter(
    ({ method, pathPattern }) => !described.has(placeOf(method, shapeOf(pathPattern))),
  );
  const stale = operations.filter(
    ({ method, path }) => !routed.has(placeOf(method, pathShape(path))) && !routed.has(placeOf('ANY', pathShape(path))),
  );
  if (missing.length === 0 && stale.length === 0) return;
  const named = (list: readonly string[]) =>
    list.length > 5 ? `${list.slice(0, 5).join(', ')} and ${list.length - 5} more` : list.join(', ');
  const parts = [
    ...(missing.length === 0
      ? []
      : [`it lacks ${named(missing.map(({ method, pathPattern }) => `${method} ${pathPattern}`))}`]),
    ...(stale.length === 0 ? [] : [`no route handles ${named(stale.map(({ method, path }) => `${method} ${path}`))}`]),
  ];
  yield {
    location: 'specification',
    message: `The published specification does not match the routes: ${parts.join('; ')}.`,
    remedy: 'Generate the specification again and publish it.',
    fix: { kind: 'specification', id: published.id },
  };
}

function* unsummarized({ content, specificationId }: Subject): Generator<Discovery> {
  const remedy = 'Describe it in one line.';
  const message = (name: string) => `${name} has no summary.`;
  if (content.specification === null) {
    for (const route of content.routes) {
      if (route.summary.trim() !== '') continue;
      const name = `${route.method} ${route.pathPattern}`;
      yield { location: routeLocation(route), message: message(name), remedy, fix: { kind: 'route', id: route.id } };
    }
    return;
  }
  for (const { method, path, summary } of operationsOf(content.specification)) {
    if (summary.trim() !== '') continue;
    yield {
      location: `operation ${method} ${path}`,
      message: message(`${method} ${path}`),
      remedy,
      fix: { kind: 'specification', id: specificationId },
    };
  }
}

function* unmaskedFields({ content }: Subject): Generator<Discovery> {
  const document = content.specification;
  if (document === null) return;
  const byId = new Map(content.routes.map((route) => [route.id, route]));
  const byPlace = new Map(
    content.routes.map((route) => [placeOf(route.method, shapeOf(route.pathPattern)), route] as const),
  );
  for (const { method, path, routeId } of operationsOf(document)) {
    const shape = pathShape(path);
    const route = byId.get(routeId ?? '') ?? byPlace.get(placeOf(method, shape)) ?? byPlace.get(placeOf('ANY', shape));
    if (route === undefined) continue;
    const masking = policiesFor(content, route, 'response', ['data-masking']);
    const written = objectAt(objectAt(objectAt(document.paths)[path])[method.toLowerCase()]);
    for (const field of sensitiveFields(document, written)) {
      if (masking.some((policy) => isMasked(field, policy))) continue;
      const place = ['$', ...field.path].join('.').replaceAll('.*', '[*]');
      yield {
        location: `operation ${method} ${path}: ${place}`,
        message: `${method} ${path} returns ${place} unmasked, although the specification marks it as sensitive.`,
        remedy: `Attach Data Masking to the response flow with a rule for ${field.detector === null ? place : `the detector ${field.detector}`}.`,
        fix: { kind: 'policy', id: masking[0]?.id ?? anyPolicy(content, ['data-masking']) },
      };
    }
  }
}
