import { appHandlers } from './consumers/apps/handlers.ts';
import { developerHandlers } from './consumers/developers/handlers.ts';
import { productHandlers } from './consumers/products/handlers.ts';
import { listProductsOf, listSoldQuotas } from './consumers/products/store.ts';
import { subscriptionHandlers } from './consumers/subscriptions/handlers.ts';
import type { operations } from './contracts.ts';
import { findSecrets } from './delivery/configuration/secrets.ts';
import { deploymentHandlers } from './delivery/deployments/handlers.ts';
import { gatewayNodeHandlers } from './delivery/gateway-nodes/handlers.ts';
import { findRefusal } from './delivery/gateway-nodes/store.ts';
import { traceHandlers } from './delivery/trace/handlers.ts';
import type { ControlParts } from './dependencies.ts';
import { environmentHandlers } from './design/environments/handlers.ts';
import { governanceHandlers } from './design/governance/handlers.ts';
import { lifecycleHandlers } from './design/lifecycle/handlers.ts';
import { policyHandlers } from './design/policies/handlers.ts';
import { policyTemplateHandlers } from './design/policies/templates/handlers.ts';
import { proxyHandlers } from './design/proxies/handlers.ts';
import { proxyDocumentHandlers } from './design/proxy-documents/handlers.ts';
import { proxyOverviewHandlers } from './design/proxy-overview/handlers.ts';
import { revisionHandlers } from './design/revisions/handlers.ts';
import { routeHandlers } from './design/routes/handlers.ts';
import { specificationHandlers } from './design/specifications/handlers.ts';
import { targetServerHandlers } from './design/target-servers/handlers.ts';
import type { UntypedHandler } from './frame/execute.ts';
import type { Handlers } from './frame/handler.ts';
import { authHandlers } from './identity/auth/handlers.ts';
import { identityProviderHandlers } from './identity/identity-providers/handlers.ts';
import { invitationHandlers } from './identity/invitations/handlers.ts';
import { organizationHandlers } from './identity/organizations/handlers.ts';
import { reportBreakGlass } from './identity/provider-sign-in/break-glass.ts';
import { providerSignInHandlers } from './identity/provider-sign-in/handlers.ts';
import { provisioningHandlers } from './identity/provisioning/handlers.ts';
import { roleHandlers } from './identity/roles/handlers.ts';
import { serviceAccountHandlers } from './identity/service-accounts/handlers.ts';
import { userHandlers } from './identity/users/handlers.ts';
import { readAllowances } from './money/billing-periods/current.ts';
import { billingPeriodHandlers } from './money/billing-periods/handlers.ts';
import { billingSettingsHandlers } from './money/billing-settings/handlers.ts';
import { creditNoteHandlers } from './money/credit-notes/handlers.ts';
import { invoiceHandlers } from './money/invoices/handlers.ts';
import { gatewayBalanceHandlers, prepaidHandlers } from './money/prepaid/handlers.ts';
import { ratePlanHandlers } from './money/rate-plans/handlers.ts';
import { requireRatePlan } from './money/rate-plans/store.ts';
import { revenueHandlers } from './money/revenue/handlers.ts';
import { topUpRequestHandlers } from './money/top-up-requests/handlers.ts';
import { topUpHandlers } from './money/top-ups/handlers.ts';
import { auditHandlers } from './platform/audit/handlers.ts';
import { declarativeHandlers } from './platform/declarative/handlers.ts';
import { navigationHandlers } from './platform/navigation/handlers.ts';
import { overviewHandlers } from './platform/overview/handlers.ts';
import { productionChangeHandlers } from './platform/production-changes/handlers.ts';
import { portalAccountHandlers } from './portal/account/handlers.ts';
import { portalAppHandlers } from './portal/apps/handlers.ts';
import { portalAuthHandlers } from './portal/auth/handlers.ts';
import { portalBalanceHandlers } from './portal/balance/handlers.ts';
import { catalogHandlers } from './portal/catalog/handlers.ts';
import { portalChangeHandlers } from './portal/changes/handlers.ts';
import { portalDomainHandlers } from './portal/domains/handlers.ts';
import { portalGuideHandlers } from './portal/guides/handlers.ts';
import { portalIdentityProviderHandlers } from './portal/identity-providers/handlers.ts';
import { portalInvoiceHandlers } from './portal/invoices/handlers.ts';
import { portalProviderSignInHandlers } from './portal/provider-sign-in/handlers.ts';
import { portalRegistrationHandlers } from './portal/registrations/handlers.ts';
import { portalSettingsHandlers } from './portal/settings/handlers.ts';
import { portalStatusHandlers } from './portal/status/handlers.ts';
import { portalSubscriptionHandlers } from './portal/subscriptions/handlers.ts';
import { portalTryHandlers } from './portal/try/handlers.ts';
import { portalUsageHandlers } from './portal/usage/handlers.ts';
import { portalUserHandlers } from './portal/users/handlers.ts';
import { alertRuleHandlers } from './watch/alert-rules/handlers.ts';
import { analyticsHandlers } from './watch/analytics/handlers.ts';
import { integrationDeliveryHandlers } from './watch/deliveries/handlers.ts';
import { eventHandlers } from './watch/events/handlers.ts';
import { incidentHandlers } from './watch/incidents/handlers.ts';
import { integrationHandlers } from './watch/integrations/handlers.ts';
import { silenceHandlers } from './watch/silences/handlers.ts';
import { analyticsViewHandlers } from './watch/views/handlers.ts';

/**
 * The handler of every operation, by id. What a domain needs from one above it, which it can't import, is passed to its
 * handlers here.
 */
export function createHandlers(parts: ControlParts): Handlers<typeof operations> {
  // An approval carries out what was held by the handler of its operation.
  const handlerOf = (id: string) => (handlers as unknown as Readonly<Record<string, UntypedHandler>>)[id]!;
  const handlers: Handlers<typeof operations> = {
    ...authHandlers({ ...parts, reportBreakGlass: (account, origin) => reportBreakGlass(parts, account, origin) }),
    ...providerSignInHandlers(parts),
    ...identityProviderHandlers(parts),
    ...provisioningHandlers(),
    ...navigationHandlers(),
    ...organizationHandlers(),
    ...overviewHandlers(),
    ...declarativeHandlers(parts, handlerOf),
    ...userHandlers(parts),
    ...invitationHandlers(parts),
    ...roleHandlers(),
    ...serviceAccountHandlers(),
    ...environmentHandlers({
      ...parts,
      findRefusal,
      findSecrets: (transaction, environmentId) => findSecrets(transaction, parts, environmentId),
    }),
    ...targetServerHandlers(parts),
    ...proxyHandlers({ listProductsOf }),
    ...proxyDocumentHandlers(parts),
    ...proxyOverviewHandlers(),
    ...routeHandlers(),
    ...traceHandlers(parts),
    ...policyHandlers(),
    ...policyTemplateHandlers(),
    ...revisionHandlers(),
    ...specificationHandlers(parts),
    ...governanceHandlers(parts),
    ...lifecycleHandlers(parts),
    ...deploymentHandlers({ ...parts, listSoldQuotas }),
    ...productionChangeHandlers(parts, handlerOf),
    ...productHandlers(),
    ...developerHandlers(),
    ...appHandlers(parts),
    ...subscriptionHandlers({ requireRatePlan, readAllowances }),
    ...ratePlanHandlers(),
    ...prepaidHandlers(),
    ...gatewayBalanceHandlers(),
    ...topUpHandlers(),
    ...topUpRequestHandlers(),
    ...billingSettingsHandlers(),
    ...billingPeriodHandlers(parts),
    ...invoiceHandlers(parts),
    ...creditNoteHandlers(),
    ...revenueHandlers(),
    ...analyticsHandlers(parts),
    ...analyticsViewHandlers(),
    ...portalRegistrationHandlers(parts),
    ...portalAuthHandlers(parts),
    ...portalProviderSignInHandlers(parts),
    ...portalAccountHandlers(),
    ...portalSettingsHandlers(parts),
    ...catalogHandlers(),
    ...portalGuideHandlers(),
    ...portalChangeHandlers(),
    ...portalStatusHandlers(),
    ...portalDomainHandlers(parts),
    ...portalUserHandlers(parts),
    ...portalIdentityProviderHandlers(parts),
    ...portalAppHandlers(parts),
    ...portalSubscriptionHandlers(),
    ...portalUsageHandlers(),
    ...portalInvoiceHandlers(),
    ...portalBalanceHandlers(parts),
    ...portalTryHandlers(parts),
    ...alertRuleHandlers(),
    ...silenceHandlers(),
    ...incidentHandlers(),
    ...gatewayNodeHandlers(parts),
    ...integrationHandlers(parts),
    ...integrationDeliveryHandlers(parts),
    ...eventHandlers(),
    ...auditHandlers(parts),
  };
  return handlers;
}
