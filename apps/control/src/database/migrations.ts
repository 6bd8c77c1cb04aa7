import type { Migration } from 'kysely/migration';
import { up as core } from './migrations/0001-core.ts';
import { up as consumersAndGateway } from './migrations/0002-consumers-and-gateway.ts';
import { up as failedDeployments } from './migrations/0003-failed-deployments.ts';
import { up as proxySearch } from './migrations/0004-proxy-search.ts';
import { up as productionChanges } from './migrations/0005-production-changes.ts';
import { up as accountMakers } from './migrations/0006-account-makers.ts';
import { up as rollout } from './migrations/0008-rollout.ts';
import { up as metering } from './migrations/0009-metering.ts';
import { up as ratePlans } from './migrations/0010-rate-plans.ts';
import { up as billing } from './migrations/0011-billing.ts';
import { up as prepaid } from './migrations/0012-prepaid.ts';
import { up as usageSums } from './migrations/0013-usage-sums.ts';
import { up as portalUsers } from './migrations/0014-portal-users.ts';
import { up as portalIdentity } from './migrations/0015-portal-identity.ts';
import { up as portalSelfService } from './migrations/0016-portal-self-service.ts';
import { up as portalContent } from './migrations/0017-portal-content.ts';
import { up as topUps } from './migrations/0018-top-ups.ts';
import { up as invoicedUsage } from './migrations/0019-invoiced-usage.ts';
import { up as trafficSlots } from './migrations/0020-traffic-slots.ts';
import { up as trafficRollups } from './migrations/0021-traffic-rollups.ts';
import { up as alertRules } from './migrations/0022-alert-rules.ts';
import { up as incidents } from './migrations/0023-incidents.ts';
import { up as integrations } from './migrations/0024-integrations.ts';
import { up as identityProviders } from './migrations/0025-identity-providers.ts';
import { up as provisioning } from './migrations/0026-provisioning.ts';
import { up as targetProtocols } from './migrations/0027-target-protocols.ts';
import { up as portalIdentityProviders } from './migrations/0028-portal-identity-providers.ts';
import { up as trafficRanks } from './migrations/0030-traffic-ranks.ts';
import { up as topUpAnswers } from './migrations/0031-top-up-answers.ts';
import { up as incidentVisibility } from './migrations/0032-incident-visibility.ts';
import { up as portalDomainChecks } from './migrations/0033-portal-domain-checks.ts';
import { up as creditExpiry } from './migrations/0034-credit-expiry.ts';
import { up as expiryCorrections } from './migrations/0035-expiry-corrections.ts';
import { up as routeFailures } from './migrations/0036-route-failures.ts';

/** Every migration by its name, which is its place in the order; one that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-core': { up: core },
  '0002-consumers-and-gateway': { up: consumersAndGateway },
  '0003-failed-deployments': { up: failedDeployments },
  '0004-proxy-search': { up: proxySearch },
  '0005-production-changes': { up: productionChanges },
  '0006-account-makers': { up: accountMakers },
  '0008-rollout': { up: rollout },
  '0009-metering': { up: metering },
  '0010-rate-plans': { up: ratePlans },
  '0011-billing': { up: billing },
  '0012-prepaid': { up: prepaid },
  '0013-usage-sums': { up: usageSums },
  '0014-portal-users': { up: portalUsers },
  '0015-portal-identity': { up: portalIdentity },
  '0016-portal-self-service': { up: portalSelfService },
  '0017-portal-content': { up: portalContent },
  '0018-top-ups': { up: topUps },
  '0019-invoiced-usage': { up: invoicedUsage },
  '0020-traffic-slots': { up: trafficSlots },
  '0021-traffic-rollups': { up: trafficRollups },
  '0022-alert-rules': { up: alertRules },
  '0023-incidents': { up: incidents },
  '0024-integrations': { up: integrations },
  '0025-identity-providers': { up: identityProviders },
  '0026-provisioning': { up: provisioning },
  '0027-target-protocols': { up: targetProtocols },
  '0028-portal-identity-providers': { up: portalIdentityProviders },
  '0030-traffic-ranks': { up: trafficRanks },
  '0031-top-up-answers': { up: topUpAnswers },
  '0032-incident-visibility': { up: incidentVisibility },
  '0033-portal-domain-checks': { up: portalDomainChecks },
  '0034-credit-expiry': { up: creditExpiry },
  '0035-expiry-corrections': { up: expiryCorrections },
  '0036-route-failures': { up: routeFailures },
};

/** The PostgreSQL schema of the management API's tables. */
export const schemaName = 'control';
