import { hostName } from '@millrace/operations/host-name';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

const HostName = hostName('Must be a host name such as developers.example.com, without scheme or port.');

export const PortalDomain = z
  .object({
    id: Id,
    hostName: z.string(),
    state: z.enum(['pending', 'verified']).describe('The portal answers at verified ones alone.'),
    primary: z.boolean().describe('Whether links to the portal use it; one verified domain can be.'),
    recordName: z.string().describe('Name of the DNS TXT record that proves the ownership.'),
    recordValue: z.string().describe('What this record has to contain.'),
    verifiedAt: Time.nullable(),
    checkedAt: Time.nullable().describe('When the record was last looked up.'),
    problem: z.string().nullable().describe('Why that didn’t verify the domain; null if it did.'),
    missingSince: Time.nullable().describe(
      'Since when a verified domain’s record is absent or wrong. After 7 days, the domain is no longer verified.',
    ),
    ...versioned,
  })
  .meta({ id: 'PortalDomain' });
export type PortalDomain = z.infer<typeof PortalDomain>;

const params = z.object({ domainId: Id });
const audit = { category: 'security', severity: 'medium', entityType: 'portal_domain' } as const;
const tag = 'Portal';

const exampleDomain = {
  id: 'pdm_00000000000000000000000001',
  hostName: 'developers.acme.example',
  state: 'pending' as const,
  primary: false,
  recordName: '_millrace.developers.acme.example',
  recordValue: 'millrace-verification=0b8f6c1d2e3a4f5061728394a5b6c7d8',
  verifiedAt: null,
  checkedAt: null,
  problem: null,
  missingSince: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const verified = {
  ...exampleDomain,
  state: 'verified' as const,
  primary: true,
  verifiedAt: '2026-01-15T10:00:00.000Z',
  checkedAt: '2026-01-15T10:00:00.000Z',
  version: 2,
};
const exampleParams = { domainId: exampleDomain.id };

export const portalDomainOperations = [
  defineOperation({
    id: 'listPortalDomains',
    method: 'GET',
    path: '/portal-domains',
    tag,
    summary: 'List the portal’s domains',
    access: 'portal.read',
    audit: null,
    request: { query: listQuery(['hostName', '-createdAt'], { state: PortalDomain.shape.state.optional() }) },
    data: listData('domains', PortalDomain),
    example: { request: { query: {} }, data: { domains: [exampleDomain], total: 1 } },
  }),
  defineOperation({
    id: 'createPortalDomain',
    method: 'POST',
    path: '/portal-domains',
    tag,
    summary: 'Add a domain to the portal',
    description: 'The portal answers there once a DNS TXT record has verified the domain.',
    access: 'portal.write',
    audit,
    production: 'never',
    request: { body: z.strictObject({ hostName: HostName }) },
    data: PortalDomain,
    status: 201,
    errors: ['conflict'],
    example: {
      request: { body: { hostName: 'api-docs.acme.example' } },
      data: { ...exampleDomain, hostName: 'api-docs.acme.example', recordName: '_millrace.api-docs.acme.example' },
    },
  }),
  defineOperation({
    id: 'getPortalDomain',
    method: 'GET',
    path: '/portal-domains/:domainId',
    tag,
    summary: 'Show a domain of the portal',
    access: 'portal.read',
    audit: null,
    request: { params },
    data: PortalDomain,
    example: { request: { params: exampleParams }, data: exampleDomain },
  }),
  defineOperation({
    id: 'updatePortalDomain',
    method: 'PATCH',
    path: '/portal-domains/:domainId',
    tag,
    summary: 'Choose the portal’s primary domain',
    access: 'portal.write',
    audit,
    production: 'never',
    request: { params, body: z.strictObject({ primary: z.boolean() }) },
    data: PortalDomain,
    errors: ['conflict'],
    example: { request: { params: exampleParams, body: { primary: false } }, data: exampleDomain },
  }),
  defineOperation({
    id: 'deletePortalDomain',
    method: 'DELETE',
    path: '/portal-domains/:domainId',
    tag,
    summary: 'Remove a domain from the portal',
    access: 'portal.write',
    audit,
    production: 'never',
    request: { params },
    data: z.object({}),
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'verifyPortalDomain',
    method: 'POST',
    path: '/portal-domains/:domainId/verify',
    tag,
    summary: 'Verify a domain of the portal',
    description:
      'Looks the DNS TXT record up. Without the record, the domain stays as it is, and `problem` says what was found.',
    access: 'portal.write',
    audit,
    production: 'never',
    request: { params },
    data: PortalDomain,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: verified },
  }),
] as const;
