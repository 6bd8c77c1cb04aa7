import type { TenantTransaction } from '../../database/schema.ts';
import type { EvaluatedGroup } from './evaluated.ts';
import { announce, update, withhold } from './notices.ts';
import { applyEvaluation, fingerprintOf, type Notices, type Transition } from './rules.ts';
import {
  addEntries,
  insertIncident,
  lockIncidentsOfRule,
  lockLastIncident,
  putMembers,
  updateIncident,
} from './store.ts';

/** What became of a group. */
export interface AppliedAlerts {
  /** The group's unresolved incident, or the one that this resolved; null: none. */
  readonly incidentId: string | null;
  /** Notifications were enqueued: wake the deliveries once the transaction has committed. */
  readonly notified: boolean;
}

const noNotices: Notices = { notified: [], escalation: [], count: 0 };

/**
 * Carries what an evaluation found over to the group's incident, in the evaluation's own transaction: opens it, adds
 * members, records values and recoveries, resolves or reopens it, and enqueues notifications. Applying the same alerts
 * again changes nothing. To be called at every evaluation in which a group has or had firing alerts.
 */
export async function applyAlerts(transaction: TenantTransaction, evaluated: EvaluatedGroup): Promise<AppliedAlerts> {
  const { rule, group, now } = evaluated;
  const last = await lockLastIncident(transaction, fingerprintOf(rule.id, group.environmentId));
  const unresolvedId = last === null || last.kept.state === 'resolved' ? null : last.id;
  const transition = applyEvaluation(last?.kept ?? null, evaluated);
  if (transition === null || transition.outcome === 'none') return { incidentId: unresolvedId, notified: false };
  if (last !== null && transition.outcome !== 'opened') {
    await updateIncident(transaction, last.id, transition, evaluated);
    const notified = await record(transaction, last.id, transition, last.notices, now);
    return { incidentId: unresolvedId, notified };
  }
  const id = await insertIncident(transaction, transition.incident, evaluated, last?.id ?? null);
  await putMembers(transaction, id, transition.changed);
  return { incidentId: id, notified: await record(transaction, id, transition, noNotices, now) };
}

/**
 * Ends what a rule had firing, because it was deleted, disabled or changed so that it watches something else: its
 * members recover and its incidents resolve as if it no longer fired.
 *
 * @param reason a sentence for the timeline, such as `The rule was deleted.`
 */
export async function endAlertsOfRule(
  transaction: TenantTransaction,
  ruleId: string,
  reason: string,
  now: Date,
): Promise<{ readonly notified: boolean }> {
  let anyNotified = false;
  for (const { id, kept, notices, environmentId, rule } of await lockIncidentsOfRule(transaction, ruleId)) {
    const alerts = [...kept.members.values()].map((member) => ({ ...member, state: 'resolved' as const, value: null }));
    const transition = applyEvaluation(kept, { rule, group: { environmentId }, alerts, now });
    if (transition === null || transition.outcome === 'none') continue;
    await updateIncident(transaction, id, transition, { rule, now });
    await addEntries(transaction, id, [{ kind: 'recovered', text: reason }], { at: now });
    if (await record(transaction, id, transition, notices, now)) anyNotified = true;
  }
  return { notified: anyNotified };
}

/** Adds a transition to the timeline, and enqueues its notifications; whether there are any. */
async function record(
  transaction: TenantTransaction,
  id: string,
  { outcome, incident, entries }: Transition,
  notices: Notices,
  now: Date,
): Promise<boolean> {
  await addEntries(transaction, id, entries, { at: now });
  switch (outcome) {
    case 'opened':
    case 'reopened':
    case 'unsuppressed':
      if (incident.state !== 'open') return false;
      if (incident.suppressed) {
        await withhold(transaction, id, notices, { isNew: true, now });
        return false;
      }
      await announce(transaction, id, outcome, notices, now);
      return true;
    case 'resolved':
      return update(transaction, id, 'incident.resolved', notices, { by: null, now });
    case 'suppressed':
      await withhold(transaction, id, notices, { isNew: false, now });
      return false;
    default:
      return false;
  }
}
