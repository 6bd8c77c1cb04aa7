import type { Migration } from 'kysely/migration';
import { up as initial } from './migrations/0001-initial.ts';
import { up as dashboard } from './migrations/0002-dashboard.ts';
import { up as review } from './migrations/0003-review.ts';
import { up as webhooks } from './migrations/0004-webhooks.ts';
import { up as inbox } from './migrations/0005-inbox.ts';
import { up as providers } from './migrations/0006-providers.ts';
import { up as home } from './migrations/0007-home.ts';
import { up as reviewThreshold } from './migrations/0008-review-threshold.ts';
import { up as confirmed } from './migrations/0009-confirmed.ts';
import { up as documentSearch } from './migrations/0010-document-search.ts';
import { up as intake } from './migrations/0011-intake.ts';
import { up as fileNames } from './migrations/0012-file-names.ts';
import { up as access } from './migrations/0013-access.ts';
import { up as documentWork } from './migrations/0014-document-work.ts';
import { up as documentTypes } from './migrations/0015-document-types.ts';
import { up as identityProviders } from './migrations/0016-identity-providers.ts';
import { up as provisioning } from './migrations/0017-provisioning.ts';
import { up as emailDomains } from './migrations/0018-email-domains.ts';
import { up as traces } from './migrations/0019-traces.ts';
import { up as idempotencyHolders } from './migrations/0020-idempotency-holders.ts';

/** Every migration by its name, which is its place in the order; one that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': { up: initial },
  '0002-dashboard': { up: dashboard },
  '0003-review': { up: review },
  '0004-webhooks': { up: webhooks },
  '0005-inbox': { up: inbox },
  '0006-providers': { up: providers },
  '0007-home': { up: home },
  '0008-review-threshold': { up: reviewThreshold },
  '0009-confirmed': { up: confirmed },
  '0010-document-search': { up: documentSearch },
  '0011-intake': { up: intake },
  '0012-file-names': { up: fileNames },
  '0013-access': { up: access },
  '0014-document-work': { up: documentWork },
  '0015-document-types': { up: documentTypes },
  '0016-identity-providers': { up: identityProviders },
  '0017-provisioning': { up: provisioning },
  '0018-email-domains': { up: emailDomains },
  '0019-traces': { up: traces },
  '0020-idempotency-holders': { up: idempotencyHolders },
};
