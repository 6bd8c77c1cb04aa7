import type { TypeRules } from '../../compose/compose.ts';
import { identityComposer } from '../../compose/identity.ts';

export const passportRules: TypeRules = { compose: identityComposer({ namesIssuer: true, hasRows: true }) };
