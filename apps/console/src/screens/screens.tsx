import type { ShellRoute } from '../shell-route.tsx';
import { accountRoutes } from './account/routes.ts';
import { alertRuleRoutes } from './alert-rules/routes.ts';
import { appRoutes } from './apps/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { billingPeriodRoutes } from './billing-periods/routes.ts';
import { deploymentRoutes } from './deployments/routes.ts';
import { developerRoutes } from './developers/routes.ts';
import { environmentRoutes } from './environments/routes.ts';
import { gatewayNodeRoutes } from './gateway-nodes/routes.ts';
import { governanceRoutes } from './governance/routes.ts';
import { homeRoutes } from './home/routes.ts';
import { incidentRoutes } from './incidents/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { policyTemplateRoutes } from './policy-templates/routes.ts';
import { portalRoutes } from './portal/routes.ts';
import { productionChangeRoutes } from './production-changes/routes.ts';
import { productRoutes } from './products/routes.ts';
import { proxyRoutes } from './proxies/routes.ts';
import { ratePlanRoutes } from './rate-plans/routes.ts';
import { revenueRoutes } from './revenue/routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { serviceAccountRoutes } from './service-accounts/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { silenceRoutes } from './silences/routes.ts';
import { specificationRoutes } from './specifications/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { targetServerRoutes } from './target-servers/routes.ts';
import { trafficRoutes } from './traffic/routes.ts';
import { userRoutes } from './users/routes.ts';

/** Every screen behind the sign-in. */
export function screens(shell: ShellRoute) {
  return [
    ...homeRoutes(shell),
    ...environmentRoutes(shell),
    ...targetServerRoutes(shell),
    ...proxyRoutes(shell),
    ...reviewRoutes(shell),
    ...productionChangeRoutes(shell),
    ...userRoutes(shell),
    ...roleRoutes(shell),
    ...serviceAccountRoutes(shell),
    ...auditRoutes(shell),
    ...accountRoutes(shell),
    ...organizationRoutes(shell),
    ...settingsRoutes(shell),
    ...deploymentRoutes(shell),
    ...specificationRoutes(shell),
    ...governanceRoutes(shell),
    ...policyTemplateRoutes(shell),
    ...incidentRoutes(shell),
    ...alertRuleRoutes(shell),
    ...silenceRoutes(shell),
    ...integrationRoutes(shell),
    ...productRoutes(shell),
    ...developerRoutes(shell),
    ...appRoutes(shell),
    ...subscriptionRoutes(shell),
    ...gatewayNodeRoutes(shell),
    ...ratePlanRoutes(shell),
    ...billingPeriodRoutes(shell),
    ...invoiceRoutes(shell),
    ...revenueRoutes(shell),
    ...portalRoutes(shell),
    ...trafficRoutes(shell),
  ] as const;
}
