import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import type * as z from 'zod';
import type { JsonObject, TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import { type Listing, matches, readPage } from '../../frame/listing.ts';
import type { GovernanceFinding, GovernanceWaiver } from './contract.ts';
import { builtInDefaults, isBuiltIn, type Standard } from './rules.ts';

export type PresentedFinding = z.infer<typeof GovernanceFinding>;
export type PresentedWaiver = z.infer<typeof GovernanceWaiver>;

/** Every rule of the organization, built-in ones as it configured them and custom ones, by code. */
export async function loadStandards(transaction: TenantTransaction): Promise<readonly Standard[]> {
  const { created_at: since } = await transaction
    .selectFrom('organizations')
    .select('created_at')
    .where('id', '=', transaction.tenantId)
    .executeTakeFirstOrThrow();
  const rows = await transaction
    .selectFrom('governance_standards')
    .selectAll()
    .where('organization_id', '=', transaction.tenantId)
    .execute();
  const stored = rows.map(
    (row): Standard => ({
      code: row.code,
      name: row.name,
      description: row.description,
      kind: isBuiltIn(row.code) ? 'built_in' : 'custom',
      severity: row.severity,
      blocking: row.blocking,
      enabled: row.enabled,
      ruleset: row.ruleset as Standard['ruleset'],
      version: row.version,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    }),
  );
  const codes = new Set(stored.map(({ code }) => code));
  // The texts of a built-in rule come from this version.
  const defaults = builtInDefaults(since);
  const known = stored.map((standard) => {
    const builtIn = defaults.find(({ code }) => code === standard.code);
    return builtIn === undefined
      ? standard
      : { ...standard, name: builtIn.name, description: builtIn.description, createdAt: builtIn.createdAt };
  });
  return [...known, ...defaults.filter(({ code }) => !codes.has(code))].toSorted((first, second) =>
    first.code.localeCompare(second.code),
  );
}

export async function findStandard(transaction: TenantTransaction, code: string): Promise<Standard | null> {
  const standards = await loadStandards(transaction);
  return standards.find((standard) => standard.code === code) ?? null;
}

/** Likewise, and blocks other writers of rules until the commit. Throws `not_found` if it doesn't exist. */
export async function lockStandard(transaction: TenantTransaction, code: string): Promise<Standard> {
  await lockStandards(transaction);
  return found(await findStandard(transaction, code));
}

/** A built-in rule has no row to lock until it is first changed: rules are written one after another. */
export async function lockStandards(transaction: TenantTransaction): Promise<void> {
  const key = `governance standards ${transaction.tenantId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}

type WrittenStandard = Pick<
  Standard,
  'code' | 'name' | 'description' | 'severity' | 'blocking' | 'enabled' | 'ruleset'
>;

/** Adds a custom rule. A code that is already used is a field error. */
export async function insertStandard(transaction: TenantTransaction, standard: WrittenStandard): Promise<void> {
  await conflictsAt(
    transaction
      .insertInto('governance_standards')
      .values({ organization_id: transaction.tenantId, ...columnsOf(standard) })
      .execute(),
    { governance_standards_pkey: ['code', 'Another rule has this code.'] },
  );
}

/** Writes a rule; a built-in one gets its row with the first change. */
export async function writeStandard(
  transaction: TenantTransaction,
  standard: WrittenStandard,
  now: Date,
): Promise<void> {
  const columns = columnsOf(standard);
  await transaction
    .insertInto('governance_standards')
    // The version before the first change was 1, without a row.
    .values({ organization_id: transaction.tenantId, ...columns, version: 2, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'code'])
        .doUpdateSet({ ...columns, version: sql<number>`governance_standards.version + 1`, updated_at: now }),
    )
    .execute();
}

function columnsOf({ code, name, description, severity, blocking, enabled, ruleset }: WrittenStandard) {
  return {
    code,
    name,
    description,
    severity,
    blocking,
    enabled,
    ruleset: ruleset === null ? null : JSON.stringify(ruleset),
  };
}

/** Existing findings follow their rule. */
export async function adjustFindings(
  transaction: TenantTransaction,
  { code, severity, blocking, enabled }: Pick<Standard, 'code' | 'severity' | 'blocking' | 'enabled'>,
): Promise<void> {
  if (!enabled) return deleteFindings(transaction, code);
  await transaction
    .updateTable('governance_findings')
    .set({ severity, blocking })
    .where('organization_id', '=', transaction.tenantId)
    .where('code', '=', code)
    .execute();
}

async function deleteFindings(transaction: TenantTransaction, code: string): Promise<void> {
  await transaction
    .deleteFrom('governance_findings')
    .where('organization_id', '=', transaction.tenantId)
    .where('code', '=', code)
    .execute();
}

/** Marks every evaluation as outdated: the rules have changed since. */
export async function outdateEvaluations(transaction: TenantTransaction): Promise<void> {
  await transaction
    .updateTable('governance_evaluations')
    .set({ content_hash: '' })
    .where('organization_id', '=', transaction.tenantId)
    .execute();
}

/** Removes a custom rule with its findings; its waivers end. */
export async function deleteStandard(transaction: TenantTransaction, code: string, now: Date): Promise<void> {
  await transaction
    .deleteFrom('governance_standards')
    .where('organization_id', '=', transaction.tenantId)
    .where('code', '=', code)
    .execute();
  await deleteFindings(transaction, code);
  await transaction
    .updateTable('governance_waivers')
    .set({ ended_at: now, version: sql`version + 1`, updated_at: now })
    .where('organization_id', '=', transaction.tenantId)
    .where('code', '=', code)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)
    .execute();
}

interface FindingFilters extends Listing {
  readonly proxyId?: string | undefined;
  readonly code?: string | undefined;
  readonly severity?: PresentedFinding['severity'] | undefined;
  readonly blocking?: boolean | undefined;
  readonly waived?: boolean | undefined;
}

const findingColumns = {
  severity: 'rank',
  code: 'finding.code',
  location: 'finding.location',
  firstSeenAt: 'finding.first_seen_at',
  proxyName: 'proxy_name',
};

/** Blocking ones first, then by severity. */
const rank = sql<number>`case when finding.blocking then 0 when finding.severity = 'error' then 1
  when finding.severity = 'warning' then 2 else 3 end`;

function selectFindings(transaction: TenantTransaction) {
  return transaction
    .selectFrom('governance_findings as finding')
    .innerJoin('proxies as proxy', (join) =>
      join
        .onRef('proxy.organization_id', '=', 'finding.organization_id')
        .onRef('proxy.id', '=', 'finding.proxy_id')
        .on('proxy.deleted_at', 'is', null),
    )
    .leftJoin('governance_waivers as waiver', (join) =>
      join.onRef('waiver.organization_id', '=', 'finding.organization_id').onRef('waiver.id', '=', 'finding.waiver_id'),
    )
    .selectAll('finding')
    .select(['proxy.name as proxy_name', 'waiver.reason as waiver_reason', 'waiver.ends_at as waiver_ends_at'])
    .select(rank.as('rank'))
    .where('finding.organization_id', '=', transaction.tenantId);
}

export async function listFindings(transaction: TenantTransaction, filters: FindingFilters) {
  const { proxyId, code, severity, blocking, waived } = filters;
  let query = selectFindings(transaction).where((builder) =>
    matches(builder, ['finding.code', 'finding.location', 'finding.message', 'proxy.name'], filters.search),
  );
  if (proxyId !== undefined) query = query.where('finding.proxy_id', '=', proxyId);
  if (code !== undefined) query = query.where('finding.code', '=', code);
  if (severity !== undefined) query = query.where('finding.severity', '=', severity);
  if (blocking !== undefined) query = query.where('finding.blocking', '=', blocking);
  if (waived !== undefined) query = query.where('finding.waiver_id', waived ? 'is not' : 'is', null);
  const { rows, total } = await readPage(query, filters, findingColumns, 'finding.id');
  return { findings: rows.map(presentFinding), total };
}

/** A proxy's last evaluation with all its findings, worst first. */
export async function findEvaluation(transaction: TenantTransaction, proxyId: string) {
  const rows = await selectFindings(transaction)
    .where('finding.proxy_id', '=', proxyId)
    .orderBy('rank')
    .orderBy('finding.code')
    .orderBy('finding.location')
    .execute();
  const { score } = await transaction
    .selectFrom('governance_evaluations')
    .select('score')
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .executeTakeFirstOrThrow();
  return { findings: rows.map(presentFinding), score };
}

type FindingRow = Awaited<ReturnType<ReturnType<typeof selectFindings>['executeTakeFirstOrThrow']>>;

function presentFinding(row: FindingRow): PresentedFinding {
  return {
    id: row.id,
    proxyId: row.proxy_id,
    proxyName: row.proxy_name,
    code: row.code,
    location: row.location,
    message: row.message,
    remedy: row.remedy,
    // Both are written by the evaluation, which only has these values.
    fix: row.fix as PresentedFinding['fix'],
    severity: row.severity as PresentedFinding['severity'],
    blocking: row.blocking,
    waiver:
      row.waiver_id === null
        ? null
        : { id: row.waiver_id, reason: row.waiver_reason!, endsAt: row.waiver_ends_at!.toISOString() },
    firstSeenAt: row.first_seen_at.toISOString(),
  };
}

const summaryColumns = {
  score: 'score',
  name: 'proxy.name',
  blocking: 'blocking',
  findings: 'findings',
  evaluatedAt: 'evaluated_at',
};

/** Each proxy with its last evaluation, and how many findings it has. */
function selectSummaries(transaction: TenantTransaction) {
  const counted = (condition: string) =>
    sql<number>`(select count(*)::integer from governance_findings finding
      where finding.organization_id = proxy.organization_id and finding.proxy_id = proxy.id
        and ${sql.raw(condition)})`;
  return transaction
    .selectFrom('proxies as proxy')
    .leftJoin('governance_evaluations as evaluation', (join) =>
      join
        .onRef('evaluation.organization_id', '=', 'proxy.organization_id')
        .onRef('evaluation.proxy_id', '=', 'proxy.id'),
    )
    .select(['proxy.id', 'proxy.name', 'proxy.stage', 'evaluation.score', 'evaluation.evaluated_at'])
    .select([
      sql<boolean>`coalesce(evaluation.content_hash = proxy.content_hash, false)`.as('current'),
      counted('blocking and waiver_id is null').as('blocking'),
      counted('waiver_id is null').as('findings'),
      counted('waiver_id is not null').as('waived'),
    ])
    .where('proxy.organization_id', '=', transaction.tenantId)
    .where('proxy.deleted_at', 'is', null);
}

type SummaryRow = Awaited<ReturnType<ReturnType<typeof selectSummaries>['executeTakeFirstOrThrow']>>;

function presentSummary(row: SummaryRow) {
  return {
    proxyId: row.id,
    name: row.name,
    stage: row.stage,
    score: row.score,
    evaluatedAt: row.evaluated_at?.toISOString() ?? null,
    current: row.current,
    blocking: row.blocking,
    findings: row.findings,
    waived: row.waived,
  };
}

/** A proxy's result; null if the proxy doesn't exist. */
export async function findSummary(transaction: TenantTransaction, proxyId: string) {
  const row = await selectSummaries(transaction).where('proxy.id', '=', proxyId).executeTakeFirst();
  return row === undefined ? null : presentSummary(row);
}

interface SummaryFilters extends Listing {
  readonly stage?: SummaryRow['stage'] | undefined;
  readonly evaluated?: boolean | undefined;
}

export async function loadSummary(transaction: TenantTransaction, filters: SummaryFilters) {
  const organizationId = transaction.tenantId;
  let query = selectSummaries(transaction).where((builder) => matches(builder, ['proxy.name'], filters.search));
  if (filters.stage !== undefined) query = query.where('proxy.stage', '=', filters.stage);
  if (filters.evaluated !== undefined) {
    query = query.where('evaluation.score', filters.evaluated ? 'is not' : 'is', null);
  }
  const { rows, total } = await readPage(query, filters, summaryColumns, 'proxy.id');
  const overall = await sql<{ average: number | null; evaluated: number; not_evaluated: number }>`
    select round(avg(score), 1)::float8 as average, count(score)::integer as evaluated,
      count(*) filter (where score is null)::integer as not_evaluated
    from proxies proxy left join governance_evaluations evaluation
      on evaluation.organization_id = proxy.organization_id and evaluation.proxy_id = proxy.id
    where proxy.organization_id = ${organizationId} and proxy.deleted_at is null`.execute(transaction);
  const byRule = await sql<{ code: string; findings: number; waived: number; proxies: number }>`
    select code, count(*) filter (where waiver_id is null)::integer as findings,
      count(waiver_id)::integer as waived,
      count(distinct proxy_id) filter (where waiver_id is null)::integer as proxies
    from governance_findings where organization_id = ${organizationId} group by code`.execute(transaction);
  const standards = await loadStandards(transaction);
  const { average, evaluated, not_evaluated: notEvaluated } = overall.rows[0]!;
  return {
    averageScore: average,
    evaluated,
    notEvaluated,
    rules: standards
      .filter(({ enabled }) => enabled)
      .map(({ code, name, blocking }) => {
        const counts = byRule.rows.find((row) => row.code === code);
        return {
          code,
          name,
          blocking,
          findings: counts?.findings ?? 0,
          waived: counts?.waived ?? 0,
          proxies: counts?.proxies ?? 0,
        };
      }),
    proxies: rows.map(presentSummary),
    total,
  };
}

interface WaiverFilters extends Listing {
  readonly proxyId?: string | undefined;
  readonly code?: string | undefined;
  readonly state?: PresentedWaiver['state'] | undefined;
}

const waiverColumns = {
  createdAt: 'waiver.created_at',
  endsAt: 'waiver.ends_at',
  code: 'waiver.code',
  proxyName: 'proxy_name',
};

const waiverState = (now: Date) =>
  sql<PresentedWaiver['state']>`case when waiver.ended_at is not null then 'ended'
    when waiver.ends_at <= ${now} then 'expired' else 'active' end`;

function selectWaivers(transaction: TenantTransaction, now: Date) {
  return transaction
    .selectFrom('governance_waivers as waiver')
    .innerJoin('proxies as proxy', (join) =>
      join.onRef('proxy.organization_id', '=', 'waiver.organization_id').onRef('proxy.id', '=', 'waiver.proxy_id'),
    )
    .leftJoin('users', (join) =>
      join.onRef('users.organization_id', '=', 'waiver.organization_id').onRef('users.id', '=', 'waiver.created_by'),
    )
    .leftJoin('service_accounts as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'waiver.organization_id')
        .onRef('account.id', '=', 'waiver.created_by'),
    )
    .selectAll('waiver')
    .select('proxy.name as proxy_name')
    .select([
      waiverState(now).as('state'),
      sql<string>`coalesce(users.name, account.name, waiver.created_by)`.as('created_by_name'),
    ])
    .where('waiver.organization_id', '=', transaction.tenantId);
}

export async function listWaivers(transaction: TenantTransaction, filters: WaiverFilters, now: Date) {
  let query = selectWaivers(transaction, now).where((builder) =>
    matches(builder, ['waiver.code', 'waiver.location', 'waiver.reason', 'proxy.name'], filters.search),
  );
  if (filters.proxyId !== undefined) query = query.where('waiver.proxy_id', '=', filters.proxyId);
  if (filters.code !== undefined) query = query.where('waiver.code', '=', filters.code);
  if (filters.state !== undefined) query = query.where(waiverState(now), '=', filters.state);
  const { rows, total } = await readPage(query, filters, waiverColumns, 'waiver.id');
  return { waivers: rows.map(presentWaiver), total };
}

export async function findWaiver(
  transaction: TenantTransaction,
  id: string,
  now: Date,
): Promise<PresentedWaiver | null> {
  const row = await selectWaivers(transaction, now).where('waiver.id', '=', id).executeTakeFirst();
  return row === undefined ? null : presentWaiver(row);
}

export async function insertWaiver(
  transaction: TenantTransaction,
  values: Pick<PresentedWaiver, 'proxyId' | 'code' | 'location' | 'reason' | 'createdBy'> & { readonly endsAt: Date },
): Promise<string> {
  const id = newId('wvr');
  await transaction
    .insertInto('governance_waivers')
    .values({
      id,
      organization_id: transaction.tenantId,
      proxy_id: values.proxyId,
      code: values.code,
      location: values.location,
      reason: values.reason,
      ends_at: values.endsAt,
      created_by: values.createdBy,
    })
    .execute();
  return id;
}

export async function endWaiver(transaction: TenantTransaction, id: string, now: Date): Promise<void> {
  await transaction
    .updateTable('governance_waivers')
    .set({ ended_at: now, version: sql`version + 1`, updated_at: now })
    .where('organization_id', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

type WaiverRow = Awaited<ReturnType<ReturnType<typeof selectWaivers>['executeTakeFirstOrThrow']>>;

function presentWaiver(row: WaiverRow): PresentedWaiver {
  return {
    id: row.id,
    proxyId: row.proxy_id,
    proxyName: row.proxy_name,
    code: row.code,
    location: row.location,
    reason: row.reason,
    state: row.state,
    endsAt: row.ends_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The number of the organization's custom rules. */
export async function countCustomStandards(transaction: TenantTransaction): Promise<number> {
  const standards = await loadStandards(transaction);
  return standards.filter(({ kind }) => kind === 'custom').length;
}

/** A finding as a lifecycle request stores it. */
export function findingSnapshot(finding: PresentedFinding): JsonObject {
  const { code, location, message, remedy, severity, blocking, waiver, fix } = finding;
  return { code, location, message, remedy, severity, blocking, fix, waived: waiver !== null };
}
