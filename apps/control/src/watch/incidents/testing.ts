import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import type { TestControl } from '../../testing.ts';
import { exampleIncident, type IncidentRule } from './contract.ts';
import type { EvaluatedAlert } from './evaluated.ts';
import { applyAlerts } from './transitions.ts';

/** A rule that tests evaluate themselves. */
export function testRule(fields: Partial<IncidentRule> = {}): IncidentRule {
  return { ...exampleIncident.rule, id: newId('alr'), integrationIds: [], escalateAfterMinutes: null, ...fields };
}

/** An alert of an API proxy that fires since the first of January 2026, unless the fields say otherwise. */
export function testAlert(proxy: string, fields: Partial<EvaluatedAlert> = {}): EvaluatedAlert {
  return {
    fingerprint: `fingerprint-of-${proxy}`,
    labels: { proxyId: `prx_${proxy}`, proxy },
    state: 'firing',
    value: 12.5,
    threshold: 5,
    since: new Date('2026-01-01T00:00:00Z'),
    suppressedBy: null,
    inhibitedBy: null,
    ...fields,
  };
}

/** Applies an evaluation of a rule in an environment. */
export function evaluate(
  { opened }: TestControl,
  organizationId: string,
  {
    rule,
    environmentId = null,
    alerts,
    now = new Date(),
  }: {
    readonly rule: IncidentRule;
    readonly environmentId?: string | null;
    readonly alerts: readonly EvaluatedAlert[];
    readonly now?: Date;
  },
) {
  return tenantTransaction(opened.database, organizationId, (transaction) =>
    applyAlerts(transaction, { rule, group: { environmentId }, alerts, now }),
  );
}
