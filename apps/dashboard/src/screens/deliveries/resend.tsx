import { showDone, showFailure } from '@millrace/ui/form';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { useWrite } from '../../frame/api.ts';
import type { Delivery } from '../webhooks/webhook-marks.tsx';

/** Resends the same bytes to the same receiver. */
export function Resend(props: { readonly delivery: Delivery; readonly large?: boolean }) {
  const { delivery, large = false } = props;
  const resend = useWrite('resendDelivery');
  const send = () =>
    resend
      .mutateAsync({ params: { id: delivery.id } })
      .then(() => showDone('Resending. The new attempt appears in the list of deliveries.'))
      .catch(showFailure);
  return (
    <AdministratorButton
      size={large ? 'sm' : 'compact-sm'}
      variant={large ? 'filled' : 'default'}
      loading={resend.isPending}
      aria-label={large ? undefined : `Resend ${delivery.id}`}
      onClick={send}
    >
      Resend
    </AdministratorButton>
  );
}
