import { type PermittedAction, reasonAction } from '../../frame/actions.tsx';
import { useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import type { Subscription } from './columns.tsx';

/** The actions that decide a pending subscription. */
export function useDecisionActions() {
  const { callerId } = useSession();
  const approve = useWrite('approveSubscription');
  const reject = useWrite('rejectSubscription');
  return (
    subscription: Pick<Subscription, 'id' | 'appName' | 'productName' | 'requestedBy'>,
  ): readonly PermittedAction[] => {
    const { id, appName, productName, requestedBy } = subscription;
    const params = { subscriptionId: id };
    const permission = 'subscription.approve';
    return [
      {
        label: 'Approve',
        name: `Approve ${appName} to ${productName}`,
        primary: true,
        permission,
        blocked: requestedBy === callerId && 'You requested this: someone else has to approve it.',
        run: () => approve.mutateAsync({ params }),
        done: `${appName} can call ${productName}.`,
      },
      reasonAction({
        label: 'Reject',
        name: `Reject ${appName} to ${productName}`,
        danger: true,
        permission,
        title: `Reject ${appName} to ${productName}?`,
        help: 'The developer sees it. The app can be subscribed again later.',
        send: async (body) => {
          await reject.mutateAsync({ params, body });
          return 'Subscription rejected.';
        },
      }),
    ];
  };
}
