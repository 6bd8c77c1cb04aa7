import * as z from 'zod';
import { defineOperation } from '../../frame/operation.ts';

const Revenue = z
  .object({
    key: z.string().describe('Id of the product, plan or developer; the month as 2026-01.'),
    name: z.string(),
    currency: z.string(),
    billedMinor: z.int().describe('On issued invoices, without tax.'),
    creditedMinor: z.int().describe('By issued credit notes, without tax.'),
    netMinor: z.int(),
  })
  .meta({ id: 'Revenue' });

export const revenueOperations = [
  defineOperation({
    id: 'getRevenue',
    method: 'GET',
    path: '/billing/revenue',
    tag: 'Billing',
    summary: 'Show revenue by product, plan, developer or month',
    description:
      'Without tax, by the dates of invoices and credit notes. Drafts and void invoices are left out. At most 1,000 rows: the largest of each currency, or the latest months.',
    access: 'billing.read',
    audit: null,
    request: {
      query: z.strictObject({
        by: z.enum(['product', 'plan', 'developer', 'month']).default('month'),
        from: z.iso.date().optional().describe('First day.'),
        to: z.iso.date().optional().describe('Last day.'),
      }),
    },
    data: z.object({ revenue: z.array(Revenue) }),
    example: {
      request: { query: { by: 'month', from: '2026-01-01', to: '2026-12-31' } },
      data: {
        revenue: [
          {
            key: '2026-02',
            name: '2026-02',
            currency: 'EUR',
            billedMinor: 36_900,
            creditedMinor: 100,
            netMinor: 36_800,
          },
        ],
      },
    },
  }),
] as const;
