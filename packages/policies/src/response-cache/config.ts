import * as z from 'zod';
import { HeaderName } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  ttlSeconds: z.int().min(1).max(86_400).describe('How long a response is cached.'),
  methods: z
    .array(z.enum(['GET', 'HEAD']))
    .min(1)
    .max(2)
    .default(['GET', 'HEAD'])
    .describe('Methods whose responses are cached.'),
  statuses: z
    .array(z.union([z.literal(200), z.literal(203), z.literal(204), z.literal(301), z.literal(404), z.literal(410)]))
    .min(1)
    .max(6)
    .default([200])
    .describe('Statuses of responses that are cached.'),
  varyByCaller: z
    .boolean()
    .default(true)
    .describe('Cache separately per app or token. Only turn this off if every caller may see the same response.'),
  varyByHeaders: z
    .array(HeaderName)
    .max(20)
    .default(['accept', 'accept-encoding', 'accept-language'])
    .describe('Request headers whose values have separate cache entries, even headers that differ with each request.'),
  ignoredHeaders: z
    .array(HeaderName)
    .max(50)
    .default([])
    .describe(
      'Request headers that never affect a response. All others have separate cache entries by value, unless known to be harmless.',
    ),
  varyByQuery: z
    .array(z.string().min(1).max(100))
    .max(50)
    .nullable()
    .default(null)
    .describe(
      'Query parameters whose values have separate cache entries; null: all of them. List every one that affects a response.',
    ),
  respectCacheControl: z
    .boolean()
    .default(true)
    .describe("Obey the target's Cache-Control: what may be cached, and for how long."),
  maxBodyBytes: z
    .int()
    .min(1)
    .max(16_777_216)
    .default(1_048_576)
    .describe('Largest response that is cached, in bytes.'),
});

/** Responses cached by the gateway (RFC 9111). */
export const responseCache = {
  kind: 'response-cache',
  title: 'Response Cache',
  description:
    'On the request flow, responds from the cache. On the response flow, stores responses. Attach it to both, with the same configuration.',
  flows: ['request', 'response'],
  rank: { request: 60, response: 20 },
  maxPerFlow: 1,
  configuration,
  defaultConfiguration: {
    ttlSeconds: 60,
    methods: ['GET', 'HEAD'],
    statuses: [200],
    varyByCaller: true,
    varyByHeaders: ['accept', 'accept-encoding', 'accept-language'],
    ignoredHeaders: [],
    varyByQuery: null,
    respectCacheControl: true,
    maxBodyBytes: 1_048_576,
  },
  example: {
    ttlSeconds: 300,
    methods: ['GET'],
    statuses: [200, 404],
    varyByCaller: false,
    varyByHeaders: ['accept-language'],
    ignoredHeaders: ['x-client-version'],
    varyByQuery: ['page', 'pageSize'],
    respectCacheControl: true,
    maxBodyBytes: 262_144,
  },
  secretFields: [],
  impact: {
    added: { breaking: false, reason: 'Responses may come from the cache and be that old.' },
    removed: { breaking: false, reason: 'Every response comes from the target.' },
    changed() {
      return null;
    },
  },
} as const satisfies PolicyKind;
