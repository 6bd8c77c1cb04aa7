import { Mark, type Tone } from '@millrace/ui/mark';
import type { AnswerOf } from '../../frame/api.ts';

export type Webhook = AnswerOf<'getWebhook'>;
export type Delivery = AnswerOf<'listDeliveries'>['items'][number];

/** Whether an endpoint is active, and whether its deliveries succeed. */
export function WebhookMark({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.state === 'paused') {
    return webhook.pausedBy === 'failures' ? (
      <Mark tone="bad">Paused after failures</Mark>
    ) : (
      <Mark tone="neutral">Paused</Mark>
    );
  }
  return webhook.failingSince === null ? <Mark tone="good">Active</Mark> : <Mark tone="warning">Failing</Mark>;
}

const outcomes: Readonly<Record<Delivery['outcome'], { readonly tone: Tone; readonly label: string }>> = {
  delivered: { tone: 'good', label: 'Delivered' },
  failed: { tone: 'warning', label: 'Failed' },
  permanently_failed: { tone: 'bad', label: 'Permanently failed' },
};

/** Outcomes as filter options. */
export const outcomeOptions = Object.entries(outcomes).map(([value, { label }]) => ({ value, label }));

/** The outcome of an attempt. */
export function OutcomeMark({ outcome }: { readonly outcome: Delivery['outcome'] }) {
  const { tone, label } = outcomes[outcome];
  return <Mark tone={tone}>{label}</Mark>;
}
