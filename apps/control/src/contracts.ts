import { appOperations } from './resources/apps/contract.ts';
import { auditOperations } from './resources/audit/contract.ts';
import { authOperations } from './resources/auth/contract.ts';
import { declarativeOperations } from './resources/declarative/contract.ts';
import { deploymentOperations } from './resources/deployments/contract.ts';
import { developerOperations } from './resources/developers/contract.ts';
import { environmentOperations } from './resources/environments/contract.ts';
import { gatewayNodeOperations } from './resources/gateway-nodes/contract.ts';
import { governanceOperations } from './resources/governance/contract.ts';
import { invitationOperations } from './resources/invitations/contract.ts';
import { lifecycleOperations } from './resources/lifecycle/contract.ts';
import { navigationOperations } from './resources/navigation/contract.ts';
import { organizationOperations } from './resources/organizations/contract.ts';
import { policyOperations } from './resources/policies/contract.ts';
import { policyTemplateOperations } from './resources/policies/templates/contract.ts';
import { productionChangeOperations } from './resources/production-changes/contract.ts';
import { productOperations } from './resources/products/contract.ts';
import { proxyOperations } from './resources/proxies/contract.ts';
import { routeOperations } from './resources/proxies/routes/contract.ts';
import { traceOperations } from './resources/proxies/trace/contract.ts';
import { revisionOperations } from './resources/revisions/contract.ts';
import { roleOperations } from './resources/roles/contract.ts';
import { serviceAccountOperations } from './resources/service-accounts/contract.ts';
import { specificationOperations } from './resources/specifications/contract.ts';
import { subscriptionOperations } from './resources/subscriptions/contract.ts';
import { targetServerOperations } from './resources/target-servers/contract.ts';
import { userOperations } from './resources/users/contract.ts';

/** Every operation of the management API, in the order of the reference. */
export const operations = [
  ...authOperations,
  ...navigationOperations,
  ...organizationOperations,
  ...declarativeOperations,
  ...userOperations,
  ...invitationOperations,
  ...roleOperations,
  ...serviceAccountOperations,
  ...environmentOperations,
  ...targetServerOperations,
  ...proxyOperations,
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
  ...gatewayNodeOperations,
  ...auditOperations,
] as const;
