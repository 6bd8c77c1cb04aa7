import { newId } from '@millrace/identifiers';
import type { OpenApiDocument } from '@millrace/openapi/document';
import { tenantTransaction } from '@millrace/postgres';
import type { RevisionContent } from '@millrace/revision/content';
import { sql } from 'kysely';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import { loadContent, lockProxy } from '../proxies/content.ts';
import { newestSpecificationId } from '../specifications/store.ts';
import { builtInStandards, type Discovery, type Subject } from './built-in.ts';
import { checkRuleset } from './custom.ts';
import { penalties, type Standard } from './rules.ts';
import { findEvaluation, loadStandards, type PresentedFinding } from './store.ts';

/** The result of an evaluation. */
export interface Evaluation {
  /** The worst first. */
  readonly findings: readonly PresentedFinding[];
  /** 0 to 100, see {@link penalties}. */
  readonly score: number;
  /** Findings that stop a move: of a blocking rule, not waived. */
  readonly blocking: readonly PresentedFinding[];
}

/** Per rule and proxy; a rule violated that often has one cause to fix. */
const mostFindings = 200;
/** Fits into an index, whatever the characters. */
const longestLocation = 600;

/**
 * Checks the working copy of a proxy against every enabled rule and replaces the stored findings; a finding that
 * existed before keeps its identity. Active waivers are applied. The proxy is locked
 * until the commit. Throws `not_found` if the proxy doesn't exist.
 */
export async function evaluateProxy(transaction: TenantTransaction, proxyId: string, now: Date): Promise<Evaluation> {
  const proxy = await lockProxy(transaction, proxyId);
  const subject = await loadSubject(transaction, proxyId);
  const standards = await loadStandards(transaction);
  const found: Found[] = [];
  for (const standard of standards.filter(({ enabled }) => enabled)) {
    found.push(...placed(standard, await check(standard, subject)));
  }
  await storeFindings(transaction, proxyId, found, now);
  await sql`
    insert into governance_evaluations (organization_id, proxy_id, content_hash, score, evaluated_at)
    values (${transaction.tenantId}, ${proxyId}, ${proxy.content_hash}, 100, ${now})
    on conflict (organization_id, proxy_id) do update
    set content_hash = excluded.content_hash, evaluated_at = excluded.evaluated_at`.execute(transaction);
  await applyWaivers(transaction, [proxyId], now);
  const { findings, score } = await findEvaluation(transaction, proxyId);
  return { findings, score, blocking: findings.filter(({ blocking, waiver }) => blocking && waiver === null) };
}

/**
 * Unwaived findings of an evaluation of a proxy's working copy now, worst first. Nothing is locked
 * or stored. Throws `not_found` if the proxy doesn't exist.
 */
export async function findUnwaived(
  transaction: TenantTransaction,
  proxyId: string,
  now: Date,
): Promise<readonly Omit<Found, 'fix'>[]> {
  const subject = await loadSubject(transaction, proxyId);
  const found = await findingsOf({ subject, standards: await loadStandards(transaction) });
  const waivers = await transaction
    .selectFrom('governance_waivers')
    .select(['code', 'location'])
    .where('organization_id', '=', transaction.tenantId)
    .where('proxy_id', '=', proxyId)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)
    .execute();
  const isWaived = ({ code, location }: Pick<Found, 'code' | 'location'>) =>
    waivers.some((waiver) => waiver.code === code && (waiver.location === null || waiver.location === location));
  const rankOf = ({ blocking, severity }: Pick<Found, 'blocking' | 'severity'>) =>
    blocking ? 0 : ['error', 'warning', 'information'].indexOf(severity) + 1;
  return found
    .filter((finding) => !isWaived(finding))
    .toSorted((first, second) => rankOf(first) - rankOf(second) || (first.code < second.code ? -1 : 1));
}

/**
 * Holds the organization's own rulesets against a proxy's specification before a transaction begins that will ask for
 * their outcome, so that it does not wait for them. Answers `not_found` where there is no such proxy.
 */
export async function runRulesetsAhead(
  database: ControlDatabase,
  organizationId: string,
  proxyId: string,
): Promise<void> {
  const { subject, standards } = await tenantTransaction(
    database,
    organizationId,
    async (transaction) => ({
      subject: await loadSubject(transaction, proxyId),
      standards: await loadStandards(transaction),
    }),
    { access: 'read only' },
  );
  for (const standard of standards) if (standard.enabled && standard.kind === 'custom') await check(standard, subject);
}

/** Likewise, and evaluates in its own transaction: the findings are stored even if the call that they block is rolled back. */
export async function evaluateAhead(
  database: ControlDatabase,
  organizationId: string,
  proxyId: string,
  now: Date,
): Promise<void> {
  await runRulesetsAhead(database, organizationId, proxyId);
  await tenantTransaction(database, organizationId, (transaction) => evaluateProxy(transaction, proxyId, now));
}

interface Found extends Discovery {
  readonly code: string;
  readonly severity: Standard['severity'];
  readonly blocking: boolean;
}

async function check(standard: Standard, subject: Subject): Promise<readonly Discovery[]> {
  if (standard.ruleset !== null) return checkRuleset(subject, { name: standard.name, ruleset: standard.ruleset });
  const builtIn = builtInStandards.find(({ code }) => code === standard.code);
  return builtIn === undefined ? [] : [...builtIn.check(subject)];
}

/** The first discovery at each place, as findings of the rule. */
function placed({ code, severity, blocking }: Standard, discoveries: readonly Discovery[]): readonly Found[] {
  const byLocation = new Map<string, Found>();
  for (const discovery of discoveries) {
    if (byLocation.size === mostFindings) break;
    const location = discovery.location.slice(0, longestLocation).toWellFormed();
    if (!byLocation.has(location)) byLocation.set(location, { ...discovery, location, code, severity, blocking });
  }
  return [...byLocation.values()];
}

/** The subject of an evaluation for a content that is not a working copy yet. */
export async function loadSubjectOf(
  transaction: TenantTransaction,
  content: RevisionContent,
): Promise<{ readonly subject: Subject; readonly standards: readonly Standard[] }> {
  const subject = {
    content,
    specificationId: null,
    published: null,
    productionTargets: await loadProductionTargets(transaction, content),
  };
  return { subject, standards: await loadStandards(transaction) };
}

/** What an evaluation of the content would find, ignoring waivers; nothing is stored. */
export async function findingsOf({
  subject,
  standards,
}: Awaited<ReturnType<typeof loadSubjectOf>>): Promise<readonly Omit<Found, 'fix'>[]> {
  const found: Omit<Found, 'fix'>[] = [];
  for (const standard of standards.filter(({ enabled }) => enabled)) {
    for (const { fix: _, ...finding } of placed(standard, await check(standard, subject))) found.push(finding);
  }
  return found.toSorted((one, other) => Number(other.blocking) - Number(one.blocking));
}

async function loadSubject(transaction: TenantTransaction, proxyId: string): Promise<Subject> {
  const organizationId = transaction.tenantId;
  const content = await loadContent(transaction, proxyId);
  const published = await transaction
    .selectFrom('specifications')
    .select(['id', 'published_document'])
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxyId)
    .where('state', '=', 'published')
    .orderBy('published_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    content,
    specificationId: await newestSpecificationId(transaction, proxyId),
    published:
      published === undefined ? null : { id: published.id, document: published.published_document as OpenApiDocument },
    productionTargets: await loadProductionTargets(transaction, content),
  };
}

function loadProductionTargets(
  transaction: TenantTransaction,
  { routes }: RevisionContent,
): Promise<Subject['productionTargets']> {
  return transaction
    .selectFrom('target_servers')
    .innerJoin('environments', (join) =>
      join
        .onRef('environments.organization_id', '=', 'target_servers.organization_id')
        .onRef('environments.id', '=', 'target_servers.environment_id'),
    )
    .select([
      'target_servers.id',
      'target_servers.name',
      'target_servers.scheme',
      'environments.name as environmentName',
    ])
    .where('target_servers.organization_id', '=', transaction.tenantId)
    .where('environments.production', '=', true)
    .where('target_servers.name', 'in', [...new Set(['', ...routes.map(({ targetServer }) => targetServer)])])
    .orderBy('target_servers.name')
    .orderBy('environments.name')
    .execute();
}

async function storeFindings(
  transaction: TenantTransaction,
  proxyId: string,
  found: readonly Found[],
  now: Date,
): Promise<void> {
  const organizationId = transaction.tenantId;
  const rows = JSON.stringify(found.map((finding) => ({ ...finding, id: newId('fnd', now.getTime()) })));
  await sql`
    with given as (
      select * from jsonb_to_recordset(${rows}::jsonb) as given (id text, code text, location text, message text,
        remedy text, fix jsonb, severity text, blocking boolean)),
    gone as (
      delete from governance_findings old
      where organization_id = ${organizationId} and proxy_id = ${proxyId} and not exists (
        select from given where given.code = old.code and given.location = old.location))
    insert into governance_findings (id, organization_id, proxy_id, code, location, message, remedy, fix, severity,
      blocking, first_seen_at)
    select id, ${organizationId}, ${proxyId}, code, location, message, remedy, fix, severity, blocking, ${now}
    from given
    on conflict (organization_id, proxy_id, code, location) do update set message = excluded.message,
      remedy = excluded.remedy, fix = excluded.fix, severity = excluded.severity,
      blocking = excluded.blocking`.execute(transaction);
}

/** Applies the active waivers to findings, and updates the scores. */
export async function applyWaivers(
  transaction: TenantTransaction,
  proxyIds: readonly string[],
  now: Date,
): Promise<void> {
  const organizationId = transaction.tenantId;
  await sql`
    with held as (
      select finding.id, (
        select waiver.id from governance_waivers waiver
        where waiver.organization_id = finding.organization_id and waiver.proxy_id = finding.proxy_id
          and waiver.code = finding.code and (waiver.location is null or waiver.location = finding.location)
          and waiver.ended_at is null and waiver.ends_at > ${now}
        order by waiver.ends_at desc, waiver.id limit 1) as waiver_id
      from governance_findings finding
      where finding.organization_id = ${organizationId} and finding.proxy_id = any(${[...proxyIds]}))
    update governance_findings finding set waiver_id = held.waiver_id
    from held
    where finding.organization_id = ${organizationId} and finding.id = held.id
      and finding.waiver_id is distinct from held.waiver_id`.execute(transaction);
  await refreshScores(transaction, proxyIds);
}

/** @param proxyIds null: of all proxies of the organization */
export async function refreshScores(transaction: TenantTransaction, proxyIds: readonly string[] | null): Promise<void> {
  await sql`
    update governance_evaluations evaluation set score = greatest(0, 100 - coalesce((
      select sum(penalty) from (
        select max(case when blocking then ${penalties.blocking}::integer
                        when severity = 'error' then ${penalties.error}::integer
                        when severity = 'warning' then ${penalties.warning}::integer
                        else ${penalties.information}::integer end) as penalty
        from governance_findings finding
        where finding.organization_id = evaluation.organization_id and finding.proxy_id = evaluation.proxy_id
          and finding.waiver_id is null
        group by code) broken), 0))
    where organization_id = ${transaction.tenantId}
      and (${proxyIds === null} or proxy_id = any(${[...(proxyIds ?? [])]}))`.execute(transaction);
}

/**
 * Makes findings count again whose waiver has expired. Called before reads: nothing else notices when a waiver expires.
 */
export async function settleExpiredWaivers(
  database: ControlDatabase,
  organizationId: string,
  now: Date,
): Promise<void> {
  const expired = await tenantTransaction(
    database,
    organizationId,
    (transaction) =>
      sql<{ proxy_id: string }>`
        select distinct finding.proxy_id from governance_findings finding
        join governance_waivers waiver
          on waiver.organization_id = finding.organization_id and waiver.id = finding.waiver_id
        where finding.organization_id = ${organizationId} and finding.waiver_id is not null
          and (waiver.ended_at is not null or waiver.ends_at <= ${now})
        limit 1000`.execute(transaction),
    { access: 'read only' },
  );
  const proxyIds = expired.rows.map(({ proxy_id }) => proxy_id);
  if (proxyIds.length === 0) return;
  await tenantTransaction(database, organizationId, async (transaction) => {
    await transaction
      .selectFrom('proxies')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', proxyIds)
      .orderBy('id')
      .forUpdate()
      .execute();
    await applyWaivers(transaction, proxyIds, now);
  });
}
