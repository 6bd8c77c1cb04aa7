import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';
import { Email } from '../../identity/auth/contract.ts';
import { PersonName } from '../../identity/users/contract.ts';
import { App, appFilters, appSorts, exampleApp } from '../apps/contract.ts';
import { DeveloperBilling, exampleDeveloperBilling, GivenDeveloperBilling } from './billing.ts';

export const Developer = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    company: z.string(),
    userId: z.string().nullable().describe('The portal user, if the developer signs in there.'),
    state: z.enum(['active', 'suspended']).describe('The apps of a suspended developer are rejected.'),
    apps: z.int().describe('How many apps are registered for the developer.'),
    billing: DeveloperBilling.nullable().describe('Needed to issue invoices; null: not known yet.'),
    ...versioned,
  })
  .meta({ id: 'Developer' });

/** The days to report usage for; both are optional. */
export const usageRange = {
  from: z.iso.date().optional().describe('First day, in UTC. Default: 29 days before the last.'),
  to: z.iso.date().optional().describe('Last day, in UTC. Default: today.'),
} as const;

const counts = {
  requests: z.int(),
  succeeded: z.int().describe('Responses 2xx or 3xx.'),
  failed: z.int().describe('Responses 4xx or 5xx.'),
  errors: z.int().describe('Responses 5xx; included in failed.'),
  limited: z.int().describe('Rejected with 429 by the gateway; included in failed.'),
  requestBytes: z.int(),
  responseBytes: z.int(),
} as const;

export const Counts = z.object(counts);

/** Calls of some days, as the gateway nodes reported them. */
export const Usage = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    total: Counts,
    days: z.array(z.object({ day: z.iso.date(), ...counts })).describe('Every day of the range, in UTC.'),
    products: z
      .array(
        z.object({ productId: Id, productName: z.string().nullable().describe('Null: it was deleted.'), ...counts }),
      )
      .describe('By product, most calls first.'),
  })
  .meta({ id: 'Usage' });

const fields = {
  email: Email,
  name: PersonName,
  company: z.string().trim().max(100),
  billing: GivenDeveloperBilling.nullable(),
};

const params = z.object({ developerId: Id });
const audit = { category: 'configuration', severity: 'low', entityType: 'developer' } as const;
const stopping = { ...audit, severity: 'medium' } as const;
const tag = 'Developers';

const exampleDeveloper = {
  id: exampleApp.developerId,
  email: 'sam@example.com',
  name: exampleApp.developerName,
  company: 'Example Shops',
  userId: null,
  state: 'active' as const,
  apps: 1,
  billing: exampleDeveloperBilling,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { developerId: exampleDeveloper.id };
export const exampleCounts = {
  requests: 1_200,
  succeeded: 1_150,
  failed: 50,
  errors: 10,
  limited: 20,
  requestBytes: 240_000,
  responseBytes: 4_800_000,
};
/** Calls of a day in the examples of the reference. */
export const exampleUsage = {
  from: '2026-01-15',
  to: '2026-01-15',
  total: exampleCounts,
  days: [{ day: '2026-01-15', ...exampleCounts }],
  products: [{ productId: 'prd_00000000000000000000000001', productName: 'Orders', ...exampleCounts }],
};
export const developerOperations = [
  defineOperation({
    id: 'listDevelopers',
    method: 'GET',
    path: '/developers',
    tag,
    summary: 'List developers',
    access: 'developer.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'name', 'email', 'company', 'updatedAt'], {
        state: Developer.shape.state.optional(),
      }),
    },
    data: listData('developers', Developer),
    example: { request: { query: { search: 'example' } }, data: { developers: [exampleDeveloper], total: 1 } },
  }),
  defineOperation({
    id: 'createDeveloper',
    method: 'POST',
    path: '/developers',
    tag,
    summary: 'Register a developer',
    description: 'A person or company that calls the APIs through apps.',
    access: 'developer.write',
    audit,
    production: { exempt: 'one_consumer' },
    request: {
      body: z.strictObject({
        ...fields,
        company: fields.company.default(''),
        billing: fields.billing.default(null),
      }),
    },
    data: Developer,
    status: 201,
    example: {
      request: { body: { email: 'lee@example.com', name: 'Lee Example' } },
      data: { ...exampleDeveloper, email: 'lee@example.com', name: 'Lee Example', company: '', billing: null, apps: 0 },
    },
  }),
  defineOperation({
    id: 'getDeveloper',
    method: 'GET',
    path: '/developers/:developerId',
    tag,
    summary: 'Show a developer',
    access: 'developer.read',
    audit: null,
    request: { params },
    data: Developer,
    example: { request: { params: exampleParams }, data: exampleDeveloper },
  }),
  defineOperation({
    id: 'updateDeveloper',
    method: 'PATCH',
    path: '/developers/:developerId',
    tag,
    summary: 'Change a developer',
    access: 'developer.write',
    audit,
    production: { exempt: 'one_consumer' },
    request: { params, body: z.strictObject(fields).partial() },
    data: Developer,
    example: {
      request: { params: exampleParams, body: { company: 'Example Shops Ltd' } },
      data: { ...exampleDeveloper, company: 'Example Shops Ltd', version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteDeveloper',
    method: 'DELETE',
    path: '/developers/:developerId',
    tag,
    summary: 'Delete a developer without apps',
    description: 'Rejected while the developer has apps or unassigned prepaid money.',
    access: 'developer.delete',
    audit: stopping,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'suspendDeveloper',
    method: 'POST',
    path: '/developers/:developerId/suspend',
    tag,
    summary: 'Suspend a developer',
    description: 'Within a second every gateway node rejects the developer’s apps.',
    access: 'developer.write',
    audit: stopping,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: Developer,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleDeveloper, state: 'suspended', version: 2 } },
  }),
  defineOperation({
    id: 'activateDeveloper',
    method: 'POST',
    path: '/developers/:developerId/activate',
    tag,
    summary: 'Activate a suspended developer',
    access: 'developer.write',
    audit: stopping,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: Developer,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleDeveloper, version: 3 } },
  }),
  defineOperation({
    id: 'listDeveloperApps',
    method: 'GET',
    path: '/developers/:developerId/apps',
    tag,
    summary: 'List a developer’s apps',
    access: 'app.read',
    audit: null,
    request: { params, query: listQuery(appSorts, appFilters) },
    data: listData('apps', App),
    example: { request: { params: exampleParams, query: {} }, data: { apps: [exampleApp], total: 1 } },
  }),
  defineOperation({
    id: 'getDeveloperUsage',
    method: 'GET',
    path: '/developers/:developerId/usage',
    tag,
    summary: 'Show the usage of a developer’s apps',
    description: 'In total, by day and by product; at most 366 days.',
    access: 'analytics.read',
    audit: null,
    request: { params, query: z.strictObject(usageRange) },
    data: Usage,
    example: {
      request: { params: exampleParams, query: { from: '2026-01-15', to: '2026-01-15' } },
      data: exampleUsage,
    },
  }),
] as const;
