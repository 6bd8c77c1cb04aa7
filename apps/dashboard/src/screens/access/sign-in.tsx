import { SignInPage } from '@millrace/ui/sign-in-page';
import { useQueryClient } from '@tanstack/react-query';
import { call, readOf } from '../../frame/api.ts';

const providers: NonNullable<Parameters<typeof SignInPage>[0]['providers']> = {
  single: true,
  find: async (body) => (await call('findSignInProvider', { body })).provider,
  start: async (body) => (await call('startProviderSignIn', { body })).url,
};

export function SignIn() {
  const cache = useQueryClient();
  return (
    <SignInPage
      providers={providers}
      send={async (body) => {
        const session = await call('signIn', { body });
        cache.clear();
        cache.setQueryData(readOf('getSession').queryKey, session);
      }}
    />
  );
}
