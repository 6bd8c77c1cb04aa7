import type { TypeRules } from '../../compose/compose.ts';
import { identityComposer } from '../../compose/identity.ts';

export const idCardRules: TypeRules = { compose: identityComposer() };
