import { AcceptInvitationPage } from '@millrace/ui/accept-invitation-page';
import { call } from '../../frame/api.ts';

/** Becomes a user with an invitation's token. The browser's time zone and language become theirs. */
export function AcceptInvitation() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <AcceptInvitationPage
      becomes="user"
      send={(body) => call('acceptInvitation', { body: { ...body, timeZone, locale: navigator.language } })}
    />
  );
}
