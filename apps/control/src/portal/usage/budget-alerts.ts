import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import { type Outbox, putMailOf } from '../../frame/outbox.ts';
import { type Rounds, startRounds } from '../../frame/rounds.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import { loadCurrentBilling, readSpending } from '../../money/billing-periods/current.ts';
import { lockBudget, setAlerted } from './budgets.ts';
import { budgetMail } from './mails.ts';
import { dueLevel } from './rules.ts';

export interface AlertParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly outbox: Outbox;
  /** Called where a check failed; it is repeated with the next round. */
  readonly onError: (error: unknown) => void;
}

const intervalMs = 60_000;
/** How often a budget is checked: what is spent is computed from all of the period's usage. */
const checkMinutes = 5;
const claimed = 50;

/**
 * Compares the budgets of all organizations with what is spent every few minutes, and sends e-mails. Several processes can
 * do so concurrently.
 */
export function startBudgetAlerts(parts: AlertParts): Rounds {
  const { onError } = parts;
  return startRounds((isStopped) => checkBudgets(parts, isStopped), { intervalMs, onError });
}

interface Claim {
  readonly organizationId: string;
  readonly developerId: string;
  readonly currency: string;
}

/** Checks every budget that is due, each by one process. */
export async function checkBudgets(parts: AlertParts, isStopped: () => boolean = () => false): Promise<void> {
  for (;;) {
    const claims = await claimDue(parts.database);
    for (const claim of claims) {
      if (isStopped()) return;
      await alert(parts, claim).catch((error: unknown) => parts.onError(error));
    }
    if (claims.length < claimed) return;
  }
}

async function claimDue({ system }: Pick<ControlDatabase, 'system'>): Promise<readonly Claim[]> {
  const { rows } = await sql<Claim>`
    update portal_budgets set checked_at = now() where ctid = any(array(
      select ctid from portal_budgets where checked_at < now() - ${checkMinutes} * interval '1 minute'
      order by checked_at limit ${claimed} for update skip locked))
    returning organization_id as "organizationId", developer_id as "developerId", currency`.execute(system);
  return rows;
}

/** Sends the e-mails of a budget's level in the transaction that remembers it, so that they are sent once. */
async function alert(parts: AlertParts, { organizationId, developerId, currency }: Claim): Promise<void> {
  await writeAsSystem(parts, organizationId, async (transaction, now) => {
    const budget = await lockBudget(transaction, developerId, currency);
    const billing = budget === null ? null : await loadCurrentBilling(transaction, now);
    if (budget === null || billing === null) return null;
    const spentMinor = (await readSpending(transaction, billing, developerId)).get(currency) ?? 0;
    const percent = dueLevel(budget, spentMinor, billing.period.id);
    if (percent === null) return null;
    await setAlerted(transaction, developerId, currency, { percent, periodId: billing.period.id });
    const people = await listPayers(transaction, developerId);
    const { amountMinor } = budget;
    for (const { email, name, locale } of people) {
      const mail = budgetMail(email, locale, { percent, currency, amountMinor, spentMinor, name });
      await putMailOf(parts.outbox, transaction, organizationId, mail);
    }
    return {
      operation: 'alertPortalBudget',
      entityType: 'portal_budget',
      entityId: developerId,
      note: `${percent} % of the budget in ${currency}, to ${people.length} users`,
      before: { alertedPercent: budget.alerted_percent },
      after: { alertedPercent: percent },
      severity: 'low',
    };
  });
  parts.outbox.wake();
}

/** Active portal users of a developer account who see its invoices. */
async function listPayers(transaction: TenantTransaction, developerId: string) {
  return transaction
    .selectFrom('portal_users')
    .select(['email', 'name', 'locale'])
    .where('organization_id', '=', transaction.tenantId)
    .where('developer_id', '=', developerId)
    .where('role', 'in', ['owner', 'billing'])
    .where('state', '=', 'active')
    .orderBy('created_at')
    .limit(50)
    .execute();
}
