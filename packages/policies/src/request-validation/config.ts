import * as z from 'zod';
import { FailOpen } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  parameters: z.boolean().default(true).describe('Check path, query and header parameters.'),
  body: z.boolean().default(true).describe('Check bodies against the schema of their media type.'),
  refuseUnknownQuery: z
    .boolean()
    .default(false)
    .describe('Reject query parameters that the operation doesn’t describe.'),
  refuseUnknownMediaTypes: z
    .boolean()
    .default(true)
    .describe('Reject bodies of a media type that the operation doesn’t describe, with 415.'),
  maxBodyBytes: z
    .int()
    .min(1)
    .max(16_777_216)
    .default(1_048_576)
    .describe('Largest body that is validated, in bytes; a larger one is rejected with 413.'),
  action: z
    .enum(['refuse', 'report'])
    .default('refuse')
    .describe('refuse: invalid requests never reach the target. report: they pass and are logged.'),
  failOpen: FailOpen,
});
type Configuration = z.output<typeof configuration>;

/** Validation of requests against the OpenAPI document of their revision. */
export const requestValidation = {
  kind: 'request-validation',
  title: 'Request Validation',
  description:
    "Validates requests against the revision's OpenAPI document and rejects invalid ones with 400. Can't validate the bodies of gRPC calls, and rejects those that it would have to.",
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
    added: { breaking: true, reason: 'Requests that don’t match the specification are now rejected.' },
    removed: { breaking: false, reason: 'Requests are no longer validated against the specification.' },
    changed(before: Configuration, after: Configuration) {
      if (after.action === 'report') return null;
      if (before.action === 'report') return 'Invalid requests are now rejected.';
      const checks = ['parameters', 'body', 'refuseUnknownQuery', 'refuseUnknownMediaTypes'] as const;
      if (checks.some((check) => after[check] && !before[check])) return 'More of each request is validated.';
      return after.maxBodyBytes < before.maxBodyBytes ? 'Requests that passed are now too large.' : null;
    },
  },
} as const satisfies PolicyKind;
