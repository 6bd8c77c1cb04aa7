import type { AnyOperation } from '@millrace/operations';
import { accountOperations } from './resources/account/contract.ts';
import { bulkActionOperations } from './resources/bulk-actions/contract.ts';
import { callOperations } from './resources/calls/contract.ts';
import { deliveryOperations } from './resources/deliveries/contract.ts';
import { documentColumnOperations } from './resources/document-columns/contract.ts';
import { documentTypeDashboardOperations } from './resources/document-types/dashboard-contract.ts';
import { documentDashboardOperations } from './resources/documents/dashboard-contract.ts';
import { emailDomainOperations } from './resources/email-domains/contract.ts';
import { exportDashboardOperations } from './resources/exports/dashboard-contract.ts';
import { homeOperations } from './resources/home/contract.ts';
import {
  identityProviderOperations,
  identityProviderVisitorOperations,
} from './resources/identity-provider/contract.ts';
import { inboxOperations } from './resources/inbox/contract.ts';
import { keyOperations } from './resources/keys/contract.ts';
import { memberOperations } from './resources/members/contract.ts';
import { oneTimeCodeOperations } from './resources/one-time-codes/contract.ts';
import { providerOperations } from './resources/provider/contract.ts';
import { provisioningOperations } from './resources/provisioning/contract.ts';
import { reviewOperations } from './resources/review/contract.ts';
import { senderOperations } from './resources/senders/contract.ts';
import { sessionOperations, sessionVisitorOperations } from './resources/sessions/contract.ts';
import { webhookOperations } from './resources/webhooks/dashboard-contract.ts';

export { type Scope, scopes, scopeTexts } from '@millrace/extraction-contract/scopes';

/** Every operation of the dashboard that takes a session. Safe for browsers. */
export const signedInOperations = [
  ...webhookOperations,
  ...deliveryOperations,
  ...inboxOperations,
  ...sessionOperations,
  ...identityProviderOperations,
  ...provisioningOperations,
  ...emailDomainOperations,
  ...oneTimeCodeOperations,
  ...documentDashboardOperations,
  ...documentColumnOperations,
  ...documentTypeDashboardOperations,
  ...bulkActionOperations,
  ...exportDashboardOperations,
  ...reviewOperations,
  ...senderOperations,
  ...homeOperations,
  ...keyOperations,
  ...callOperations,
  ...accountOperations,
  ...memberOperations,
  ...providerOperations,
] as const satisfies readonly AnyOperation[];

/** Every operation of the dashboard that takes none: signing in, and the links of its e-mails. */
export const visitorOperations = [
  ...sessionVisitorOperations,
  ...identityProviderVisitorOperations,
] as const satisfies readonly AnyOperation[];

/** Every operation of the dashboard. */
export const dashboardOperations = [...visitorOperations, ...signedInOperations] as const;
