import { Alert } from '@mantine/core';
import { Moment } from '@millrace/ui/values';
import type { Webhook } from './webhook-mark.tsx';

/** Anything unusual about an endpoint, and what to do about it. */
export function WebhookNotice({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.pausedBy === 'failures') {
    return (
      <Alert color="red" title="Paused after failures">
        Every delivery has failed since <Moment at={webhook.failingSince} />, so Millrace paused the endpoint on{' '}
        <Moment at={webhook.pausedAt} />. Fix the receiver, send a test event, then resume the endpoint: pending events
        are sent then.
      </Alert>
    );
  }
  if (webhook.pausedBy === 'person') {
    return (
      <Alert color="gray" title="Paused">
        Paused since <Moment at={webhook.pausedAt} />. Events are queued until it is resumed.
      </Alert>
    );
  }
  if (webhook.failingSince !== null) {
    return (
      <Alert color="yellow" title="Failing">
        Every delivery has failed since <Moment at={webhook.failingSince} />. After 5 days, the endpoint is paused.
      </Alert>
    );
  }
  if (webhook.previousSecretExpiresAt !== null) {
    return (
      <Alert color="blue" title="Two active secrets">
        The secret was rotated. Deliveries are also signed with the old one until{' '}
        <Moment at={webhook.previousSecretExpiresAt} />.
      </Alert>
    );
  }
  return null;
}
