import { sql } from 'kysely';
import { moveToVersion } from '../../consumers/subscriptions/store.ts';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { AuditChain } from '../../frame/audit.ts';
import { carryOutEvents, collectEvents, type Subscriber } from '../../frame/events.ts';
import { type Rounds, startRounds } from '../../frame/rounds.ts';
import { writeAsSystem } from '../../frame/system-write.ts';

interface SwitchParts {
  readonly database: ControlDatabase;
  readonly chain: AuditChain;
  readonly subscribers: readonly Subscriber[];
}

/** A version that applies to existing subscribers by now. */
interface DueVersion {
  readonly organizationId: string;
  readonly ratePlanId: string;
  readonly planVersion: number;
}

const intervalMs = 5_000;
/** How many subscriptions move in a transaction, which holds the organization's gateway sequence. */
const usualBatchSize = 200;

/**
 * Moves subscriptions to the versions of their rate plans that apply to them by now, at the start and every five seconds.
 * Several processes can do so concurrently.
 */
export function startVersionSwitch(
  parts: SwitchParts & {
    /** Called where a batch failed; it is repeated later. */
    readonly onError: (error: unknown) => void;
  },
): Rounds {
  const { onError } = parts;
  return startRounds((isStopped) => switchDue(parts, { isStopped }), { intervalMs, onError });
}

/** Moves all subscriptions for which the time has come, except where another process is doing so. */
export async function switchDue(
  parts: SwitchParts,
  { isStopped = (): boolean => false, batchSize = usualBatchSize } = {},
): Promise<void> {
  for (const due of await loadDue(parts.database)) {
    let isDone = false;
    while (!isDone && !isStopped()) isDone = await moveBatch(parts, due, batchSize);
  }
}

/** The versions of all organizations that are due, the earliest first. */
async function loadDue({ system }: Pick<ControlDatabase, 'system'>): Promise<readonly DueVersion[]> {
  const { rows } = await sql<DueVersion>`
    select organization_id as "organizationId", rate_plan_id as "ratePlanId", plan_version as "planVersion"
    from rate_plan_versions where applies_from <= now() and applied_at is null
    order by applies_from, plan_version limit 1000`.execute(system);
  return rows;
}

/** Moves some subscriptions, with an audit row; true if none are left, or another process moves them. */
async function moveBatch(parts: SwitchParts, due: DueVersion, batchSize: number): Promise<boolean> {
  const { organizationId, ratePlanId, planVersion } = due;
  let isDone = true;
  await writeAsSystem(parts, organizationId, (transaction) =>
    collectEvents(transaction, async () => {
      if (!(await lockDue(transaction, due))) return null;
      const moved = await moveToVersion(transaction, due, batchSize);
      isDone = moved < batchSize;
      if (isDone) await setApplied(transaction, due);
      await carryOutEvents(parts.subscribers, transaction, null);
      if (moved === 0) return null;
      return {
        operation: 'applyRatePlanVersion',
        entityType: 'rate_plan',
        entityId: ratePlanId,
        note: `Subscriptions moved to version ${planVersion}: ${moved}`,
        before: null,
        after: null,
      };
    }),
  );
  return isDone;
}

/** False if it was applied meanwhile, or another process is doing so. */
async function lockDue(transaction: TenantTransaction, { ratePlanId, planVersion }: DueVersion): Promise<boolean> {
  const due = await transaction
    .selectFrom('rate_plan_versions')
    .select('plan_version')
    .where('organization_id', '=', transaction.tenantId)
    .where('rate_plan_id', '=', ratePlanId)
    .where('plan_version', '=', planVersion)
    .where('applied_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return due !== undefined;
}

async function setApplied(transaction: TenantTransaction, { ratePlanId, planVersion }: DueVersion): Promise<void> {
  await transaction
    .updateTable('rate_plan_versions')
    .set({ applied_at: sql<Date>`clock_timestamp()` })
    .where('organization_id', '=', transaction.tenantId)
    .where('rate_plan_id', '=', ratePlanId)
    .where('plan_version', '=', planVersion)
    .execute();
}
