import type { Event, Wording } from '../../events/wording.ts';

type Action = 'trigger' | 'acknowledge' | 'resolve';

/** PagerDuty has no state of its own for monitoring: somebody has taken the incident on. */
const actions: Partial<Readonly<Record<Event['event'], Action>>> = {
  'incident.acknowledged': 'acknowledge',
  'incident.monitoring': 'acknowledge',
  'incident.resolved': 'resolve',
};

const severities: Readonly<Record<Wording['severity'], 'critical' | 'warning' | 'info'>> = {
  critical: 'critical',
  warning: 'warning',
  info: 'info',
  good: 'info',
};

/** Longest summary and key (https://developer.pagerduty.com/docs/events-api-v2-overview). */
const limits = { summary: 1_024, dedupKey: 255 };

/**
 * An event of the Events API v2 (https://developer.pagerduty.com/docs/send-alert-event).
 *
 * @param deliveryId is the key of what is about no incident
 */
export function pagerdutyBody(
  event: Event,
  wording: Wording,
  {
    routingKey,
    deliveryId,
    publicUrl,
  }: { readonly routingKey: string; readonly deliveryId: string; readonly publicUrl: string },
): object {
  const action = actions[event.event] ?? 'trigger';
  const dedupKey = 'fingerprint' in event.data ? event.data.fingerprint : deliveryId;
  const common = { routing_key: routingKey, event_action: action, dedup_key: dedupKey.slice(0, limits.dedupKey) };
  if (action !== 'trigger') return common;
  const { title, severity, facts, link } = wording;
  const component = 'proxyName' in event.data ? event.data.proxyName : null;
  const group = 'environmentName' in event.data ? event.data.environmentName : null;
  return {
    ...common,
    payload: {
      summary: title.slice(0, limits.summary),
      source: new URL(publicUrl).host,
      severity: severities[severity],
      timestamp: event.timestamp,
      ...(component === null ? {} : { component }),
      ...(group === null ? {} : { group }),
      ...('metric' in event.data ? { class: event.data.metric } : {}),
      custom_details: Object.fromEntries(facts.map(({ label, value }) => [label, value])),
    },
    client: 'Millrace',
    ...(link === null ? {} : { client_url: link, links: [{ href: link, text: 'Open in Millrace' }] }),
  };
}
