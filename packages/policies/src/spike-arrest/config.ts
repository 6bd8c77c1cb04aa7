import * as z from 'zod';
import { CountedPer, CountingMode, IdentifierHeader } from '../counting.ts';
import { FailOpen } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z
  .strictObject({
    ratePerSecond: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullable()
      .default(null)
      .describe('Requests allowed per second; null if the rate is given per minute.'),
    ratePerMinute: z
      .int()
      .min(1)
      .max(60_000_000)
      .nullable()
      .default(null)
      .describe('Requests allowed per minute; null if the rate is given per second.'),
    burst: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1)
      .describe('Requests that may come at once after a pause; 1: only evenly spaced ones.'),
    per: CountedPer,
    identifierHeader: IdentifierHeader,
    mode: CountingMode,
    failOpen: FailOpen,
  })
  .refine(({ ratePerSecond, ratePerMinute }) => (ratePerSecond === null) !== (ratePerMinute === null), {
    path: ['ratePerSecond'],
    error: 'Give the rate either per second or per minute.',
  });
type Configuration = z.output<typeof configuration>;

/** Requests smoothed to a rate. */
export const spikeArrest = {
  kind: 'spike-arrest',
  title: 'Spike Arrest',
  description: 'Smooths requests to a rate plus a burst, and rejects faster ones with 429.',
  flows: ['request'],
  rank: { request: 40 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: {
    ratePerSecond: 50,
    ratePerMinute: null,
    burst: 10,
    per: 'app',
    identifierHeader: null,
    mode: 'strict',
    failOpen: false,
  },
  example: {
    ratePerSecond: 20,
    ratePerMinute: null,
    burst: 40,
    per: 'app',
    identifierHeader: null,
    mode: 'fast',
    failOpen: false,
  },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Callers now have a rate limit.' },
    removed: { breaking: false, reason: 'Callers no longer have this rate limit.' },
    changed(before: Configuration, after: Configuration) {
      if (before.per !== after.per) return `Requests are now counted per ${after.per}.`;
      if (before.identifierHeader !== null && before.identifierHeader !== after.identifierHeader) {
        return 'Requests that were counted separately are now counted together.';
      }
      if (perMinute(after) < perMinute(before)) return 'The rate is lower.';
      return after.burst < before.burst ? 'The burst is smaller.' : null;
    },
  },
} as const satisfies PolicyKind;

function perMinute({ ratePerSecond, ratePerMinute }: Configuration): number {
  return ratePerMinute ?? (ratePerSecond ?? 0) * 60;
}
