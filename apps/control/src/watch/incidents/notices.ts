import type { TenantTransaction } from '../../database/schema.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { enqueueEvent, enqueueNotification, withdrawNotifications } from '../deliveries/enqueue.ts';
import type { NotificationData } from '../events/contract.ts';
import type { Incident } from './contract.ts';
import { type Notices, notifiedBy } from './rules.ts';
import { findIncident, setNotices } from './store.ts';

type Announcement = 'incident.opened' | 'incident.reopened';
type Update = 'incident.acknowledged' | 'incident.monitoring' | 'incident.resolved';

/**
 * Announces an incident that was opened, reopened or is no longer suppressed: whoever was notified of it before and the
 * first integration of its rule at once, the others one by one as long as nobody acknowledges it; without a time for
 * that, all at once. Whoever was notified before it was suppressed isn't notified of the same again.
 */
export async function announce(
  transaction: TenantTransaction,
  incidentId: string,
  occasion: 'opened' | 'reopened' | 'unsuppressed',
  notices: Notices,
  now: Date,
): Promise<void> {
  const incident = (await findIncident(transaction, incidentId))!;
  const { integrationIds, escalateAfterMinutes } = incident.rule;
  const kind = occasion === 'opened' || incident.reopenings === 0 ? 'incident.opened' : 'incident.reopened';
  const subject = { type: 'incident', id: incidentId };
  const announcement = {
    notificationId: `${incidentId}:${notices.count + 1}`,
    kind,
    subject,
    data: dataOf(incident, null),
    at: now,
  } as const;
  const isKnown = occasion === 'unsuppressed' && notices.notified.length > 0;
  const notified = new Set(isKnown ? notices.notified : []);
  const escalation: { integrationId: string; at: string }[] = [];
  const sendNow = async (integrationId: string) => {
    if (notified.has(integrationId)) return;
    if (await enqueueNotification(transaction, { ...announcement, integrationId })) notified.add(integrationId);
  };
  await withdrawNotifications(transaction, subject);
  for (const integrationId of notices.notified) await sendNow(integrationId);
  for (const integrationId of integrationIds) {
    if (escalateAfterMinutes === null || notified.size === 0) {
      await sendNow(integrationId);
    } else if (!notified.has(integrationId)) {
      const at = new Date(now.getTime() + (escalation.length + 1) * escalateAfterMinutes * 60_000);
      const escalated = {
        ...announcement,
        notificationId: `${incidentId}:${notices.count + 2 + escalation.length}`,
        kind: 'incident.escalated',
        sendIf: 'incident_unacknowledged',
        at,
      } as const;
      if (await enqueueNotification(transaction, { ...escalated, integrationId })) {
        escalation.push({ integrationId, at: at.toISOString() });
        await enqueueEvent(transaction, escalated);
      }
    }
  }
  if (!isKnown) {
    await enqueueEvent(transaction, announcement);
    await notifyPeople(transaction, incident, kind, now);
  }
  const count = notices.count + 1 + escalation.length;
  await setNotices(transaction, incidentId, { notified: [...notified], escalation, count });
}

async function notifyPeople(
  transaction: TenantTransaction,
  { id, title }: Incident,
  kind: Announcement,
  now: Date,
): Promise<void> {
  const holders = await listHolders(transaction, 'incident.write');
  const userIds = holders.map((holder) => holder.id);
  const text = kind === 'incident.opened' ? title : `Reopened: ${title}`;
  await notify(transaction, { userIds, kind: 'incident', title: text, link: `/incidents/${id}` }, now);
}

/**
 * Stops the escalation of an incident whose notifications are suppressed from now on.
 *
 * @param isNew it reopened just now: nobody was notified of that
 */
export async function withhold(
  transaction: TenantTransaction,
  incidentId: string,
  notices: Notices,
  { isNew, now }: { readonly isNew: boolean; readonly now: Date },
): Promise<void> {
  await withdrawNotifications(transaction, { type: 'incident', id: incidentId });
  const notified = isNew ? [] : notifiedBy(notices, now);
  await setNotices(transaction, incidentId, { ...notices, notified, escalation: [] });
}

/**
 * Notifies everyone who knows of an incident what became of it, and stops its escalation. Nobody knows of one that was
 * suppressed all the time.
 *
 * @param by name of whoever moved it; null: it resolved on its own
 * @returns whether anybody is notified
 */
export async function update(
  transaction: TenantTransaction,
  incidentId: string,
  kind: Update,
  notices: Notices,
  { by, now }: { readonly by: string | null; readonly now: Date },
): Promise<boolean> {
  if (notices.count === 0) return false;
  const incident = (await findIncident(transaction, incidentId))!;
  const subject = { type: 'incident', id: incidentId };
  await withdrawNotifications(transaction, subject);
  const notified = notifiedBy(notices, now);
  const count = notices.count + 1;
  const notification = {
    notificationId: `${incidentId}:${count}`,
    kind,
    subject,
    data: dataOf(incident, by),
    at: now,
  };
  for (const integrationId of notified) await enqueueNotification(transaction, { ...notification, integrationId });
  await enqueueEvent(transaction, notification);
  await setNotices(transaction, incidentId, { notified, escalation: [], count });
  return true;
}

function dataOf(incident: Incident, by: string | null): NotificationData<Announcement | Update> {
  const [proxy, ...others] = incident.proxies;
  const isOne = proxy !== undefined && others.length === 0;
  return {
    incidentId: incident.id,
    fingerprint: incident.fingerprint,
    title: incident.title,
    state: incident.state,
    severity: incident.severity,
    ruleId: incident.rule.id,
    ruleName: incident.rule.name,
    metric: incident.metric,
    operator: incident.operator,
    value: incident.value,
    threshold: incident.threshold,
    unit: incident.unit,
    environmentId: incident.environment?.id ?? null,
    environmentName: incident.environment?.name ?? null,
    proxyId: isOne ? proxy.id : null,
    proxyName: isOne ? proxy.name : null,
    members: incident.firingMembers,
    openedAt: incident.openedAt,
    acknowledgedAt: incident.acknowledgedAt,
    resolvedAt: incident.resolvedAt,
    by,
    summary: incident.summary,
  };
}
