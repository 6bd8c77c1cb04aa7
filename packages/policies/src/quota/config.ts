import * as z from 'zod';
import { CountedPer, CountingMode, IdentifierHeader } from '../counting.ts';
import { FailOpen } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  limit: z.int().min(1).max(1_000_000_000_000).describe('Requests allowed per window.'),
  window: z
    .strictObject({
      unit: z.enum(['minute', 'hour', 'day', 'month']).describe('Unit of the window, in UTC.'),
      count: z.int().min(1).max(1_000).default(1).describe('Units per window.'),
    })
    .describe('Length of the window. Windows start at full units of the UTC calendar.'),
  per: CountedPer,
  identifierHeader: IdentifierHeader,
  mode: CountingMode,
  failOpen: FailOpen,
});
type Configuration = z.output<typeof configuration>;

/** A limit of requests per calendar window. */
export const quota = {
  kind: 'quota',
  title: 'Quota',
  description:
    'Admits a number of requests per window and rejects the rest with 429. A subscription can override the limit.',
  flows: ['request'],
  rank: { request: 30 },
  maxPerFlow: null,
  configuration,
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
  impact: {
    added: { breaking: true, reason: 'Callers now have a limit.' },
    removed: { breaking: false, reason: 'Callers no longer have this limit.' },
    changed(before: Configuration, after: Configuration) {
      if (before.per !== after.per) return `Requests are now counted per ${after.per}.`;
      if (before.identifierHeader !== null && before.identifierHeader !== after.identifierHeader) {
        return 'Requests that were counted separately are now counted together.';
      }
      return after.limit < before.limit * Math.max(1, windowRatio(before, after))
        ? 'Fewer requests are allowed.'
        : null;
    },
  },
} as const satisfies PolicyKind;

/** How much longer the window is now. A month counts with the length that errs towards breaking. */
function windowRatio(before: Configuration, after: Configuration): number {
  if (before.window.unit === after.window.unit) return after.window.count / before.window.count;
  return (
    ({ ...unitMinutes, month: 44_640 }[after.window.unit] * after.window.count) /
    ({ ...unitMinutes, month: 40_320 }[before.window.unit] * before.window.count)
  );
}

const unitMinutes = { minute: 1, hour: 60, day: 1_440 } as const;
