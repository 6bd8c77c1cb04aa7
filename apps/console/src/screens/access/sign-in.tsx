import { SignInPage } from '@millrace/ui/sign-in-page';
import { useQueryClient } from '@tanstack/react-query';
import { call, chosenOrganization } from '../../frame/api.ts';

export function SignIn() {
  const cache = useQueryClient();
  return (
    <SignInPage
      send={async (body) => {
        const session = await call('login', { body });
        cache.clear();
        // Whether they may look at another organization, which the address names, the server says.
        if (chosenOrganization() === null) cache.setQueryData(['getSession', {}, null], session);
      }}
    />
  );
}
