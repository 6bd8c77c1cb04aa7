import { hostName } from '@millrace/operations/host-name';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Nothing,
  Time,
} from '../../http/dashboard-operation.ts';

const EmailDomain = z
  .object({
    id: z.string(),
    domain: z.string(),
    state: z.enum(['pending', 'verified']),
    recordName: z.string().describe('Name of the DNS TXT record that proves the ownership.'),
    recordValue: z.string().describe('What this record has to contain.'),
    checkedAt: Time.nullable().describe('When the record was last looked up.'),
    problem: z.string().nullable().describe('Why that didn’t verify the domain; null if it did.'),
  })
  .meta({ id: 'EmailDomain' });
export type EmailDomainAnswer = z.input<typeof EmailDomain>;

const tag = 'Sign-in';
const administrators = { ...everyDashboardOperation, role: 'administrator', tag } as const;
const params = z.object({ id: z.string() });
const exampleDomain = {
  id: 'emd_01kamy4w8q2v6x0r3t5y7z9b1d',
  domain: 'example.com',
  state: 'pending' as const,
  recordName: '_millrace.example.com',
  recordValue: 'millrace-verification=0b8f6c1d2e3a4f5061728394a5b6c7d8',
  checkedAt: null,
  problem: null,
};
const verified = { ...exampleDomain, state: 'verified' as const, checkedAt: '2026-03-14T09:00:00.000Z' };

const listEmailDomains = defineDashboardOperation({
  ...administrators,
  id: 'listEmailDomains',
  method: 'GET',
  path: '/api/dashboard/v1/email-domains',
  summary: 'List the account’s e-mail domains',
  description: 'By name; an account has at most 20.',
  request: {},
  responses: { 200: { description: 'The domains.', body: z.object({ domains: z.array(EmailDomain) }) } },
  errors: anyDashboardErrors,
  examples: [{ summary: 'One domain', request: {}, answer: { status: 200, body: { domains: [exampleDomain] } } }],
});

const addEmailDomain = defineDashboardOperation({
  ...administrators,
  id: 'addEmailDomain',
  method: 'POST',
  path: '/api/dashboard/v1/email-domains',
  summary: 'Add an e-mail domain',
  description:
    'Once a DNS TXT record has verified it, sign-in finds the identity provider by its addresses, and links members to ' +
    'it by theirs.',
  request: { body: z.strictObject({ domain: hostName('Enter a domain, such as example.com.') }) },
  responses: { 201: { description: 'Added.', body: EmailDomain } },
  errors: ['invalid_request', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A domain',
      request: { body: { domain: 'example.com' } },
      answer: { status: 201, body: exampleDomain },
    },
  ],
});

const verifyEmailDomain = defineDashboardOperation({
  ...administrators,
  id: 'verifyEmailDomain',
  method: 'POST',
  path: '/api/dashboard/v1/email-domains/:id/verify',
  summary: 'Verify an e-mail domain',
  description:
    'Looks the DNS TXT record up. Without the record, the domain stays as it is, and `problem` says what was found.',
  request: { params },
  responses: { 200: { description: 'The domain.', body: EmailDomain } },
  errors: ['not_found', 'conflict', ...anyDashboardErrors],
  examples: [
    { summary: 'Verified', request: { params: { id: exampleDomain.id } }, answer: { status: 200, body: verified } },
  ],
});

const removeEmailDomain = defineDashboardOperation({
  ...administrators,
  id: 'removeEmailDomain',
  method: 'DELETE',
  path: '/api/dashboard/v1/email-domains/:id',
  summary: 'Remove an e-mail domain',
  description: 'Members who are linked stay so.',
  request: { params },
  responses: { 200: { description: 'Removed.', body: Nothing } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'A domain', request: { params: { id: exampleDomain.id } }, answer: { status: 200, body: {} } }],
});

export const emailDomainOperations = [listEmailDomains, addEmailDomain, verifyEmailDomain, removeEmailDomain] as const;
