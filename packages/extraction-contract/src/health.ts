import * as z from 'zod';
import { anyCallErrors, defineOperation, everyOperation } from './operation.ts';

const getHealth = defineOperation({
  ...everyOperation,
  id: 'getHealth',
  method: 'GET',
  path: '/api/external/v1/health',
  scopes: [],
  tag: 'Health',
  summary: 'Check the API key',
  description: 'Confirms that the key works.',
  request: {},
  responses: {
    200: { description: 'The key works.', body: z.object({ ok: z.literal(true) }).meta({ id: 'Health' }) },
  },
  errors: anyCallErrors,
  examples: [{ summary: 'The key works', request: {}, answer: { status: 200, body: { ok: true } } }],
});

export const healthOperations = [getHealth] as const;
