import { tenantTransaction } from '@millrace/postgres';
import { createTextLookup, type LookUpTexts } from '@millrace/sign-in/domain-verification';
import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import { carryOutEvents, collectEvents, type Subscriber } from '../../frame/events.ts';
import { type Rounds, startRounds } from '../../frame/rounds.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import type { PortalDomain } from './contract.ts';
import { findDomain, lockDomain, noteLookup } from './store.ts';

export interface RecheckParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly subscribers: readonly Subscriber[];
  readonly dnsServers: readonly string[];
  /** Called where a check failed; it is repeated with the next round. */
  readonly onError: (error: unknown) => void;
}

const intervalMs = 60_000;
const checkHours = 12;
const claimed = 20;

/** Checks verified domains of all organizations twice a day. Several processes can do so concurrently. */
export function startDomainRechecker(parts: RecheckParts): Rounds {
  const { onError } = parts;
  return startRounds((isStopped) => recheckDomains(parts, isStopped), { intervalMs, onError });
}

interface Claim {
  readonly organizationId: string;
  readonly domainId: string;
}

/** Checks every verified domain that is due, each by one process. */
export async function recheckDomains(parts: RecheckParts, isStopped: () => boolean = () => false): Promise<void> {
  const lookUp = createTextLookup(parts.dnsServers);
  for (;;) {
    const claims = await claimDue(parts.database);
    for (const { organizationId, domainId } of claims) {
      if (isStopped()) return;
      await recheck(parts, lookUp, organizationId, domainId).catch((error: unknown) => parts.onError(error));
    }
    if (claims.length < claimed) return;
  }
}

async function claimDue({ system }: Pick<ControlDatabase, 'system'>): Promise<readonly Claim[]> {
  const { rows } = await sql<Claim>`
    update portal_domains set checked_at = now() where ctid = any(array(
      select ctid from portal_domains
      where verified_at is not null and checked_at < now() - ${checkHours} * interval '1 hour'
      order by checked_at limit ${claimed} for update skip locked))
    returning organization_id as "organizationId", id as "domainId"`.execute(system);
  return rows;
}

/** Looks the record up, then notes what became of it, with an audit row and notifications where that changed. */
async function recheck(
  parts: RecheckParts,
  lookUp: LookUpTexts,
  organizationId: string,
  domainId: string,
): Promise<void> {
  const domain = await tenantTransaction(
    parts.database,
    organizationId,
    (transaction) => findDomain(transaction, domainId),
    { access: 'read only' },
  );
  if (domain === null) return;
  const lookup = await lookUp(domain.recordName);
  await writeAsSystem(parts, organizationId, (transaction, now) =>
    collectEvents(transaction, async () => {
      const before = await lockDomain(transaction, domainId);
      if (before === null || before.state !== 'verified') return null;
      const after = await noteLookup(transaction, before, lookup, now);
      await carryOutEvents(parts.subscribers, transaction, null);
      const isLost = after.state !== 'verified';
      const isMissing = before.missingSince === null && after.missingSince !== null;
      if (isLost || isMissing) await notifyOf(transaction, after, now);
      if (before.missingSince === after.missingSince && !isLost) return null;
      const note = after.problem ?? 'The DNS record is there again.';
      const severity = isLost ? 'high' : 'low';
      const entity = { entityType: 'portal_domain', entityId: domainId };
      return { operation: 'recheckPortalDomain', ...entity, note, before, after, severity };
    }),
  );
}

/** Notifies those who may change domains that a record is missing, or that it was missing for too long. */
async function notifyOf(transaction: TenantTransaction, { hostName, state }: PortalDomain, now: Date): Promise<void> {
  const people = await listHolders(transaction, 'portal.write');
  const title =
    state === 'verified'
      ? `The DNS record of ${hostName} is missing. The portal leaves the domain in 7 days.`
      : `The portal left ${hostName}, whose DNS record was missing for 7 days`;
  const userIds = people.map(({ id }) => id);
  await notify(transaction, { userIds, kind: 'portal_domain', title, link: '/developer-portal/domains' }, now);
}
