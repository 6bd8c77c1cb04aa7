import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { Email, GivenPassword, LinkToken, NewPassword } from '../../identity/auth/contract.ts';
import { PersonName } from '../../identity/users/contract.ts';
import { examplePortalSession, PortalLocale, PortalSession } from '../auth/contract.ts';

/** A registration whose e-mail address was confirmed. */
export const PortalRegistration = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    company: z.string(),
    locale: PortalLocale,
    state: z.enum(['pending', 'approved', 'rejected']).describe('pending: waits for the organization’s approval.'),
    confirmedAt: Time.describe('When the owner of the address confirmed it.'),
    decidedBy: z.string().nullable().describe('Null until decided, and if the portal is open to everybody.'),
    decidedByName: z.string().nullable(),
    decidedAt: Time.nullable(),
    reason: z.string().nullable().describe('Of the rejection; the registrant was sent it.'),
    developerId: z.string().nullable().describe('The developer account that it led to; null if there is none.'),
    ...versioned,
  })
  .meta({ id: 'PortalRegistration' });

const tag = 'Portal';
const audit = { category: 'security', severity: 'low', entityType: 'portal_registration' } as const;
const decisionAudit = { ...audit, severity: 'medium' } as const;
const params = z.object({ registrationId: Id });

const exampleRegistration = {
  id: 'prg_00000000000000000000000001',
  email: 'lee@example.com',
  name: 'Lee Example',
  company: 'Example Freight',
  locale: 'en' as const,
  state: 'pending' as const,
  confirmedAt: '2026-01-15T09:00:00.000Z',
  decidedBy: null,
  decidedByName: null,
  decidedAt: null,
  reason: null,
  developerId: null,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { registrationId: exampleRegistration.id };
const exampleDecision = {
  decidedBy: 'usr_00000000000000000000000001',
  decidedByName: 'Robin Example',
  decidedAt: '2026-01-16T09:00:00.000Z',
  version: 2,
};

export const portalRegistrationOperations = [
  defineOperation({
    id: 'registerDeveloper',
    method: 'POST',
    path: '/portal/registrations',
    tag,
    summary: 'Register a developer account',
    description:
      'Sends a link to confirm the e-mail address, which works once, for 24 hours. The response is the same whether ' +
      'the address is known or not; a known one is sent an e-mail that says so. Sets a cookie by which this browser ' +
      'can confirm without the password. Closed registration is answered with 403.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit,
    production: 'never',
    request: {
      body: z.strictObject({
        email: Email,
        name: PersonName,
        company: z.string().trim().max(100).default(''),
        password: NewPassword,
        locale: PortalLocale,
        acceptedTerms: z.literal(true, 'Accept the terms to register.'),
      }),
    },
    data: z.object({}),
    errors: ['forbidden'],
    example: {
      request: {
        body: {
          email: 'noor.new@example.com',
          name: 'Noor New',
          company: 'Example Freight',
          password: 'correct horse battery staple',
          locale: 'en',
          acceptedTerms: true,
        },
      },
      data: {},
    },
  }),
  defineOperation({
    id: 'confirmRegistration',
    method: 'POST',
    path: '/portal/registrations/confirm',
    tag,
    summary: 'Confirm a registration with its link’s token',
    description:
      'Creates the developer account and signs the browser in, or hands the registration to the organization for ' +
      'approval. A browser other than the one that registered has to send the password too: without it the response ' +
      'is 400 with `errors.password`. So nobody can make the owner of an address confirm an account whose password ' +
      'they don’t know.',
    access: 'portal_visitor',
    rateClass: 'sign_in',
    audit: { ...audit, severity: 'high' },
    production: { exempt: 'one_consumer' },
    request: { body: z.strictObject({ token: LinkToken, password: GivenPassword.optional() }) },
    data: z.object({
      outcome: z.enum(['signed_in', 'awaiting_approval']),
      session: PortalSession.nullable().describe('Null while the registration awaits approval.'),
    }),
    errors: ['forbidden', 'conflict'],
    example: {
      request: { body: { token: 'q4yX0cJ5o0b0W1mYtJ6oS3rQ8vN2kL7uH9gF1dC3aZk' } },
      data: { outcome: 'signed_in', session: examplePortalSession },
    },
  }),
  defineOperation({
    id: 'listPortalRegistrations',
    method: 'GET',
    path: '/portal-registrations',
    tag,
    summary: 'List registrations in the developer portal',
    description: 'Those whose e-mail address was confirmed.',
    access: 'developer.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'name', 'email', 'company', 'confirmedAt'], {
        state: PortalRegistration.shape.state.optional(),
      }),
    },
    data: listData('registrations', PortalRegistration),
    example: {
      request: { query: { state: 'pending' } },
      data: { registrations: [exampleRegistration], total: 1 },
    },
  }),
  defineOperation({
    id: 'approvePortalRegistration',
    method: 'POST',
    path: '/portal-registrations/:registrationId/approve',
    tag,
    summary: 'Approve a registration',
    description: 'Creates the developer account with the registrant as its owner, who is notified by e-mail.',
    access: 'developer.write',
    audit: decisionAudit,
    production: { exempt: 'one_consumer' },
    request: { params },
    data: PortalRegistration,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams },
      data: {
        ...exampleRegistration,
        ...exampleDecision,
        state: 'approved' as const,
        developerId: 'dev_00000000000000000000000001',
      },
    },
  }),
  defineOperation({
    id: 'rejectPortalRegistration',
    method: 'POST',
    path: '/portal-registrations/:registrationId/reject',
    tag,
    summary: 'Reject a registration',
    description: 'The registrant is sent the reason by e-mail.',
    access: 'developer.write',
    audit: decisionAudit,
    production: { exempt: 'one_consumer' },
    request: { params, body: z.strictObject({ reason: z.string().trim().min(1).max(500) }) },
    data: PortalRegistration,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { reason: 'The portal is for partners only.' } },
      data: {
        ...exampleRegistration,
        ...exampleDecision,
        state: 'rejected' as const,
        reason: 'The portal is for partners only.',
      },
    },
  }),
] as const;
