import * as z from 'zod';
import { CountedPer, CountingMode, IdentifierHeader } from '../counting.ts';
import { FailOpen } from '../http.ts';
import type { PolicyKind } from '../policies.ts';

/** Requests in a long window. */
export const quota = {
  kind: 'quota',
  title: 'Quota',
  description:
    'Admits a number of requests per window and refuses the rest with 429. A subscription may override the limit.',
  flows: ['request'],
  rank: { request: 30 },
  maxPerFlow: null,
  configuration: z.strictObject({
    limit: z.int().min(1).max(1_000_000_000_000).describe('Requests admitted in one window.'),
    window: z
      .strictObject({
        unit: z.enum(['minute', 'hour', 'day', 'month']).describe('Unit of the window, counted in UTC.'),
        count: z.int().min(1).max(1_000).default(1).describe('Units in one window.'),
      })
      .describe('Length of the window. Windows start at whole units of the UTC calendar.'),
    per: CountedPer,
    identifierHeader: IdentifierHeader,
    mode: CountingMode,
    failOpen: FailOpen,
  }),
  defaultConfiguration: {
    limit: 10_000,
    window: { unit: 'day', count: 1 },
    per: 'app',
    identifierHeader: null,
    mode: 'strict',
    failOpen: false,
  },
  example: {
    limit: 100_000,
    window: { unit: 'month', count: 1 },
    per: 'app',
    identifierHeader: null,
    mode: 'strict',
    failOpen: false,
  },
  secretFields: [],
} as const satisfies PolicyKind;
