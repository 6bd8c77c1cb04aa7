import { controlDeclarations } from './control.ts';
import { extractionDeclarations } from './extraction.ts';
import { gatewayDeclarations } from './gateway.ts';

/** What all servers read. They share one environment, and no server warns about a setting of another. */
export const serverDeclarations = [extractionDeclarations, controlDeclarations, gatewayDeclarations] as const;
