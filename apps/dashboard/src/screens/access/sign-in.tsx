import { SignInPage } from '@millrace/ui/sign-in-page';
import { useQueryClient } from '@tanstack/react-query';
import { call, readOf } from '../../frame/api.ts';

export function SignIn() {
  const cache = useQueryClient();
  return (
    <SignInPage
      send={async (body) => {
        const session = await call('signIn', { body });
        cache.clear();
        cache.setQueryData(readOf('getSession').queryKey, session);
      }}
    />
  );
}
