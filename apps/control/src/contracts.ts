import { environmentOperations } from './resources/environments/contract.ts';
import { targetServerOperations } from './resources/target-servers/contract.ts';

/** Every operation of the management API, in the order of the reference. */
export const operations = [...environmentOperations, ...targetServerOperations] as const;
