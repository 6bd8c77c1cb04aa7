import type { Dimension } from './address.ts';

/** What a dimension's rows are called whose value the gateway doesn't know. */
export const unknownNames: Readonly<Partial<Record<Dimension['by'], string>>> = {
  app: 'No known app',
  product: 'No product',
};
