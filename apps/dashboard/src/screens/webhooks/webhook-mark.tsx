import { Mark } from '@millrace/ui/mark';
import type { AnswerOf } from '../../frame/api.ts';

export type Webhook = AnswerOf<'getWebhook'>;

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
