import { type Json, type JsonObject, objectAt, textAt } from './document.ts';

interface GatewayAnswer {
  readonly status: string;
  readonly name: string;
  readonly description: string;
  readonly message: string;
  /** Kinds of policies that respond this way. */
  readonly kinds: readonly string[];
}

const answers: readonly GatewayAnswer[] = [
  {
    status: '400',
    name: 'GatewayBadRequest',
    description: 'The request doesn’t match this document. See `errors`.',
    message: 'Correct the fields listed in errors.',
    kinds: ['request-validation'],
  },
  {
    status: '401',
    name: 'GatewayUnauthorized',
    description: 'The credentials are missing, unknown or expired.',
    message: 'Send valid credentials.',
    kinds: ['verify-api-key', 'verify-jwt'],
  },
  {
    status: '403',
    name: 'GatewayForbidden',
    description: 'The caller may not use this operation.',
    message: 'Subscribe to a product with this API, or call from an allowed network.',
    kinds: ['verify-api-key', 'verify-jwt', 'ip-allow-list'],
  },
  {
    status: '413',
    name: 'GatewayContentTooLarge',
    description: 'The body is too large.',
    message: 'Send a smaller body.',
    kinds: ['request-size-limit', 'request-validation'],
  },
  {
    status: '415',
    name: 'GatewayUnsupportedMediaType',
    description: 'The body is of a media type that this document does not describe.',
    message: 'Send a described media type.',
    kinds: ['request-validation'],
  },
  {
    status: '429',
    name: 'GatewayTooManyRequests',
    description: 'A limit is reached. Wait for the seconds in Retry-After.',
    message: 'Wait for the time in Retry-After, then try again.',
    kinds: ['quota', 'spike-arrest'],
  },
];

const limitHeaders: JsonObject = {
  'X-RateLimit-Limit': { description: 'Requests admitted in this window.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'End of this window, in Unix seconds.', schema: { type: 'integer' } },
};

const retryAfter: JsonObject = { description: 'Seconds to wait.', schema: { type: 'integer' } };

const errorSchema: JsonObject = {
  type: 'object',
  description: 'A response of the gateway itself.',
  required: ['code', 'status', 'data'],
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    status: { type: 'boolean', const: false },
    data: {
      type: 'object',
      required: ['message'],
      properties: {
        message: { type: 'string' },
        errors: {
          type: 'object',
          description: 'Errors by field.',
          additionalProperties: { type: 'string' },
        },
      },
    },
  },
};

/**
 * Components including those that the gateway's responses need with policies of these kinds, replacing earlier ones:
 * the error schema, the responses, the limit headers.
 */
export function withGatewayComponents(components: JsonObject, kinds: ReadonlySet<string>): JsonObject {
  const used = answers.filter((answer) => answersFor(answer, kinds));
  const limited = used.some(({ status }) => status === '429');
  const own: Readonly<Record<string, JsonObject>> = {
    schemas: used.length > 0 ? { GatewayError: errorSchema } : {},
    responses: Object.fromEntries(used.map((answer) => [answer.name, responseOf(answer)])),
    headers: limited ? limitHeaders : {},
  };
  const written = new Set(['GatewayError', ...answers.map(({ name }) => name), ...Object.keys(limitHeaders)]);
  const { schemas, responses, headers, ...rest } = components;
  const merged = Object.entries({ schemas, responses, headers }).map(([section, named]) => {
    const kept = Object.entries(objectAt(named)).filter(([name]) => !written.has(name));
    return [section, { ...Object.fromEntries(kept), ...own[section] }] as const;
  });
  return { ...rest, ...Object.fromEntries(merged.filter(([, named]) => Object.keys(named).length > 0)) };
}

function responseOf({ status, description, message }: GatewayAnswer): JsonObject {
  return {
    description,
    ...(status === '429' ? { headers: { ...limitReferences(), 'Retry-After': retryAfter } } : {}),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/GatewayError' },
        example: { code: Number(status), status: false, data: { message } },
      },
    },
  };
}

function answersFor(answer: GatewayAnswer, kinds: ReadonlySet<string>): boolean {
  return answer.kinds.some((kind) => kinds.has(kind));
}

/** The gateway's responses, by status, on a route with policies of these kinds. The text of 429 contains the limits. */
export function errorResponses(kinds: ReadonlySet<string>, limits: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    answers
      .filter((answer) => answersFor(answer, kinds))
      .map(({ status, name, description }) => [
        status,
        {
          $ref: `#/components/responses/${name}`,
          ...(status === '429' && limits.length > 0
            ? { description: `${description} Limits: ${limits.map(({ text }) => text).join('; ')}.` }
            : {}),
        },
      ]),
  );
}

/** Whether a response is one of the gateway's, by reference. */
export function isGatewayReference(response: Json): boolean {
  const reference = textAt(objectAt(response).$ref);
  return answers.some(({ name }) => reference === `#/components/responses/${name}`);
}

/** A response with the limit headers, or without those added here. */
export function rateLimitHeaders(response: JsonObject, limited: boolean): JsonObject {
  if (response.$ref !== undefined) return response;
  const { headers, ...rest } = response;
  const references = limitReferences();
  const own = Object.entries(objectAt(headers)).filter(
    ([name, header]) =>
      textAt(objectAt(header).$ref) !== textAt(objectAt(references[name]).$ref) || !(name in references),
  );
  const all = { ...(limited ? references : {}), ...Object.fromEntries(own) };
  return Object.keys(all).length > 0 ? { ...rest, headers: all } : rest;
}

function limitReferences(): JsonObject {
  return Object.fromEntries(Object.keys(limitHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
