import * as z from 'zod';
import { HeaderName } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  ttlSeconds: z.int().min(1).max(86_400).describe('How long an answer is kept.'),
  methods: z
    .array(z.enum(['GET', 'HEAD']))
    .min(1)
    .max(2)
    .default(['GET', 'HEAD'])
    .describe('Methods whose answers are kept.'),
  statuses: z
    .array(z.union([z.literal(200), z.literal(203), z.literal(204), z.literal(301), z.literal(404), z.literal(410)]))
    .min(1)
    .max(6)
    .default([200])
    .describe('Statuses of answers that are kept.'),
  varyByCaller: z
    .boolean()
    .default(true)
    .describe('Keep answers apart per app or token. Turn it off only where every caller may see the same.'),
  varyByHeaders: z
    .array(HeaderName)
    .max(20)
    .default(['accept', 'accept-encoding', 'accept-language'])
    .describe('Request headers by whose values answers are kept apart, even those that clients send anew each time.'),
  ignoredHeaders: z
    .array(HeaderName)
    .max(50)
    .default([])
    .describe(
      'Request headers that never change an answer. Answers are kept apart by every header that is not known to be harmless.',
    ),
  varyByQuery: z
    .array(z.string().min(1).max(100))
    .max(50)
    .nullable()
    .default(null)
    .describe(
      'Query parameters by whose values answers are kept apart; null: all of them. Name all that targets answer by.',
    ),
  respectCacheControl: z
    .boolean()
    .default(true)
    .describe("Obey the target's Cache-Control: never keep what it forbids, nor longer than it says."),
  maxBodyBytes: z.int().min(1).max(16_777_216).default(1_048_576).describe('Largest answer that is kept, in bytes.'),
});

/** Answers kept by the gateway (RFC 9111). */
export const responseCache = {
  kind: 'response-cache',
  title: 'Response Cache',
  description:
    'On the request flow, answers from the cache what it holds. On the response flow, stores the answer. Attach it to both, with the same configuration.',
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
    added: { breaking: false, reason: 'Answers may be as old as the cache keeps them.' },
    removed: { breaking: false, reason: "Every answer is the target's own." },
    changed() {
      return null;
    },
  },
} as const satisfies PolicyKind;
