import * as z from 'zod';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  maxBodyBytes: z.int().min(0).max(1_073_741_824).describe('Largest body as received, in bytes.'),
  maxHeaderBytes: z
    .int()
    .min(256)
    .max(65_536)
    .default(16_384)
    .describe('Largest sum of all header names and values, in bytes.'),
  maxUrlBytes: z.int().min(64).max(65_536).default(8_192).describe('Longest path with its query, in bytes.'),
});
type Configuration = z.output<typeof configuration>;

/** Requests by their size. */
export const requestSizeLimit = {
  kind: 'request-size-limit',
  title: 'Request Size Limit',
  description: 'Refuses requests that are larger than the target should see, with 413, 414 or 431.',
  flows: ['request'],
  rank: { request: 50 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: { maxBodyBytes: 1_048_576, maxHeaderBytes: 16_384, maxUrlBytes: 8_192 },
  example: { maxBodyBytes: 10_485_760, maxHeaderBytes: 16_384, maxUrlBytes: 8_192 },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Larger requests are refused now.' },
    removed: { breaking: false, reason: 'The limit of size is gone.' },
    changed(before: Configuration, after: Configuration) {
      const limits = ['maxBodyBytes', 'maxHeaderBytes', 'maxUrlBytes'] as const;
      return limits.some((limit) => after[limit] < before[limit]) ? 'Requests that passed are too large now.' : null;
    },
  },
} as const satisfies PolicyKind;
