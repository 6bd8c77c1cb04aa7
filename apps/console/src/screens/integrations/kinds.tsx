import { Mark, type Tone } from '@millrace/ui/mark';
import type { DataOf } from '../../frame/api.ts';

export type Integration = DataOf<'getIntegration'>;
export type Kind = Integration['kind'];

/** What each kind is for, and what its secret is; null where the service makes it. */
export const kinds: Readonly<
  Record<Kind, { readonly label: string; readonly help: string; readonly secret: string | null }>
> = {
  email: { label: 'E-mail', help: 'Incidents and events as messages', secret: 'Password of the SMTP server' },
  slack: { label: 'Slack', help: 'Incidents and events in a channel', secret: 'Webhook URL' },
  pagerduty: { label: 'PagerDuty', help: 'Incidents, for who is on call', secret: 'Integration key' },
  webhook: { label: 'Webhook', help: 'Incidents and events, signed, to a URL', secret: null },
  opentelemetry: {
    label: 'OpenTelemetry',
    help: 'The gateway’s metrics, to a collector',
    secret: 'Value of the header',
  },
  siem: { label: 'SIEM', help: 'The audit trail, as syslog', secret: 'Private key of the client certificate' },
};

/** Every kind as an option of a filter. */
export const kindOptions = Object.entries(kinds).map(([value, { label }]) => ({ value, label }));

const healths: Readonly<Record<Integration['health'], { readonly label: string; readonly tone: Tone }>> = {
  working: { label: 'Working', tone: 'good' },
  failing: { label: 'Failing', tone: 'bad' },
  unknown: { label: 'Not used yet', tone: 'neutral' },
};

/** Every health as an option of a filter. */
export const healthOptions = Object.entries(healths).map(([value, { label }]) => ({ value, label }));

export function IntegrationMark({ health, enabled }: Pick<Integration, 'health' | 'enabled'>) {
  if (!enabled) return <Mark tone="neutral">Disabled</Mark>;
  const { label, tone } = healths[health];
  return <Mark tone={tone}>{label}</Mark>;
}
