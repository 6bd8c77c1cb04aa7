import { addBuiltPages } from '@millrace/operations/pages';
import { type BodyReader, bindOperations, type Handlers } from '@millrace/operations/server';
import type { FastifyInstance } from 'fastify';
import { signedInOperations, visitorOperations } from './dashboard-contracts.ts';
import type { DashboardCaller, Visitor } from './http/dashboard-caller.ts';
import { createDashboardFrame } from './http/dashboard-frame.ts';
import { type AccountParts, accountHandlers } from './resources/account/handlers.ts';
import { type BulkActionParts, bulkActionHandlers } from './resources/bulk-actions/handlers.ts';
import { type CallParts, callHandlers } from './resources/calls/handlers.ts';
import { type DeliveryParts, deliveryDashboardHandlers } from './resources/deliveries/handlers.ts';
import { documentColumnHandlers } from './resources/document-columns/handlers.ts';
import { createTypeCatalog } from './resources/document-types/catalog.ts';
import { documentTypeDashboardHandlers } from './resources/document-types/dashboard-handlers.ts';
import { type DocumentDashboardParts, documentDashboardHandlers } from './resources/documents/dashboard-handlers.ts';
import { type EmailDomainParts, emailDomainHandlers } from './resources/email-domains/handlers.ts';
import { type ExportDashboardParts, exportDashboardHandlers } from './resources/exports/dashboard-handlers.ts';
import { type HomeParts, homeHandlers } from './resources/home/handlers.ts';
import {
  type IdentityProviderParts,
  identityProviderHandlers,
  identityProviderVisitorHandlers,
} from './resources/identity-provider/handlers.ts';
import { type InboxParts, inboxDashboardHandlers } from './resources/inbox/handlers.ts';
import { type KeyParts, keyHandlers } from './resources/keys/handlers.ts';
import { type MemberParts, memberHandlers } from './resources/members/handlers.ts';
import { type OneTimeCodeParts, oneTimeCodeHandlers } from './resources/one-time-codes/handlers.ts';
import { type ProviderParts, providerHandlers } from './resources/provider/handlers.ts';
import { type ProvisioningParts, provisioningHandlers } from './resources/provisioning/handlers.ts';
import { type ReviewParts, reviewHandlers } from './resources/review/handlers.ts';
import { type SenderParts, senderHandlers } from './resources/senders/handlers.ts';
import { type SessionParts, sessionHandlers, sessionVisitorHandlers } from './resources/sessions/handlers.ts';
import { type WebhookParts, webhookDashboardHandlers } from './resources/webhooks/handlers.ts';

/** What the dashboard's handlers work with. */
export type DashboardParts = SessionParts &
  OneTimeCodeParts &
  AccountParts &
  MemberParts &
  KeyParts &
  CallParts &
  HomeParts &
  WebhookParts &
  DeliveryParts &
  DocumentDashboardParts &
  BulkActionParts &
  ExportDashboardParts &
  ReviewParts &
  SenderParts &
  InboxParts &
  ProviderParts &
  ProvisioningParts &
  EmailDomainParts &
  IdentityProviderParts;

/** The handlers of the operations that take a session. */
function signedInHandlers(parts: DashboardParts): Handlers<typeof signedInOperations, DashboardCaller> {
  return {
    ...sessionHandlers(parts),
    ...oneTimeCodeHandlers(parts),
    ...identityProviderHandlers(parts),
    ...accountHandlers(parts),
    ...memberHandlers(parts),
    ...keyHandlers(parts),
    ...callHandlers(parts),
    ...homeHandlers(parts),
    ...webhookDashboardHandlers(parts),
    ...deliveryDashboardHandlers(parts),
    ...inboxDashboardHandlers(parts),
    ...documentDashboardHandlers(parts),
    ...documentColumnHandlers(parts),
    ...documentTypeDashboardHandlers(createTypeCatalog(parts.database)),
    ...bulkActionHandlers(parts),
    ...exportDashboardHandlers(parts),
    ...reviewHandlers(parts),
    ...senderHandlers(parts),
    ...providerHandlers(parts),
    ...provisioningHandlers(parts),
    ...emailDomainHandlers(parts),
  };
}

/** The handlers of the operations that take no session. */
function visitorHandlers(parts: DashboardParts): Handlers<typeof visitorOperations, Visitor> {
  return { ...sessionVisitorHandlers(parts), ...identityProviderVisitorHandlers(parts) };
}

/** Whether an address is of the dashboard's operations. */
export function isDashboardPath(url: string): boolean {
  return url.startsWith('/api/dashboard/');
}

/** Makes the dashboard's operations routes of the server. */
export function addDashboard(
  server: FastifyInstance,
  parts: DashboardParts & { readonly publicUrl: string | null },
  bodies: BodyReader,
): void {
  const frame = createDashboardFrame(parts);
  bindOperations(server, signedInOperations, signedInHandlers(parts), { enter: frame.enter, bodies });
  bindOperations<typeof visitorOperations, Visitor>(server, visitorOperations, visitorHandlers(parts), {
    enter: (_operation, request) => frame.enterAsVisitor(request),
    bodies,
  });
}

/**
 * Serves the built dashboard at every address that has no other route. Requests for anything but a page, such as JSON,
 * get a 404.
 *
 * @param folder of the build; while it is missing, pages say so
 */
export function addDashboardPages(server: FastifyInstance, folder: string): void {
  const isPage = (path: string) => !/^\/(?:api|scim)(?:\/|$)/.test(path);
  addBuiltPages(server, folder, { isPage, absent: 'The dashboard isn’t built yet. Run npm start to build it.' });
}
