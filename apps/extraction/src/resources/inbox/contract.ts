import { DocTypeName } from '@millrace/extraction-contract/document-types';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Time,
} from '../../http/dashboard-operation.ts';

/** Limit of an account's list of allowed senders. */
const allowListLimit = 200;

/** A sender that may e-mail documents: an address, or `@` and a domain. */
const AllowedSender = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@<>"(),:;\\[\]]*@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'Enter an e-mail address, or @ and a domain.')
  .describe('An address such as `anna@supplier.example`, or a domain such as `@supplier.example`.');

/** An account's inbox. */
const Inbox = z
  .object({
    isRunning: z.boolean().describe('Whether the service accepts mail at all; set by its operator.'),
    isActive: z.boolean().describe('Whether this account accepts mail.'),
    address: z
      .string()
      .describe(
        'The e-mail address for documents. Everyone who knows it can send, unless the allowed senders are limited.',
      ),
    docType: DocTypeName.nullable().describe('Type of its documents; null to detect it.'),
    allowList: z.array(z.string()).describe('Allowed senders; empty allows everyone.'),
    requireAuthentication: z
      .boolean()
      .describe('Whether only mail whose sender the trusted relay authenticated is accepted.'),
    hasTrustedRelay: z
      .boolean()
      .describe('Whether the service has a mail relay whose authentication of senders it trusts.'),
    limits: z.object({
      messageSizeBytes: z.int(),
      fileSizeBytes: z.int(),
      filesPerMessage: z.int(),
      messagesPerHour: z.int(),
    }),
  })
  .meta({ id: 'Inbox' });

/** A message that was accepted or rejected. */
const InboxMessage = z
  .object({
    id: z.string(),
    receivedAt: Time,
    from: z.string().describe('The address in the `From` header, otherwise that of the envelope; may be empty.'),
    subject: z.string(),
    sizeBytes: z.int(),
    outcome: z.enum(['accepted', 'partly_accepted', 'refused']),
    authentication: z
      .enum(['passed', 'failed', 'unknown'])
      .describe('The trusted relay’s result for the sender; `unknown` if there is no relay or no result.'),
    documents: z.array(
      z.object({
        id: z.string(),
        reference: z.string(),
        fileName: z.string(),
        state: z.enum(['processing', 'done', 'error']),
      }),
    ),
    refusals: z
      .array(
        z.object({
          fileName: z.string().nullable().describe('Null if the whole message was rejected.'),
          code: z.string(),
          message: z.string(),
        }),
      )
      .describe('What was rejected, and why.'),
    answeredAt: Time.nullable().describe('When the sender was notified; null if not.'),
  })
  .meta({ id: 'InboxMessage' });

const tag = 'Inbox';

const exampleInbox = {
  isRunning: true,
  isActive: true,
  address: 'k3v9q2m7x4c8t1n6w5z0r2p7d4@inbox.example.com',
  docType: 'invoice',
  allowList: ['anna@supplier.example', '@harbour-books.example'],
  requireAuthentication: false,
  hasTrustedRelay: true,
  limits: { messageSizeBytes: 36_700_160, fileSizeBytes: 20_971_520, filesPerMessage: 50, messagesPerHour: 500 },
} as const satisfies z.input<typeof Inbox>;

const getInbox = defineDashboardOperation({
  ...everyDashboardOperation,
  id: 'getInbox',
  method: 'GET',
  path: '/api/dashboard/v1/inbox',
  tag,
  summary: 'Get the inbox',
  description: 'Its address, allowed senders and limits.',
  request: {},
  responses: { 200: { description: 'The inbox.', body: Inbox } },
  errors: anyDashboardErrors,
  examples: [{ summary: 'An inbox', request: {}, answer: { status: 200, body: exampleInbox } }],
});

const updateInbox = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'updateInbox',
  method: 'PATCH',
  path: '/api/dashboard/v1/inbox',
  tag,
  summary: 'Change the inbox',
  description: 'Applies from the next message on.',
  request: {
    body: z.strictObject({
      isActive: z.boolean().optional(),
      docType: DocTypeName.nullable().optional(),
      allowList: z.array(AllowedSender).max(allowListLimit).optional(),
      requireAuthentication: z.boolean().optional(),
    }),
  },
  responses: { 200: { description: 'The changed inbox.', body: Inbox } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'Allowed senders',
      request: { body: { allowList: ['anna@supplier.example', '@harbour-books.example'] } },
      answer: { status: 200, body: exampleInbox },
    },
  ],
});

const rotateInboxAddress = defineDashboardOperation({
  ...everyDashboardOperation,
  role: 'administrator',
  id: 'rotateInboxAddress',
  method: 'POST',
  path: '/api/dashboard/v1/inbox/address',
  tag,
  summary: 'Replace the inbox address',
  description: 'Mail to the old address is rejected from now on.',
  request: {},
  responses: { 200: { description: 'The inbox with its new address.', body: Inbox } },
  errors: anyDashboardErrors,
  examples: [{ summary: 'A new address', request: {}, answer: { status: 200, body: exampleInbox } }],
});

const listInboxMessages = defineDashboardOperation({
  ...everyDashboardOperation,
  id: 'listInboxMessages',
  method: 'GET',
  path: '/api/dashboard/v1/inbox/messages',
  tag,
  summary: 'List received messages',
  description: 'The last 200 messages, newest first.',
  request: { query: z.strictObject(listQuery) },
  responses: { 200: { description: 'A page of messages.', body: listOf(InboxMessage) } },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'One message',
      request: {},
      answer: {
        status: 200,
        body: {
          items: [
            {
              id: 'inb_01kamy9d8q2v6x0r3t5y7z9b1d',
              receivedAt: '2026-03-14T09:26:50.000Z',
              from: 'anna@supplier.example',
              subject: 'Invoices of March',
              sizeBytes: 184_223,
              outcome: 'partly_accepted',
              authentication: 'passed',
              documents: [
                {
                  id: 'doc_01kamy4w8q2v6x0r3t5y7z9b1d',
                  reference: 'MR-000042',
                  fileName: 'invoice-2041.pdf',
                  state: 'done',
                },
              ],
              refusals: [
                {
                  fileName: 'terms.docx',
                  code: 'unsupported_file_type',
                  message: 'The file is neither a PDF, a PNG, a JPG nor a TIFF. Convert it to one of them.',
                },
              ],
              answeredAt: '2026-03-14T09:26:51.000Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
  ],
});

export const inboxOperations = [getInbox, updateInbox, rotateInboxAddress, listInboxMessages] as const;
