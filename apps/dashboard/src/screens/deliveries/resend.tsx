import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { useWrite } from '../../frame/api.ts';
import type { Delivery } from './outcome.tsx';

/** Resends the same bytes to the same receiver. */
export function Resend({ delivery, inTable = false }: { readonly delivery: Delivery; readonly inTable?: boolean }) {
  const resend = useWrite('resendDelivery');
  return (
    <AdministratorActions
      {...(inTable && { size: 'compact-xs' })}
      actions={[
        {
          label: 'Resend',
          ...(inTable && { name: `Resend ${delivery.id}` }),
          primary: !inTable,
          run: () => resend.mutateAsync({ params: { id: delivery.id } }),
          done: 'Resending. The new attempt appears in the list of deliveries.',
        },
      ]}
    />
  );
}
