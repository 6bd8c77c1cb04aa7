import * as z from 'zod';
import { FailOpen } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  parameters: z.boolean().default(true).describe('Check path, query and header parameters.'),
  body: z.boolean().default(true).describe('Check bodies against the schema of their media type.'),
  refuseUnknownQuery: z
    .boolean()
    .default(false)
    .describe('Refuse query parameters that the operation does not describe.'),
  refuseUnknownMediaTypes: z
    .boolean()
    .default(true)
    .describe('Refuse bodies of a media type that the operation does not describe, with 415.'),
  maxBodyBytes: z
    .int()
    .min(1)
    .max(16_777_216)
    .default(1_048_576)
    .describe('Largest body that is read to be checked, in bytes; a larger one is refused with 413.'),
  action: z
    .enum(['refuse', 'report'])
    .default('refuse')
    .describe('refuse: the target never sees a request that does not fit. report: it passes and is logged.'),
  failOpen: FailOpen,
});
type Configuration = z.output<typeof configuration>;

/** Requests against the OpenAPI document of their own revision. */
export const requestValidation = {
  kind: 'request-validation',
  title: 'Request Validation',
  description: "Holds requests against the revision's own OpenAPI document and refuses what does not fit with 400.",
  flows: ['request'],
  rank: { request: 50 },
  maxPerFlow: 1,
  configuration,
  defaultConfiguration: {
    parameters: true,
    body: true,
    refuseUnknownQuery: false,
    refuseUnknownMediaTypes: true,
    maxBodyBytes: 1_048_576,
    action: 'refuse',
    failOpen: false,
  },
  example: {
    parameters: true,
    body: true,
    refuseUnknownQuery: true,
    refuseUnknownMediaTypes: true,
    maxBodyBytes: 262_144,
    action: 'refuse',
    failOpen: false,
  },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Requests that do not fit the specification are refused now.' },
    removed: { breaking: false, reason: 'Requests are no longer held against the specification.' },
    changed(before: Configuration, after: Configuration) {
      if (after.action === 'report') return null;
      if (before.action === 'report') return 'Requests that do not fit are refused now.';
      const checks = ['parameters', 'body', 'refuseUnknownQuery', 'refuseUnknownMediaTypes'] as const;
      if (checks.some((check) => after[check] && !before[check])) return 'More of a request is checked.';
      return after.maxBodyBytes < before.maxBodyBytes ? 'Requests that passed are too large now.' : null;
    },
  },
} as const satisfies PolicyKind;
