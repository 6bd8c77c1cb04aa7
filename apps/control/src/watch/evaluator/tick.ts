import { groupByEnvironment } from '@millrace/alerting';
import { tenantTransaction } from '@millrace/postgres';
import type { ControlDatabase, TenantTransaction } from '../../database/schema.ts';
import type { EvaluatedAlert, EvaluatedGroup } from '../incidents/evaluated.ts';
import { type CallerTraffic, readCallerTraffic, type WatchedCallers } from './caller-traffic.ts';
import { describeAlerts, evaluateRule, type Figures, type Rule, type Unread, unnamedIds } from './evaluate.ts';
import type { Lease } from './lease.ts';
import { isRecordMetric, type RecordMetric, type RecordValue, readRecords } from './records.ts';
import {
  claimClocks,
  deleteEndings,
  type Evaluated,
  type Found,
  loadDue,
  loadNamesOf,
  writeOutcomes,
} from './store.ts';
import { readTraffic, type Traffic } from './traffic.ts';

/** What makes incidents of alerts, in the transaction of the evaluation. */
export interface IncidentSink {
  /** Called at every evaluation in which a group has or had firing alerts. */
  apply(transaction: TenantTransaction, group: EvaluatedGroup): Promise<{ readonly notified: boolean }>;
  /** Called when a rule that fired was changed, disabled or deleted. */
  end(
    transaction: TenantTransaction,
    ruleId: string,
    reason: string,
    now: Date,
  ): Promise<{ readonly notified: boolean }>;
}

export interface TickParts {
  readonly database: ControlDatabase;
  readonly lease: Lease;
  readonly incidents: IncidentSink;
  /** Called with what kept one organization from being evaluated. */
  readonly onError: (error: unknown) => void;
}

/** What an evaluation of all organizations came to. */
export interface Tick {
  readonly organizations: number;
  readonly rules: number;
  readonly series: number;
  /** Whether notifications were enqueued. */
  readonly notified: boolean;
}

/** Thrown where another process has taken over. */
export class LeaseLost extends Error {}

/** Edits of rules that may come between reading and writing before an organization waits for the next evaluation. */
const mostPasses = 3;

/**
 * Evaluates all rules of all organizations at a moment; what is evaluated up to it already is left out, so a process that
 * takes over continues where another ended.
 *
 * @param options.past only metrics whose past is known: the moment was missed
 * @throws LeaseLost
 */
export async function evaluateAt(parts: TickParts, at: Date, { past = false } = {}): Promise<Tick> {
  let total: Tick = { organizations: 0, rules: 0, series: 0, notified: false };
  for (let pass = 0; pass < mostPasses; pass++) {
    const due = await loadDue(parts.database.system, at);
    if (due.length === 0) break;
    const found = await evaluateDue(parts, due, at, past);
    const written = await write(parts, found, at);
    total = {
      organizations: total.organizations + written.organizations,
      rules: total.rules + found.reduce((sum, { outcomes }) => sum + outcomes.length, 0),
      series: total.series + found.flatMap(({ outcomes }) => outcomes).reduce((sum, { series }) => sum + series, 0),
      notified: total.notified || written.notified,
    };
    if (written.organizations === due.length) break;
  }
  return total;
}

/** Reads what rules watch, and evaluates them. */
async function evaluateDue(
  { database }: TickParts,
  due: readonly Evaluated[],
  at: Date,
  past: boolean,
): Promise<readonly Found[]> {
  const { system } = database;
  const rulesOf = (organization: Evaluated) =>
    past ? organization.rules.filter(({ metric }) => !isRecordMetric(metric)) : organization.rules;
  const watched = new Map<string, { latency: boolean }>();
  const callers = new Map<string, WatchedCallers>();
  for (const organization of due) {
    const traffic = organization.rules.filter(({ metric }) => !isRecordMetric(metric));
    if (traffic.length === 0) continue;
    watched.set(organization.id, { latency: traffic.some(({ metric }) => metric.startsWith('latency_')) });
    const appIds = traffic.flatMap(({ appId }) => appId ?? []);
    const productIds = traffic.flatMap(({ productId }) => productId ?? []);
    if (appIds.length + productIds.length > 0) callers.set(organization.id, { appIds, productIds });
  }
  const traffic = await readable(readTraffic(system, watched, at));
  const ofCallers = await readable(readCallerTraffic(system, callers, at));
  const stepped = [];
  for (const organization of due) {
    const rules = rulesOf(organization);
    const figures = await figuresOf(database, organization, rules, { traffic, callers: ofCallers, at });
    const outcomes = rules.map((rule) =>
      evaluateRule(rule, organization.alerts.get(rule.id) ?? [], figures, at.getTime()),
    );
    stepped.push({ organization, outcomes });
  }
  const names = await loadNamesOf(system, unnamedIds(stepped.flatMap(({ outcomes }) => outcomes)));
  return stepped.map(({ organization, outcomes }) => ({
    organization,
    outcomes: describeAlerts(outcomes, { names, silences: organization.silences, atMs: at.getTime() }),
  }));
}

interface Read {
  readonly traffic: ReadonlyMap<string, Traffic> | Unread;
  readonly callers: ReadonlyMap<string, CallerTraffic> | Unread;
  readonly at: Date;
}

async function figuresOf(
  database: ControlDatabase,
  { id }: Evaluated,
  rules: readonly Rule[],
  { traffic, callers, at }: Read,
): Promise<Figures> {
  const metrics = new Set(rules.map(({ metric }) => metric).filter(isRecordMetric));
  const records = new Map<RecordMetric, readonly RecordValue[] | Unread>();
  for (const metric of metrics) {
    const reading = tenantTransaction(database, id, (transaction) => readRecords(transaction, metric, at), {
      access: 'read only',
    });
    records.set(metric, await readable(reading));
  }
  return {
    traffic: 'error' in traffic ? traffic : (traffic.get(id) ?? { pairs: [], isReported: () => false }),
    callers: 'error' in callers ? callers : callers.get(id),
    records,
  };
}

/** What was read, or why it was not: then the rules that need it fail, and no others. */
async function readable<Value>(reading: Promise<Value>): Promise<Value | Unread> {
  try {
    return await reading;
  } catch (error) {
    return { error: `What it watches could not be read: ${error instanceof Error ? error.message : error}` };
  }
}

/**
 * Writes organizations without firing alerts together, and then the others one by one with their incidents, those with
 * the fewest first: whoever has thousands delays nobody else.
 */
async function write(
  { database, lease, incidents, onError }: TickParts,
  found: readonly Found[],
  at: Date,
): Promise<{ readonly organizations: number; readonly notified: boolean }> {
  const groups = new Map(found.map((one) => [one, groupsOf(one, at)]));
  const isQuiet = (one: Found) => groups.get(one)!.length === 0 && one.organization.endings.length === 0;
  const quiet = found.filter(isQuiet);
  let organizations = 0;
  let notified = false;
  if (quiet.length > 0) {
    organizations += await database.system.transaction().execute(async (transaction) => {
      if (!(await lease.isHeld(transaction))) throw new LeaseLost();
      const claimed = await claimClocks(
        transaction,
        quiet.map(({ organization }) => organization),
        at,
      );
      await writeOutcomes(
        transaction,
        quiet.filter(({ organization }) => claimed.has(organization.id)),
        at,
      );
      await lease.extend(transaction);
      return claimed.size;
    });
  }
  const sizeOf = (one: Found) => groups.get(one)!.reduce((sum, { alerts }) => sum + alerts.length, 0);
  const others = found.filter((one) => !isQuiet(one)).toSorted((first, second) => sizeOf(first) - sizeOf(second));
  for (const one of others) {
    const { organization } = one;
    try {
      const written = await tenantTransaction(database, organization.id, async (transaction) => {
        if (!(await lease.isHeld(transaction))) throw new LeaseLost();
        const claimed = await claimClocks(transaction, [organization], at);
        if (claimed.size === 0) return null;
        await writeOutcomes(transaction, [one], at);
        let anyNotified = false;
        for (const { ruleId, reason } of organization.endings) {
          if ((await incidents.end(transaction, ruleId, reason, at)).notified) anyNotified = true;
        }
        for (const group of groups.get(one)!) {
          if ((await incidents.apply(transaction, group)).notified) anyNotified = true;
        }
        await deleteEndings(transaction, organization.endings);
        await lease.extend(transaction);
        return { notified: anyNotified };
      });
      if (written === null) continue;
      organizations++;
      notified ||= written.notified;
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      onError(error);
    }
  }
  return { organizations, notified };
}

/** Groups that have or had firing alerts, with those that resolved. */
function groupsOf({ outcomes }: Found, now: Date): readonly EvaluatedGroup[] {
  return outcomes.flatMap(({ rule, alerts, ended }) => {
    const present = (state: EvaluatedAlert['state']) => (alert: (typeof alerts)[number]) => ({
      fingerprint: alert.fingerprint,
      labels: alert.labels,
      state,
      value: alert.value,
      threshold: rule.threshold,
      since: new Date(alert.state.firingSinceMs!),
      suppressedBy: alert.suppressedBy,
      inhibitedBy: alert.inhibitedBy,
    });
    const isFiring = ({ state }: (typeof alerts)[number]) => state.state === 'firing';
    const evaluated = [
      ...alerts.filter(isFiring).map(present('firing')),
      ...ended.filter(isFiring).map(present('resolved')),
    ];
    return groupByEnvironment(evaluated).map(({ environmentId, members }) => ({
      rule,
      group: { environmentId },
      alerts: members,
      now,
    }));
  });
}
