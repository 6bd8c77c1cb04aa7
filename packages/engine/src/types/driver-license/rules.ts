import type { TypeRules } from '../../compose/compose.ts';
import { identityComposer } from '../../compose/identity.ts';

export const driverLicenseRules: TypeRules = { compose: identityComposer({ isLicense: true }) };
