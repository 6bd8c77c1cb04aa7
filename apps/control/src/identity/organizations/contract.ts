import { displayName } from '@millrace/operations/display-name';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

export const Organization = z
  .object({
    id: Id,
    name: Name,
    displayName: z.string(),
    platform: z.boolean().describe('The organization of the Super Admins.'),
    state: z.enum(['active', 'suspended']),
    ...versioned,
  })
  .meta({ id: 'Organization' });

/** Of tax rates and prices: exact, as text. */
const Decimal = z.string().regex(/^\d{1,3}(?:\.\d{1,4})?$/, 'Must be a decimal number such as 19 or 7.7.');

/** Stages for which an organization can require another approval. */
const approvalStages = ['approved', 'published', 'deprecated', 'retired'] as const;

export const OrganizationSettings = z
  .object({
    currency: z.string().regex(/^[A-Z]{3}$/, 'Must be an ISO 4217 code such as EUR.'),
    tax: z.strictObject({
      name: z.string().min(1).max(40),
      ratePercent: Decimal,
      registrationId: z.string().max(40).nullable(),
    }),
    invoiceNumbering: z.strictObject({
      prefix: z
        .string()
        .max(20)
        .regex(/^[A-Za-z0-9/-]*$/, 'Use letters, digits, "/" and "-".'),
      next: z.int().min(1).max(999_999_999),
    }),
    approval: z.strictObject({
      requiredFor: z
        .array(z.enum(approvalStages))
        .max(approvalStages.length)
        .describe('Moves to these stages wait for another person’s approval; production deployment always needs one.'),
      productionChanges: z
        .boolean()
        .describe(
          'Changes to what production callers get, such as target servers, variables and host names, wait for another person’s approval.',
        ),
    }),
    retention: z.strictObject({
      usageDays: z.int().min(1).max(3_650),
      notificationDays: z.int().min(1).max(3_650),
    }),
  })
  .meta({ id: 'OrganizationSettings' });

/** The settings to change. Newer settings may be omitted from a group and then don't change. */
export const GivenSettings = OrganizationSettings.extend({
  approval: OrganizationSettings.shape.approval.partial({ productionChanges: true }),
})
  .partial()
  .strict();

/** Settings of an organization, whole. */
export type OrganizationSettings = z.infer<typeof OrganizationSettings>;

const params = z.object({ organizationId: Id });
const administration = { category: 'security', severity: 'high', entityType: 'organization' } as const;
const tag = 'Organizations';

const exampleOrganization = {
  id: 'org_00000000000000000000000001',
  name: 'acme',
  displayName: 'Acme GmbH',
  platform: false,
  state: 'active' as const,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { organizationId: exampleOrganization.id };
const exampleSettings = {
  currency: 'EUR',
  tax: { name: 'VAT', ratePercent: '19', registrationId: null },
  invoiceNumbering: { prefix: 'INV-', next: 1 },
  approval: { requiredFor: ['approved' as const], productionChanges: false },
  retention: { usageDays: 400, notificationDays: 90 },
};

export const organizationOperations = [
  defineOperation({
    id: 'listOrganizations',
    method: 'GET',
    path: '/organizations',
    tag,
    summary: 'List organizations',
    access: 'organization.read',
    restriction: 'Super Admin',
    scope: 'platform',
    audit: null,
    request: {
      query: listQuery(['name', 'displayName', 'createdAt', 'updatedAt'], {
        state: z.enum(['active', 'suspended']).optional(),
      }),
    },
    data: listData('organizations', Organization),
    example: { request: {}, data: { organizations: [exampleOrganization], total: 1 } },
  }),
  defineOperation({
    id: 'createOrganization',
    method: 'POST',
    path: '/organizations',
    tag,
    summary: 'Create an organization',
    access: 'organization.write',
    restriction: 'Super Admin',
    scope: 'platform',
    audit: administration,
    production: { exempt: 'platform' },
    request: { body: z.strictObject({ name: Name, displayName: displayName() }) },
    data: Organization,
    status: 201,
    example: {
      request: { body: { name: 'globex', displayName: 'Globex Corporation' } },
      data: exampleOrganization,
    },
  }),
  defineOperation({
    id: 'getOrganization',
    method: 'GET',
    path: '/organizations/:organizationId',
    tag,
    summary: 'Show an organization',
    description: 'Shows the caller’s organization; any organization for a Super Admin.',
    access: 'organization.read',
    scope: 'platform',
    audit: null,
    request: { params },
    data: Organization,
    example: { request: { params: exampleParams }, data: exampleOrganization },
  }),
  defineOperation({
    id: 'updateOrganization',
    method: 'PATCH',
    path: '/organizations/:organizationId',
    tag,
    summary: 'Change an organization',
    access: 'organization.write',
    scope: 'platform',
    audit: { ...administration, category: 'configuration', severity: 'medium' },
    production: 'never',
    request: { params, body: z.strictObject({ displayName: displayName() }) },
    data: Organization,
    example: {
      request: { params: exampleParams, body: { displayName: 'Acme Europe GmbH' } },
      data: exampleOrganization,
    },
  }),
  defineOperation({
    id: 'deleteOrganization',
    method: 'DELETE',
    path: '/organizations/:organizationId',
    tag,
    summary: 'Delete an empty organization',
    description:
      'Deletes an organization that has no user, environment, proxy or service account. Its audit trail stays.',
    access: 'organization.delete',
    restriction: 'Super Admin',
    scope: 'platform',
    audit: administration,
    production: { exempt: 'platform' },
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'suspendOrganization',
    method: 'POST',
    path: '/organizations/:organizationId/suspend',
    tag,
    summary: 'Suspend an organization',
    description: 'Users of a suspended organization can’t sign in or make calls; its data is kept.',
    access: 'organization.write',
    restriction: 'Super Admin',
    scope: 'platform',
    audit: administration,
    production: { exempt: 'platform' },
    request: { params },
    data: Organization,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: { ...exampleOrganization, state: 'suspended' } },
  }),
  defineOperation({
    id: 'activateOrganization',
    method: 'POST',
    path: '/organizations/:organizationId/activate',
    tag,
    summary: 'Activate a suspended organization',
    access: 'organization.write',
    restriction: 'Super Admin',
    scope: 'platform',
    audit: administration,
    production: { exempt: 'platform' },
    request: { params },
    data: Organization,
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: exampleOrganization },
  }),
  defineOperation({
    id: 'getOrganizationSettings',
    method: 'GET',
    path: '/organizations/:organizationId/settings',
    tag,
    summary: 'Show an organization’s settings',
    access: 'organization.read',
    scope: 'platform',
    audit: null,
    request: { params },
    data: OrganizationSettings.extend({ version: z.int() }),
    example: { request: { params: exampleParams }, data: { ...exampleSettings, version: 1 } },
  }),
  defineOperation({
    id: 'updateOrganizationSettings',
    method: 'PATCH',
    path: '/organizations/:organizationId/settings',
    tag,
    summary: 'Change an organization’s settings',
    description:
      'Changes the given settings, each as a whole; `approval.productionChanges` doesn’t change if omitted. Turning it off is itself a change to production.',
    access: 'organization.write',
    audit: { ...administration, category: 'configuration', severity: 'medium' },
    production: 'settings',
    request: { params, body: GivenSettings },
    data: OrganizationSettings.extend({ version: z.int() }),
    example: {
      request: { params: exampleParams, body: { currency: 'CHF' } },
      data: { ...exampleSettings, currency: 'CHF', version: 2 },
    },
  }),
] as const;
