import type * as z from 'zod';
import { Developer } from '../../consumers/developers/contract.ts';
import { defineOperation } from '../../frame/operation.ts';

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
] as const;
