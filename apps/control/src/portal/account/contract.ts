import * as z from 'zod';
import { exampleDeveloperBilling, GivenDeveloperBilling } from '../../consumers/developers/billing.ts';
import { Developer } from '../../consumers/developers/contract.ts';
import { defineOperation } from '../../frame/operation.ts';
import { PersonName } from '../../identity/users/contract.ts';

/** A developer account as its own portal users see it. */
const PortalAccount = Developer.pick({
  id: true,
  email: true,
  name: true,
  company: true,
  apps: true,
  billing: true,
  version: true,
  createdAt: true,
  updatedAt: true,
}).meta({ id: 'PortalAccount' });
export type PortalAccount = z.infer<typeof PortalAccount>;

/** What an account states about its billing: the organization alone decides how it is taxed. */
const PortalBilling = GivenDeveloperBilling.omit({ taxTreatment: true }).meta({ id: 'PortalBilling' });

const tag = 'Portal';

const exampleAccount = {
  id: 'dev_00000000000000000000000001',
  email: 'sam@example.com',
  name: 'Sam Example',
  company: 'Example Shops',
  apps: 1,
  billing: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};

export const portalAccountOperations = [
  defineOperation({
    id: 'getPortalAccount',
    method: 'GET',
    path: '/portal/account',
    tag,
    summary: 'Show your developer account',
    access: 'portal',
    audit: null,
    request: {},
    data: PortalAccount,
    example: { request: {}, data: exampleAccount },
  }),
  defineOperation({
    id: 'updatePortalAccount',
    method: 'PATCH',
    path: '/portal/account',
    tag,
    summary: 'Change your developer account',
    description: 'How the account is taxed stays as the organization set it.',
    access: 'portal',
    portalRoles: ['owner', 'billing'],
    audit: { category: 'configuration', severity: 'low', entityType: 'developer' },
    production: { exempt: 'one_consumer' },
    request: {
      body: z.strictObject({
        name: PersonName.optional(),
        company: z.string().trim().max(100).optional(),
        billing: PortalBilling.optional(),
      }),
    },
    data: PortalAccount,
    errors: ['version_conflict'],
    example: {
      request: { body: { company: 'Example Shops Ltd' } },
      data: {
        ...exampleAccount,
        company: 'Example Shops Ltd',
        billing: { ...exampleDeveloperBilling, taxTreatment: 'standard' as const },
        version: 2,
      },
    },
  }),
] as const;
