import { portalAccountOperations } from './portal/account/contract.ts';
import { portalAppOperations } from './portal/apps/contract.ts';
import { portalAuthOperations } from './portal/auth/contract.ts';
import { portalBalanceOperations } from './portal/balance/contract.ts';
import { catalogOperations } from './portal/catalog/contract.ts';
import { portalInvoiceOperations } from './portal/invoices/contract.ts';
import { portalProviderSignInOperations } from './portal/provider-sign-in/contract.ts';
import { portalRegistrationOperations } from './portal/registrations/contract.ts';
import { portalSettingsOperations } from './portal/settings/contract.ts';
import { portalSubscriptionOperations } from './portal/subscriptions/contract.ts';
import { portalTryOperations } from './portal/try/contract.ts';
import { portalUsageOperations } from './portal/usage/contract.ts';
import { portalUserOperations } from './portal/users/contract.ts';

/** The operations that the developer portal's own pages call, without those of the rest of the management API. */
export const portalOperations = [
  ...portalRegistrationOperations,
  ...portalAuthOperations,
  ...portalProviderSignInOperations,
  ...portalAccountOperations,
  ...portalUserOperations,
  ...portalAppOperations,
  ...portalSubscriptionOperations,
  ...portalUsageOperations,
  ...portalInvoiceOperations,
  ...portalBalanceOperations,
  ...portalTryOperations,
  ...portalSettingsOperations,
  ...catalogOperations,
] as const;
