import { fingerprintOf } from '@millrace/alerting';
import { tenantTransaction } from '@millrace/postgres';
import type { ControlDatabase, TenantTransaction } from '../database/schema.ts';
import type { IncidentRule } from '../watch/incidents/contract.ts';
import { addEntries, moveIncident } from '../watch/incidents/store.ts';
import { applyAlerts } from '../watch/incidents/transitions.ts';
import { type Outage, type Past, pastOutage } from './past-calls.ts';

/** Of which rule, about what, and who took care of it. */
export interface PastIncident extends Past {
  readonly organizationId: string;
  /** Of one environment and proxy. */
  readonly rule: IncidentRule & { readonly environmentId: string; readonly proxyId: string };
  readonly person: { readonly id: string; readonly name: string };
}

const minuteMs = 60_000;
/** After the outage has begun: how often the value is measured until it is over. */
const measuredEveryMinutes = 2;
/** What is measured in turn, in percent: calls that the quota refused fail otherwise. */
const errorRates = [97.5, 100, 98.2] as const;
const acknowledgedMinute = 4;
const noteMinute = 9;
const monitoringMinute = 17;
const resolvedMinute = 43;

/**
 * Writes the incident of the outage among the past calls, as evaluations and a person would have moved it. Written past the
 * API, which accepts no past.
 */
export async function writePastIncident(database: ControlDatabase, incident: PastIncident): Promise<void> {
  const outage = pastOutage(incident);
  if (outage === null) return;
  await tenantTransaction(database, incident.organizationId, (transaction) => write(transaction, incident, outage));
}

async function write(transaction: TenantTransaction, incident: PastIncident, outage: Outage): Promise<void> {
  const { rule, person: by } = incident;
  const { environmentId, proxyId } = rule;
  const nameOf = async (table: 'environments' | 'proxies', id: string) => {
    const named = transaction.selectFrom(table).select('name').where('organization_id', '=', transaction.tenantId);
    return (await named.where('id', '=', id).executeTakeFirstOrThrow()).name;
  };
  const labels = {
    environmentId,
    environment: await nameOf('environments', environmentId),
    proxyId,
    proxy: await nameOf('proxies', proxyId),
  };
  const after = (minutes: number) => new Date(outage.fromMs + minutes * minuteMs);
  const since = new Date(outage.fromMs + rule.durationSeconds * 1_000);
  const evaluate = (now: Date, state: 'firing' | 'resolved', value: number) =>
    applyAlerts(transaction, {
      rule,
      group: { environmentId },
      alerts: [
        {
          fingerprint: fingerprintOf(rule.id, labels),
          labels,
          state,
          value,
          threshold: rule.threshold,
          since,
          suppressedBy: null,
          inhibitedBy: null,
        },
      ],
      now,
    });
  const { incidentId } = await evaluate(since, 'firing', 100);
  if (incidentId === null) return;
  const measureUntil = async (minute: number, begin: number) => {
    for (let at = begin; at < minute; at += measuredEveryMinutes) {
      await evaluate(after(at), 'firing', errorRates[Math.floor(at / measuredEveryMinutes) % errorRates.length]!);
    }
  };
  await measureUntil(acknowledgedMinute, 3);
  await moveIncident(transaction, incidentId, { kind: 'acknowledge' }, { by, now: after(acknowledgedMinute) });
  await measureUntil(noteMinute, acknowledgedMinute + 1);
  const note = 'The disk of the extraction workers is full. Clearing old working files.';
  await addEntries(transaction, incidentId, [{ kind: 'note', text: note }], { at: after(noteMinute), by });
  await measureUntil(monitoringMinute, noteMinute + 1);
  await moveIncident(transaction, incidentId, { kind: 'monitor' }, { by, now: after(monitoringMinute) });
  await evaluate(new Date(outage.toMs + rule.keepFiringSeconds * 1_000), 'resolved', 0);
  const summary = 'The workers’ disk was full; old working files are now removed every hour.';
  await moveIncident(transaction, incidentId, { kind: 'resolve', summary }, { by, now: after(resolvedMinute) });
}
