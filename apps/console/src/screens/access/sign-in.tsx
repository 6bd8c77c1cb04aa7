import { SignInPage } from '@millrace/ui/sign-in-page';
import { useQueryClient } from '@tanstack/react-query';
import { call, chosenOrganization } from '../../frame/api.ts';

const providers: NonNullable<Parameters<typeof SignInPage>[0]['providers']> = {
  find: async (body) => (await call('findSignInProvider', { body })).provider,
  start: async (body) => (await call('startProviderSignIn', { body })).url,
};

export function SignIn() {
  const cache = useQueryClient();
  return (
    <SignInPage
      providers={providers}
      send={async (body) => {
        const session = await call('login', { body });
        cache.clear();
        // Whether they may look at another organization, which the address names, the server says.
        if (chosenOrganization() === null) cache.setQueryData(['getSession', {}, null], session);
      }}
    />
  );
}
