import { authOperations } from './resources/auth/contract.ts';
import { deploymentOperations } from './resources/deployments/contract.ts';
import { environmentOperations } from './resources/environments/contract.ts';
import { organizationOperations } from './resources/organizations/contract.ts';
import { targetServerOperations } from './resources/target-servers/contract.ts';

/** Every operation of the management API, in the order of the reference. */
export const operations = [
  ...authOperations,
  ...organizationOperations,
  ...environmentOperations,
  ...targetServerOperations,
  ...deploymentOperations,
] as const;
