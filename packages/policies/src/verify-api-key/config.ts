import * as z from 'zod';
import type { PolicyKind } from '../kind.ts';

const configuration = z.strictObject({
  location: z.enum(['header', 'query']).default('header').describe('Where callers send the key.'),
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[A-Za-z0-9_.-]+$/, 'Use letters, digits, "_", "." and "-".')
    .default('x-api-key')
    .describe('Name of the header or query parameter that holds the key.'),
  removeFromRequest: z.boolean().default(true).describe('Take the key off before the target is asked.'),
});
type Configuration = z.output<typeof configuration>;

/** Callers by the key of their app. */
export const verifyApiKey = {
  kind: 'verify-api-key',
  title: 'Verify API Key',
  description:
    'Looks up the app that the key belongs to and whether it is subscribed to a product with this API; otherwise 401 or 403.',
  flows: ['request'],
  rank: { request: 20 },
  maxPerFlow: 1,
  configuration,
  defaultConfiguration: { location: 'header', name: 'x-api-key', removeFromRequest: true },
  example: { location: 'header', name: 'x-api-key', removeFromRequest: true },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Callers need a key now.' },
    removed: { breaking: false, reason: 'Callers need no key any more.' },
    changed(before: Configuration, after: Configuration) {
      const place = ({ location, name }: Configuration) =>
        location === 'header' ? `header ${name.toLowerCase()}` : `query parameter ${name}`;
      return place(before) === place(after) ? null : `The key is read from the ${place(after)} now.`;
    },
  },
} as const satisfies PolicyKind;
