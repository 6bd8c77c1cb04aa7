import { showDone, showFailure } from '@millrace/ui/form';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { useWrite } from '../../frame/api.ts';
import type { Delivery } from '../webhooks/webhook-marks.tsx';

/** Sends the same bytes to the same receiver once more. */
export function Resend(props: { readonly delivery: Delivery; readonly large?: boolean }) {
  const { delivery, large = false } = props;
  const resend = useWrite('resendDelivery');
  const send = () =>
    resend
      .mutateAsync({ params: { id: delivery.id } })
      .then(() => showDone('It is sent again. The new attempt appears among the deliveries.'))
      .catch(showFailure);
  return (
    <AdministratorButton
      size={large ? 'sm' : 'compact-sm'}
      variant={large ? 'filled' : 'default'}
      loading={resend.isPending}
      aria-label={large ? undefined : `Send again: ${delivery.id}`}
      onClick={send}
    >
      Send again
    </AdministratorButton>
  );
}
