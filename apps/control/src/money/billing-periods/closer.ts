import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { listDevelopersByIds } from '../../consumers/developers/store.ts';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import { carryOutEvents, collectEvents, type Subscriber } from '../../frame/events.ts';
import type { Outbox } from '../../frame/outbox.ts';
import { attempt, type Rounds, startRounds } from '../../frame/rounds.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { withDays } from '../invoices/documents.ts';
import { loadIssuer } from '../invoices/issuing.ts';
import { remindOverdue } from '../invoices/reminders.ts';
import { type Issue, insertInvoices, issueInvoices } from '../invoices/store.ts';
import type { BilledTerm } from './billing.ts';
import { draftsOf } from './drafts.ts';
import { finishClosing, followingPeriod, lockClosing, openDuePeriods, updateClosing } from './store.ts';
import { billDevelopers, listBillableDevelopers, listTrials, loadBilling } from './terms.ts';
import { takeTurns } from './turns.ts';
import { readSummedUsage, sumUsage } from './usage.ts';

export interface CloserParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly outbox: Outbox;
  readonly subscribers: readonly Subscriber[];
  /** Called with an error; the next round tries again. */
  onError(error: unknown): void;
  readonly intervalMs?: number;
}

const usualIntervalMs = 30_000;

/**
 * Makes the invoices of periods that are being closed, opens periods when the ones before them end, and sends reminders:
 * every 30 seconds, and when woken because a period is to be closed. Several processes can do so concurrently.
 */
export function startPeriodCloser(parts: CloserParts): Rounds {
  const { database, onError, intervalMs = usualIntervalMs } = parts;
  const round = async (isStopped: () => boolean): Promise<void> => {
    const unlessStopped = async (work: () => Promise<unknown>) => {
      if (!isStopped()) await attempt(work, onError);
    };
    await unlessStopped(async () => {
      for (const organizationId of await listDueOrganizations(database)) {
        await unlessStopped(() => openDue(parts, organizationId));
      }
    });
    await unlessStopped(async () => {
      for (const closing of await listClosings(database)) {
        await unlessStopped(async () => {
          while (!isStopped() && (await continueClosing(parts, closing)));
        });
      }
    });
    await unlessStopped(() => remindOverdue(parts));
  };
  return startRounds(round, { intervalMs, onError });
}

/** A period that is being closed. */
export interface Closing {
  readonly organizationId: string;
  readonly periodId: string;
}

async function listClosings({ system }: ControlDatabase): Promise<readonly Closing[]> {
  const { rows } = await sql<Closing>`
    select organization_id as "organizationId", id as "periodId" from billing_periods
    where state = 'closing' order by closing_since, id limit 1000`.execute(system);
  return rows;
}

/** Organizations whose last period has ended, and those that have terms and no period yet. */
async function listDueOrganizations({ system }: ControlDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organizations o
    where case when exists (select from billing_periods where organization_id = o.id)
      then not exists (select from billing_periods where organization_id = o.id and ends_at > now())
      else exists (select from subscription_terms where organization_id = o.id) end
    order by id limit 1000`.execute(system);
  return rows.map(({ id }) => id);
}

async function openDue({ database, chain }: CloserParts, organizationId: string): Promise<void> {
  await writeAsSystem({ database, chain }, organizationId, async (transaction, now) => {
    const opened = await openDuePeriods(transaction, now);
    const last = opened.at(-1);
    if (last === undefined) return null;
    return {
      operation: 'openBillingPeriod',
      entityType: 'billing_period',
      entityId: last.id,
      note: opened.length === 1 ? '' : `With the ${opened.length - 1} periods before it.`,
      before: null,
      after: last,
    };
  });
}

/** Terms that are billed in one transaction. */
const usualChunkTerms = 500;
/** Days of usage that are summed in one transaction. */
const summedDays = 4;
const dayMs = 86_400_000;

/**
 * Sums the usage of the next days of a period in one transaction; after the last ones, bills the next developers; and
 * after them, ends the closing. Whatever ends a process in between, another continues after what was committed.
 *
 * @returns false if nothing is left to do
 */
export async function continueClosing(
  { database, chain, subscribers }: Pick<CloserParts, 'database' | 'chain' | 'subscribers'>,
  { organizationId, periodId }: Closing,
  chunkTerms = usualChunkTerms,
): Promise<boolean> {
  const isBilled = await tenantTransaction(database, organizationId, (transaction) =>
    collectEvents(transaction, async () => {
      const result = await billNext(transaction, periodId, chunkTerms);
      await carryOutEvents(subscribers, transaction, null);
      return result;
    }),
  );
  if (isBilled !== 'all') return isBilled === 'some';
  await writeAsSystem({ database, chain }, organizationId, async (transaction) => {
    const before = await lockClosing(transaction, periodId);
    if (before === null) return null;
    const after = await finishClosing(transaction, periodId);
    return {
      operation: 'closeBillingPeriod',
      entityType: 'billing_period',
      entityId: periodId,
      note: '',
      before: before.period,
      after,
    };
  });
  return false;
}

async function billNext(
  transaction: TenantTransaction,
  periodId: string,
  chunkTerms: number,
): Promise<'some' | 'all' | 'none'> {
  const closing = await lockClosing(transaction, periodId);
  if (closing === null) return 'none';
  const following = await followingPeriod(transaction);
  const billing = await loadBilling(transaction, periodId, following);
  const { period } = billing;
  if (closing.summedUntil !== period.endsAt) {
    const from = closing.summedUntil ?? period.startsAt;
    const to = new Date(Math.min(Date.parse(from) + summedDays * dayMs, Date.parse(period.endsAt))).toISOString();
    const trials = await listTrials(transaction, period, from);
    // Clocks that were behind have usage before the first period.
    const isFirstPart = period.isFirst && closing.summedUntil === null;
    await sumUsage(transaction, periodId, { from: isFirstPart ? '-infinity' : from, to, trials });
    await updateClosing(transaction, periodId, { summedUntil: to });
    return 'some';
  }
  const developerIds = await listBillableDevelopers(transaction, period, {
    after: closing.billedThrough,
    most: chunkTerms,
  });
  const last = developerIds.at(-1);
  if (last === undefined) return 'all';
  const billed = await billDevelopers(transaction, billing, developerIds, readSummedUsage);
  await insertBilledTerms(transaction, periodId, billed);
  const issuer = await loadIssuer(transaction, new Date());
  const drafts = draftsOf(billed, await listDevelopersByIds(transaction, developerIds), issuer);
  const added = await insertInvoices(transaction, periodId, drafts);
  if (issuer.autoIssue) {
    const days = withDays(period, period.timeZone);
    const turn = takeTurns();
    const issues: Issue[] = [];
    for (const { id, draft } of added) {
      const lines = draft.lines.map((line) => withDays(line, period.timeZone));
      if (issuer.problemsOf({ ...draft, ...days }, lines).length === 0) issues.push({ id, ...draft });
      await turn();
    }
    await issueInvoices(transaction, issues, issuer);
  }
  await updateClosing(transaction, periodId, { billedThrough: last });
  return 'some';
}

async function insertBilledTerms(
  transaction: TenantTransaction,
  periodId: string,
  billed: readonly BilledTerm[],
): Promise<void> {
  const rows = billed.map(({ term, lines, requests, billed: billedRequests, notBillable, lateRequests }) => ({
    term_id: term.id,
    developer_id: term.developerId,
    currency: term.terms.currency,
    requests,
    billed: billedRequests,
    not_billable: notBillable,
    late_requests: lateRequests,
    amount_minor: lines.reduce((total, { amountMinor }) => total + amountMinor, 0),
  }));
  await sql`
    insert into billed_terms (organization_id, period_id, term_id, developer_id, currency, requests, billed, not_billable,
      late_requests, amount_minor)
    select ${transaction.tenantId}, ${periodId}, given.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (term_id text, developer_id text, currency text,
      requests bigint, billed bigint, not_billable jsonb, late_requests bigint, amount_minor bigint)
    on conflict do nothing`.execute(transaction);
}
