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
    .describe('Name of the header or query parameter with the key.'),
  removeFromRequest: z.boolean().default(true).describe('Remove the key before calling the target.'),
});
type Configuration = z.output<typeof configuration>;

/** Identifies callers by the key of their app. */
export const verifyApiKey = {
  kind: 'verify-api-key',
  title: 'Verify API Key',
  description:
    'Identifies the app by its key and checks that it is subscribed to a product with this API; otherwise returns 401 or 403.',
  flows: ['request'],
  rank: { request: 20 },
  maxPerFlow: 1,
  configuration,
  defaultConfiguration: { location: 'header', name: 'x-api-key', removeFromRequest: true },
  example: { location: 'header', name: 'x-api-key', removeFromRequest: true },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Callers now need a key.' },
    removed: { breaking: false, reason: 'Callers no longer need a key.' },
    changed(before: Configuration, after: Configuration) {
      const place = ({ location, name }: Configuration) =>
        location === 'header' ? `header ${name.toLowerCase()}` : `query parameter ${name}`;
      return place(before) === place(after) ? null : `The key is now read from the ${place(after)}.`;
    },
  },
} as const satisfies PolicyKind;
