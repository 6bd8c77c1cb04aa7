import * as z from 'zod';
import { HeaderValue, WritableHeaderName } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  status: z.int().min(200).max(599).default(200).describe('Status of the response.'),
  contentType: z
    .string()
    .max(200)
    .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/, 'Use a media type such as application/json.')
    .default('application/json')
    .describe('Media type of the body.'),
  headers: z
    .array(
      z.strictObject({
        name: WritableHeaderName.describe('Name of the header.'),
        value: HeaderValue.describe('Value of the header.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Additional response headers.'),
  body: z.string().max(262_144).default('').describe('Response body, exactly as sent.'),
  delayMs: z.int().min(0).max(30_000).default(0).describe('Delay before the response, in milliseconds.'),
});
type Configuration = z.output<typeof configuration>;

/** A response of the gateway itself, for a target that doesn't exist yet. */
export const mockResponse = {
  kind: 'mock-response',
  title: 'Mock Response',
  description: 'Returns a fixed response; the target is never called.',
  flows: ['request'],
  rank: { request: 60 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: { status: 200, contentType: 'application/json', headers: [], body: '{}', delayMs: 0 },
  example: {
    status: 200,
    contentType: 'application/json',
    headers: [{ name: 'x-mock', value: 'true' }],
    body: '{"orderId":"A-1","status":"open"}',
    delayMs: 120,
  },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Responses now come from the gateway, not the target.' },
    removed: { breaking: true, reason: 'Responses now come from the target.' },
    changed(before: Configuration, after: Configuration) {
      const same =
        before.status === after.status && before.body === after.body && before.contentType === after.contentType;
      return same ? null : 'Callers get a different response.';
    },
  },
} as const satisfies PolicyKind;
