import type { operations } from './contracts.ts';
import type { UntypedHandler } from './frame/execute.ts';
import type { Handlers } from './frame/handler.ts';
import type { ControlParts } from './parts.ts';
import { appHandlers } from './resources/apps/handlers.ts';
import { auditHandlers } from './resources/audit/handlers.ts';
import { authHandlers } from './resources/auth/handlers.ts';
import { declarativeHandlers } from './resources/declarative/handlers.ts';
import { deploymentHandlers } from './resources/deployments/handlers.ts';
import { developerHandlers } from './resources/developers/handlers.ts';
import { environmentHandlers } from './resources/environments/handlers.ts';
import { gatewayNodeHandlers } from './resources/gateway-nodes/handlers.ts';
import { governanceHandlers } from './resources/governance/handlers.ts';
import { invitationHandlers } from './resources/invitations/handlers.ts';
import { lifecycleHandlers } from './resources/lifecycle/handlers.ts';
import { navigationHandlers } from './resources/navigation/handlers.ts';
import { organizationHandlers } from './resources/organizations/handlers.ts';
import { policyHandlers } from './resources/policies/handlers.ts';
import { policyTemplateHandlers } from './resources/policies/templates/handlers.ts';
import { productionChangeHandlers } from './resources/production-changes/handlers.ts';
import { productHandlers } from './resources/products/handlers.ts';
import { proxyHandlers } from './resources/proxies/handlers.ts';
import { routeHandlers } from './resources/proxies/routes/handlers.ts';
import { traceHandlers } from './resources/proxies/trace/handlers.ts';
import { revisionHandlers } from './resources/revisions/handlers.ts';
import { roleHandlers } from './resources/roles/handlers.ts';
import { serviceAccountHandlers } from './resources/service-accounts/handlers.ts';
import { specificationHandlers } from './resources/specifications/handlers.ts';
import { subscriptionHandlers } from './resources/subscriptions/handlers.ts';
import { targetServerHandlers } from './resources/target-servers/handlers.ts';
import { userHandlers } from './resources/users/handlers.ts';

/** The handler of every operation, by its id. */
export function createHandlers(parts: ControlParts): Handlers<typeof operations> {
  // An approval carries out what was held by the handler of its operation.
  const handlerOf = (id: string) => (handlers as unknown as Readonly<Record<string, UntypedHandler>>)[id]!;
  const handlers: Handlers<typeof operations> = {
    ...authHandlers(parts),
    ...navigationHandlers(),
    ...organizationHandlers(),
    ...declarativeHandlers(parts),
    ...userHandlers(parts),
    ...invitationHandlers(parts),
    ...roleHandlers(),
    ...serviceAccountHandlers(),
    ...environmentHandlers(parts),
    ...targetServerHandlers(parts),
    ...proxyHandlers(parts),
    ...routeHandlers(),
    ...traceHandlers(parts),
    ...policyHandlers(),
    ...policyTemplateHandlers(),
    ...revisionHandlers(),
    ...specificationHandlers(parts),
    ...governanceHandlers(parts),
    ...lifecycleHandlers(parts),
    ...deploymentHandlers(parts),
    ...productionChangeHandlers(parts, handlerOf),
    ...productHandlers(),
    ...developerHandlers(),
    ...appHandlers(parts),
    ...subscriptionHandlers(),
    ...gatewayNodeHandlers(parts),
    ...auditHandlers(parts),
  };
  return handlers;
}
