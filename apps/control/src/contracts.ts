import { appOperations } from './consumers/apps/contract.ts';
import { developerOperations } from './consumers/developers/contract.ts';
import { productOperations } from './consumers/products/contract.ts';
import { subscriptionOperations } from './consumers/subscriptions/contract.ts';
import { deploymentOperations } from './delivery/deployments/contract.ts';
import { gatewayNodeOperations } from './delivery/gateway-nodes/contract.ts';
import { traceOperations } from './delivery/trace/contract.ts';
import { environmentOperations } from './design/environments/contract.ts';
import { governanceOperations } from './design/governance/contract.ts';
import { lifecycleOperations } from './design/lifecycle/contract.ts';
import { policyOperations } from './design/policies/contract.ts';
import { policyTemplateOperations } from './design/policies/templates/contract.ts';
import { proxyOperations } from './design/proxies/contract.ts';
import { proxyDocumentOperations } from './design/proxy-documents/contract.ts';
import { proxyOverviewOperations } from './design/proxy-overview/contract.ts';
import { revisionOperations } from './design/revisions/contract.ts';
import { routeOperations } from './design/routes/contract.ts';
import { specificationOperations } from './design/specifications/contract.ts';
import { targetServerOperations } from './design/target-servers/contract.ts';
import { authOperations } from './identity/auth/contract.ts';
import { identityProviderOperations } from './identity/identity-providers/contract.ts';
import { invitationOperations } from './identity/invitations/contract.ts';
import { organizationOperations } from './identity/organizations/contract.ts';
import { providerSignInOperations } from './identity/provider-sign-in/contract.ts';
import { provisioningOperations } from './identity/provisioning/contract.ts';
import { roleOperations } from './identity/roles/contract.ts';
import { serviceAccountOperations } from './identity/service-accounts/contract.ts';
import { userOperations } from './identity/users/contract.ts';
import { billingPeriodOperations } from './money/billing-periods/contract.ts';
import { billingSettingsOperations } from './money/billing-settings/contract.ts';
import { creditNoteOperations } from './money/credit-notes/contract.ts';
import { invoiceOperations } from './money/invoices/contract.ts';
import { gatewayBalanceOperations, prepaidOperations } from './money/prepaid/contract.ts';
import { ratePlanOperations } from './money/rate-plans/contract.ts';
import { revenueOperations } from './money/revenue/contract.ts';
import { topUpRequestOperations } from './money/top-up-requests/contract.ts';
import { topUpOperations } from './money/top-ups/contract.ts';
import { auditOperations } from './platform/audit/contract.ts';
import { declarativeOperations } from './platform/declarative/contract.ts';
import { navigationOperations } from './platform/navigation/contract.ts';
import { overviewOperations } from './platform/overview/contract.ts';
import { productionChangeOperations } from './platform/production-changes/contract.ts';
import { portalAccountOperations } from './portal/account/contract.ts';
import { portalAppOperations } from './portal/apps/contract.ts';
import { portalAuthOperations } from './portal/auth/contract.ts';
import { portalBalanceOperations } from './portal/balance/contract.ts';
import { catalogOperations } from './portal/catalog/contract.ts';
import { portalChangeOperations } from './portal/changes/contract.ts';
import { portalDomainOperations } from './portal/domains/contract.ts';
import { portalGuideOperations } from './portal/guides/contract.ts';
import { portalIdentityProviderOperations } from './portal/identity-providers/contract.ts';
import { portalInvoiceOperations } from './portal/invoices/contract.ts';
import { portalProviderSignInOperations } from './portal/provider-sign-in/contract.ts';
import { portalRegistrationOperations } from './portal/registrations/contract.ts';
import { portalSettingsOperations } from './portal/settings/contract.ts';
import { portalStatusOperations } from './portal/status/contract.ts';
import { portalSubscriptionOperations } from './portal/subscriptions/contract.ts';
import { portalTryOperations } from './portal/try/contract.ts';
import { portalUsageOperations } from './portal/usage/contract.ts';
import { portalUserOperations } from './portal/users/contract.ts';
import { alertRuleOperations } from './watch/alert-rules/contract.ts';
import { analyticsOperations } from './watch/analytics/contract.ts';
import { integrationDeliveryOperations } from './watch/deliveries/contract.ts';
import { eventOperations } from './watch/events/contract.ts';
import { incidentOperations } from './watch/incidents/contract.ts';
import { integrationOperations } from './watch/integrations/contract.ts';
import { silenceOperations } from './watch/silences/contract.ts';
import { analyticsViewOperations } from './watch/views/contract.ts';

/** Every operation of the management API, in the order of the reference. */
export const operations = [
  ...authOperations,
  ...providerSignInOperations,
  ...navigationOperations,
  ...organizationOperations,
  ...overviewOperations,
  ...declarativeOperations,
  ...userOperations,
  ...invitationOperations,
  ...roleOperations,
  ...serviceAccountOperations,
  ...identityProviderOperations,
  ...provisioningOperations,
  ...environmentOperations,
  ...targetServerOperations,
  ...proxyOperations,
  ...proxyDocumentOperations,
  ...proxyOverviewOperations,
  ...routeOperations,
  ...traceOperations,
  ...policyOperations,
  ...policyTemplateOperations,
  ...revisionOperations,
  ...specificationOperations,
  ...governanceOperations,
  ...lifecycleOperations,
  ...deploymentOperations,
  ...productionChangeOperations,
  ...productOperations,
  ...developerOperations,
  ...appOperations,
  ...subscriptionOperations,
  ...ratePlanOperations,
  ...prepaidOperations,
  ...topUpOperations,
  ...topUpRequestOperations,
  ...billingSettingsOperations,
  ...billingPeriodOperations,
  ...invoiceOperations,
  ...creditNoteOperations,
  ...revenueOperations,
  ...analyticsOperations,
  ...analyticsViewOperations,
  ...portalRegistrationOperations,
  ...portalAuthOperations,
  ...portalProviderSignInOperations,
  ...portalAccountOperations,
  ...portalUserOperations,
  ...portalIdentityProviderOperations,
  ...portalAppOperations,
  ...portalSubscriptionOperations,
  ...portalUsageOperations,
  ...portalInvoiceOperations,
  ...portalBalanceOperations,
  ...portalTryOperations,
  ...portalSettingsOperations,
  ...catalogOperations,
  ...portalGuideOperations,
  ...portalChangeOperations,
  ...portalStatusOperations,
  ...portalDomainOperations,
  ...alertRuleOperations,
  ...silenceOperations,
  ...incidentOperations,
  ...gatewayNodeOperations,
  ...gatewayBalanceOperations,
  ...integrationOperations,
  ...integrationDeliveryOperations,
  ...eventOperations,
  ...auditOperations,
] as const;
