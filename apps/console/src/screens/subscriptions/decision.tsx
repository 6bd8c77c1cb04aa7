import { Textarea } from '@mantine/core';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { useWrite } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { useSession } from '../../frame/session.tsx';
import type { Subscription } from './columns.tsx';

type Named = Pick<Subscription, 'id' | 'appName' | 'productName'>;
type Size = 'compact-sm' | 'sm';

const nameOf = ({ appName, productName }: Named) => `${appName} to ${productName}`;

/** Approves a subscription. */
export function ApproveButton(props: {
  readonly subscription: Named & Pick<Subscription, 'requestedBy'>;
  readonly size?: Size;
}) {
  const { subscription, size = 'sm' } = props;
  const { user, serviceAccount } = useSession();
  const own = [user?.id, serviceAccount?.id].includes(subscription.requestedBy);
  const approve = useWrite('approveSubscription');
  const approveNow = () =>
    approve
      .mutateAsync({ params: { subscriptionId: subscription.id } })
      .then(() => showDone(`${subscription.appName} may call ${subscription.productName}.`))
      .catch(showFailure);
  return (
    <PermittedButton
      size={size}
      permission="subscription.approve"
      blocked={own && 'You asked for it: somebody else has to approve it.'}
      loading={approve.isPending}
      aria-label={`Approve ${nameOf(subscription)}`}
      onClick={approveNow}
    >
      Approve
    </PermittedButton>
  );
}

/** Leads to the dialog that rejects a subscription. */
export function RejectButton(props: {
  readonly subscription: Named;
  readonly size?: Size;
  readonly onClick: () => void;
}) {
  const { subscription, size = 'sm', onClick } = props;
  return (
    <PermittedButton
      size={size}
      variant="default"
      permission="subscription.approve"
      aria-label={`Reject ${nameOf(subscription)}`}
      onClick={onClick}
    >
      Reject
    </PermittedButton>
  );
}

/** Asks why a subscription is rejected or revoked, and does it. */
export function ReasonDialog(props: {
  readonly subscription: Named;
  readonly decision: 'reject' | 'revoke';
  readonly onClose: () => void;
}) {
  const { subscription, decision, onClose } = props;
  const reject = useWrite('rejectSubscription');
  const revoke = useWrite('revokeSubscription');
  const params = { subscriptionId: subscription.id };
  const form = useForm({ reason: '' }, async (body) => {
    await (decision === 'reject' ? reject.mutateAsync({ params, body }) : revoke.mutateAsync({ params, body }));
    showDone(decision === 'reject' ? 'The subscription is rejected.' : 'The subscription is revoked.');
    onClose();
  });
  const verb = decision === 'reject' ? 'Reject' : 'Revoke';
  return (
    <FormDialog title={`${verb} ${nameOf(subscription)}`} opened onClose={onClose}>
      <FormBody form={form} submitLabel={verb} danger onCancel={onClose}>
        <Textarea
          label="Reason"
          description={
            decision === 'reject'
              ? 'The developer reads it. To call after all, the app has to be subscribed anew.'
              : 'Within a second no gateway node lets the app call by it any more. That is final.'
          }
          required
          autosize
          minRows={3}
          data-autofocus
          {...form.text('reason')}
        />
      </FormBody>
    </FormDialog>
  );
}
