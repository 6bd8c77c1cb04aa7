import { AcceptInvitationPage } from '@millrace/ui/accept-invitation-page';
import { call } from '../../frame/api.ts';

/** Becomes a member of an account with an invitation's token. */
export function AcceptInvitation() {
  return <AcceptInvitationPage becomes="member" send={(body) => call('acceptInvitation', { body })} />;
}
