import type { operations } from './contracts.ts';
import type { Handlers } from './frame/handler.ts';
import type { ControlParts } from './parts.ts';
import { authHandlers } from './resources/auth/handlers.ts';
import { deploymentHandlers } from './resources/deployments/handlers.ts';
import { environmentHandlers } from './resources/environments/handlers.ts';
import { organizationHandlers } from './resources/organizations/handlers.ts';
import { targetServerHandlers } from './resources/target-servers/handlers.ts';

/** The handler of every operation, by its id. */
export function createHandlers(parts: ControlParts): Handlers<typeof operations> {
  return {
    ...authHandlers(parts),
    ...organizationHandlers(),
    ...environmentHandlers(parts),
    ...targetServerHandlers(parts),
    ...deploymentHandlers(parts),
  };
}
