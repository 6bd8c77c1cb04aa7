import * as z from 'zod';
import { HeaderName } from './http.ts';

/** Whose requests are counted together. */
export const CountedPer = z
  .enum(['app', 'product', 'route', 'key', 'ip'])
  .default('app')
  .describe('Whose requests are counted together: those of an app, a product, a route, a key, or a network address.');

/** Whether all requests of one caller by key are counted together. */
export function isPerCaller(per: z.output<typeof CountedPer>): boolean {
  return per === 'app' || per === 'product' || per === 'key';
}

export const IdentifierHeader = HeaderName.nullable()
  .default(null)
  .describe('Count each value of this request header separately, such as a customer number; null: no header.');

/** How exactly the nodes of a gateway count together. */
export const CountingMode = z
  .enum(['strict', 'fast'])
  .default('strict')
  .describe(
    'strict: every request checks the store shared by all nodes, and none exceeds the limit. fast: nodes lease parts of ' +
      'the limit, which can be exceeded by at most (nodes - 1) leases.',
  );
