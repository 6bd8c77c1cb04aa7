import type * as z from 'zod';
import type { EventBody, NotificationData, NotificationKind, Severity } from './contract.ts';

/** A notification as its receivers store it: its kind, when it happened, and what. */
export type Event = z.output<typeof EventBody>;

/** A notification as people read it. All texts are one line, plain, and at most as long as stated. */
export interface Wording {
  /** At most 300 characters. */
  readonly title: string;
  readonly severity: z.output<typeof Severity> | 'good';
  /** At most ten, each value at most 500 characters. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** Page of the console; null if it has none. */
  readonly link: string | null;
}

type IncidentKind = Extract<NotificationKind, `incident.${string}`>;

const incidentVerbs: Readonly<Record<IncidentKind, string>> = {
  'incident.opened': 'Incident opened',
  'incident.reopened': 'Incident reopened',
  'incident.escalated': 'Incident escalated',
  'incident.acknowledged': 'Incident acknowledged',
  'incident.monitoring': 'Incident being monitored',
  'incident.resolved': 'Incident resolved',
};

const units: Readonly<Record<NotificationData<'incident.opened'>['unit'], string>> = {
  per_second: '/s',
  percent: ' %',
  milliseconds: ' ms',
  seconds: ' s',
  days: ' days',
  count: '',
  money: '',
  boolean: '',
};

/**
 * Words a notification for e-mail, chat and pagers.
 *
 * @param publicUrl of the console, without a slash at the end
 */
export function wordingOf(event: Event, publicUrl: string): Wording {
  const { title, severity, facts, path } = partsOf(event);
  return {
    title: oneLine(title, 300),
    severity,
    facts: facts
      .filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== '')
      .map(([label, value]) => ({ label, value: oneLine(value, 500) })),
    link: path === null ? null : `${publicUrl}${path}`,
  };
}

/** The text without control characters and line breaks, cut where it is too long. */
function oneLine(text: string, mostCharacters: number): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= mostCharacters ? line : `${characters.slice(0, mostCharacters - 1).join('')}…`;
}

interface WordedParts {
  readonly title: string;
  readonly severity: Wording['severity'];
  readonly facts: readonly (readonly [label: string, value: string | null])[];
  readonly path: string | null;
}

function partsOf(event: Event): WordedParts {
  switch (event.event) {
    case 'incident.opened':
    case 'incident.reopened':
    case 'incident.escalated':
    case 'incident.acknowledged':
    case 'incident.monitoring':
    case 'incident.resolved':
      return incident(event.event, event.data);
    case 'deployment.succeeded':
      return deployment('is deployed', 'good', event.data);
    case 'deployment.failed':
      return deployment('failed to deploy', 'warning', event.data);
    case 'deployment.rolled_back':
      return deployment('was rolled back', 'warning', event.data);
    case 'approval.requested':
      return approval('Approval requested', event.data);
    case 'approval.decided':
      return approval(event.data.decision === null ? 'Decided' : capitalized(event.data.decision), event.data);
    case 'subscription.requested':
      return subscription('Subscription requested', event.data);
    case 'subscription.approved':
      return subscription('Subscription approved', event.data);
    case 'subscription.revoked':
      return subscription('Subscription revoked', event.data);
    case 'invoice.created':
      return invoice('Invoice created', event.data);
    case 'invoice.paid':
      return invoice('Invoice paid', event.data);
    case 'test':
      return {
        title: event.data.message,
        severity: 'info',
        facts: [['Integration', event.data.integrationName]],
        path: `/integrations/${event.data.integrationId}`,
      };
  }
}

function incident(kind: IncidentKind, data: NotificationData<'incident.opened'>): WordedParts {
  const measured = (value: number | null) =>
    value === null
      ? 'No data'
      : data.unit === 'boolean'
        ? value === 1
          ? 'Yes'
          : 'No'
        : `${rounded(value)}${units[data.unit]}`;
  return {
    title: `${incidentVerbs[kind]}: ${data.title}`,
    severity: data.state === 'resolved' ? 'good' : data.severity,
    facts: [
      ['Severity', capitalized(data.severity)],
      ['Measured', measured(data.value)],
      ['Threshold', `${data.operator} ${measured(data.threshold)}`],
      ['API', data.proxyName],
      ['Environment', data.environmentName],
      ['Alert rule', data.ruleName],
      ['Opened', data.openedAt],
      [data.state === 'resolved' ? 'Resolved by' : 'By', data.by],
      ['Resolved', data.resolvedAt],
      ['Summary', data.summary],
    ],
    path: `/incidents/${data.incidentId}`,
  };
}

function deployment(
  became: string,
  severity: Wording['severity'],
  data: NotificationData<'deployment.failed'>,
): WordedParts {
  return {
    title: `${data.proxyName} revision ${data.revision} ${became} in ${data.environmentName}`,
    severity,
    facts: [
      ['API', data.proxyName],
      ['Revision', String(data.revision)],
      ['Environment', data.environmentName],
      ['Strategy', data.strategy],
      ['Reason', data.reason],
      ['By', data.by],
    ],
    path: `/deployments/${data.deploymentId}`,
  };
}

function approval(became: string, data: NotificationData<'approval.requested'>): WordedParts {
  return {
    title: `${became}: ${data.summary}`,
    severity: 'info',
    facts: [
      ['API', data.proxyName],
      ['Requested by', data.requestedBy],
      ['Decided by', data.decidedBy],
      ['Reason', data.reason],
    ],
    path:
      data.of === 'production_change' ? `/production-changes/${data.approvalId}` : `/review-queue/${data.approvalId}`,
  };
}

function subscription(became: string, data: NotificationData<'subscription.approved'>): WordedParts {
  return {
    title: `${became}: ${data.appName} to ${data.productName}`,
    severity: 'info',
    facts: [
      ['App', data.appName],
      ['Developer', data.developerName],
      ['Product', data.productName],
      ['By', data.by],
    ],
    path: `/products/${data.productId}/subscriptions`,
  };
}

function invoice(became: string, data: NotificationData<'invoice.paid'>): WordedParts {
  return {
    title: `${became}: ${data.number} for ${data.developerName}`,
    severity: 'info',
    facts: [
      ['Invoice', data.number],
      ['Developer', data.developerName],
      ['Total', `${data.total} ${data.currency}`],
      ['Due on', data.dueOn],
      ['By', data.by],
    ],
    path: `/invoices/${data.invoiceId}`,
  };
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
