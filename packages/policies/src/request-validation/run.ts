import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Decision, Exchange, GatewayErrorCode, PolicyParts, PolicyToCompile, RequestPolicy } from '../run.ts';
import { requestValidation } from './config.ts';
import {
  checkParameters,
  compileParameter,
  formValue,
  isDescribed,
  type Parameter,
  type Problems,
  parsePairs,
  shapeOf,
} from './parameters.ts';
import { type Document, describeError, isObject, type JsonObject, resolve, Schemas } from './schemas.ts';

/** In answers to requests that do not fit, where they pass all the same: the fields. */
const reportHeader = 'x-request-validation';
const maxReportLength = 300;
const maxUnknownParameters = 10;

type CheckBody = (body: Uint8Array, problems: Problems) => void;

interface MediaType {
  /** Such as `application/json`, `application/*` or any. */
  readonly range: string;
  /** Null: the body passes unread. */
  readonly check: CheckBody | null;
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly bodyRequired: boolean;
  readonly mediaTypes: readonly MediaType[];
}

/**
 * Validates requests against the specification of their revision. An operation is compiled at its first call and kept:
 * one whose description can't be checked fails, and all others keep working.
 */
export function compileRequestValidation(policy: PolicyToCompile, { specification }: PolicyParts): RequestPolicy {
  const configuration = requestValidation.configuration.parse(policy.configuration);
  const { maxBodyBytes, refuseUnknownMediaTypes } = configuration;
  const reports = configuration.action === 'report';
  const operations = new Operations(specification);

  const decide = (exchange: Exchange, problems: Problems, error: GatewayErrorCode = 'invalid_request'): Decision => {
    const fields = Object.keys(problems);
    if (fields.length === 0) return null;
    if (!reports) return { kind: 'refusal', error, errors: problems };
    const text = fields
      .join(', ')
      .replaceAll(/[^\x20-\x7e]/g, '?')
      .slice(0, maxReportLength);
    exchange.answerHeaders.append(reportHeader, text);
    return null;
  };

  return {
    onHead(exchange) {
      const operation = operations.of(exchange);
      const problems: Problems = {};
      if (!operation) {
        return decide(exchange, {
          [exchange.request.method]: 'This API’s specification doesn’t describe this operation.',
        });
      }
      const { request } = exchange;
      const pairs = parsePairs(request.query);
      if (configuration.parameters) checkParameters(operation.parameters, exchange, pairs, problems);
      if (configuration.refuseUnknownQuery) {
        const unknown = pairs.filter(({ name }) => !isDescribed(operation.parameters, name));
        for (const { name } of unknown.slice(0, maxUnknownParameters)) {
          problems[`query.${name.slice(0, 100)}`] = 'Unknown parameter.';
        }
      }
      const decision = decide(exchange, problems);
      if (decision || !configuration.body || !refuseUnknownMediaTypes || request.contentLength === 0) return decision;
      const type = mediaTypeOf(exchange);
      if (type === null || findMediaType(operation, type)) return null;
      return decide(exchange, { 'header.content-type': describeTypes(operation) }, 'unsupported_media_type');
    },
    onBody: {
      maxBytes: maxBodyBytes,
      wanted(exchange) {
        if (!configuration.body) return false;
        const operation = operations.of(exchange);
        if (!operation) return false;
        const { contentLength } = exchange.request;
        // A body that is only reported isn't rejected for its size.
        if (reports && (contentLength === null || contentLength > maxBodyBytes)) return false;
        if (operation.bodyRequired) return true;
        const type = mediaTypeOf(exchange);
        return type === null ? refuseUnknownMediaTypes : findMediaType(operation, type)?.check != null;
      },
      decide(exchange, body) {
        const operation = operations.of(exchange);
        if (!operation) return null;
        if (body.byteLength === 0) {
          return decide(exchange, operation.bodyRequired ? { body: 'This is missing.' } : {});
        }
        const type = mediaTypeOf(exchange);
        const mediaType = type === null ? null : findMediaType(operation, type);
        if (!mediaType) {
          if (!refuseUnknownMediaTypes) return null;
          return decide(exchange, { 'header.content-type': describeTypes(operation) }, 'unsupported_media_type');
        }
        if (!mediaType.check) return null;
        if (exchange.request.headers.has('content-encoding')) {
          const problem = { 'header.content-encoding': 'Send the body without it.' };
          return decide(exchange, problem, 'unsupported_media_type');
        }
        const problems: Problems = {};
        mediaType.check(body, problems);
        return decide(exchange, problems);
      },
    },
  };
}

function mediaTypeOf({ request: { headers } }: Exchange): string | null {
  const value = headers.get('content-type');
  if (value === null) return null;
  // A request with two content types matches none.
  return headers.isRepeated('content-type') ? '' : value.split(';', 1)[0]!.trim().toLowerCase();
}

/** The media type of the operation that describes it most exactly. */
function findMediaType({ mediaTypes }: Operation, type: string): MediaType | null {
  const [main] = type.split('/');
  for (const range of [type, `${main}/*`, '*/*']) {
    const found = mediaTypes.find((mediaType) => mediaType.range === range);
    if (found && type.includes('/')) return found;
  }
  return null;
}

function describeTypes({ mediaTypes }: Operation): string {
  if (mediaTypes.length === 0) return 'Send no body.';
  return `Use ${mediaTypes.map(({ range }) => range).join(' or ')}.`;
}

/** The operations of a specification, by the routes that are called. */
class Operations {
  readonly #document: Document | null;
  #schemas: Schemas | null = null;
  /** A function that throws, for an operation that cannot be checked. */
  readonly #known = new Map<string, () => Operation | null>();

  constructor(document: Document | null) {
    this.#document = document;
  }

  /**
   * The operation that the request calls; null where none is described.
   *
   * @throws Error where there is no specification, or it cannot be checked
   */
  of({ request: { method }, route }: Exchange): Operation | null {
    const key = `${method} ${route.id}`;
    const known = this.#known.get(key);
    if (known) return known();
    let get: () => Operation | null;
    try {
      const operation = this.#compile(method, route);
      get = () => operation;
    } catch (error) {
      get = () => {
        throw error;
      };
    }
    // Any word may be a method: only those that operations have are remembered.
    if (methods.has(method)) this.#known.set(key, get);
    return get();
  }

  #compile(method: string, route: Exchange['route']): Operation | null {
    const document = this.#document;
    if (!document) throw new Error('The revision has no specification to validate requests against.');
    const found = findOperation(document, method, route);
    if (!found) return null;
    const { operation, item, path } = found;
    this.#schemas ??= new Schemas(document);
    const schemas = this.#schemas;
    const routeNames = new Map(namesOf(path).map((name, index) => [name, namesOf(route.pathPattern)[index] ?? name]));
    const described = new Map<string, unknown>();
    for (const parameter of [item.parameters, operation.parameters].flat()) {
      const { in: place, name } = resolve(document, parameter);
      // The operation's replaces that of its path.
      if (typeof name === 'string') described.set(`${place} ${name}`, parameter);
    }
    const parameters = [...described.values()].flatMap((value) => {
      const parameter = compileParameter(document, schemas, value, routeNames);
      return parameter && !isRest(parameter, route.pathPattern) ? [parameter] : [];
    });
    const body = resolve(document, operation.requestBody);
    const content = isObject(body.content) ? Object.entries(body.content) : [];
    return {
      parameters,
      bodyRequired: body.required === true && content.length > 0,
      mediaTypes: content.map(([range, value]) => ({
        range: range.split(';', 1)[0]!.trim().toLowerCase(),
        check: bodyCheck(document, schemas, range.toLowerCase(), isObject(value) ? value.schema : undefined),
      })),
    };
  }
}

function bodyCheck(document: Document, schemas: Schemas, range: string, schema: unknown): CheckBody | null {
  const isForm = range.startsWith('application/x-www-form-urlencoded');
  if (!isForm && !/^application\/(?:[\w.-]+\+)?json\b/.test(range)) return null;
  const validate = schemas.compile(schema ?? true);
  const shape = isForm ? shapeOf(document, schema) : null;
  return (body, problems) => {
    let value: unknown;
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
      value = shape ? formValue(text, shape) : JSON.parse(text);
    } catch {
      problems.body = shape ? 'Send a form in UTF-8.' : 'Send JSON in UTF-8.';
      return;
    }
    if (!holds(validate, value, problems)) {
      const [path, message] = describeError('body', validate.errors![0]!);
      problems[path] = message;
    }
  };
}

/** Whether the value fits, or is nested so deeply that a problem is stated already. */
function holds(validate: ValidateFunction, value: unknown, problems: Problems): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.body = 'It is nested too deeply.';
    return true;
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface FoundOperation {
  readonly operation: JsonObject;
  readonly item: JsonObject;
  readonly path: string;
}

/** The operation of the route: by its identifier, which the document may state, else by its path. */
function findOperation(document: Document, method: string, route: Exchange['route']): FoundOperation | null {
  const key = method.toLowerCase();
  if (!methods.has(method) || !isObject(document.paths)) return null;
  const template = route.pathPattern.replace(/\/\*$/, '/{rest}');
  let byPath: FoundOperation | null = null;
  for (const [path, value] of Object.entries(document.paths)) {
    const item = resolve(document, value);
    // HEAD asks for what GET answers.
    const operation = item[key] ?? (key === 'head' ? item.get : undefined);
    if (!isObject(operation)) continue;
    const stated = operation['x-route'];
    if (isObject(stated) && stated.id === route.id) return { operation, item, path };
    if (shapeOfPath(path) === shapeOfPath(template)) byPath ??= { operation, item, path };
  }
  return byPath;
}

function shapeOfPath(path: string): string {
  return path.replaceAll(/\{[^{}/]*\}/g, '{}');
}

function namesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}/]*)\}/g)].map(([, name]) => name!);
}

/** Whether the parameter stands for all that is left of a path, which no schema of a segment describes. */
function isRest({ place, routeName }: Parameter, pathPattern: string): boolean {
  return place === 'path' && pathPattern.endsWith('/*') && !namesOf(pathPattern).includes(routeName);
}
