import * as z from 'zod';
import { HeaderValue, WritableHeaderName } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  status: z.int().min(200).max(599).default(200).describe('Status of the answer.'),
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
        value: HeaderValue.describe('Text of the header.'),
      }),
    )
    .max(50)
    .default([])
    .describe('Further headers of the answer.'),
  body: z.string().max(262_144).default('').describe('Body of the answer, as it is sent.'),
  delayMs: z.int().min(0).max(30_000).default(0).describe('Time to wait before the answer, in milliseconds.'),
});
type Configuration = z.output<typeof configuration>;

/** An answer of the gateway's own, in place of a target that does not exist yet. */
export const mockResponse = {
  kind: 'mock-response',
  title: 'Mock Response',
  description: 'Answers by itself; the target is never asked.',
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
    added: { breaking: true, reason: "Answers are the gateway's own now, not the target's." },
    removed: { breaking: true, reason: "Answers are the target's now." },
    changed(before: Configuration, after: Configuration) {
      const same =
        before.status === after.status && before.body === after.body && before.contentType === after.contentType;
      return same ? null : 'Callers get another answer.';
    },
  },
} as const satisfies PolicyKind;
