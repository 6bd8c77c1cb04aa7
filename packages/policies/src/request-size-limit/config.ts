import * as z from 'zod';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  maxBodyBytes: z.int().min(0).max(1_073_741_824).describe('Maximum body size as received, in bytes.'),
  maxHeaderBytes: z
    .int()
    .min(256)
    .max(65_536)
    .default(16_384)
    .describe('Maximum total of all header names and values, in bytes.'),
  maxUrlBytes: z
    .int()
    .min(64)
    .max(65_536)
    .default(8_192)
    .describe('Maximum length of the path with its query, in bytes.'),
});
type Configuration = z.output<typeof configuration>;

/** A limit on the size of requests. */
export const requestSizeLimit = {
  kind: 'request-size-limit',
  title: 'Request Size Limit',
  description: 'Rejects requests that are too large for the target, with 413, 414 or 431.',
  flows: ['request'],
  rank: { request: 50 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: { maxBodyBytes: 1_048_576, maxHeaderBytes: 16_384, maxUrlBytes: 8_192 },
  example: { maxBodyBytes: 10_485_760, maxHeaderBytes: 16_384, maxUrlBytes: 8_192 },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Larger requests are now rejected.' },
    removed: { breaking: false, reason: 'Requests no longer have a size limit.' },
    changed(before: Configuration, after: Configuration) {
      const limits = ['maxBodyBytes', 'maxHeaderBytes', 'maxUrlBytes'] as const;
      return limits.some((limit) => after[limit] < before[limit]) ? 'Requests that passed are now too large.' : null;
    },
  },
} as const satisfies PolicyKind;
