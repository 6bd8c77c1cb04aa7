import { AcceptInvitationPage } from '@millrace/ui/accept-invitation-page';
import { call } from '../../frame/api.ts';
import { openPage, place } from '../../frame/place.ts';

/** Accepting also signs in, so that the account opens. */
export function AcceptInvitation() {
  return (
    <AcceptInvitationPage
      becomes=""
      send={async (body) => {
        const { user } = await call('acceptPortalInvitation', { body: { ...body, locale: place.language } });
        return { email: user.email };
      }}
      open={() => openPage('/account')}
    />
  );
}
