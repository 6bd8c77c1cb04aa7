import { Anchor, Text } from '@mantine/core';
import { SignInPage } from '@millrace/ui/sign-in-page';
import { Link } from '@tanstack/react-router';
import { call, useRead } from '../../frame/api.ts';
import { openPage } from '../../frame/place.ts';
import { texts } from '../../frame/texts.ts';
import { providers } from './providers.ts';

export function SignIn() {
  const portal = useRead('getPortal');
  let language: string | null = null;
  return (
    <SignInPage
      providers={providers}
      send={async (body) => {
        const session = await call('signInToPortal', { body });
        language = session.user.locale;
      }}
      open={(path) => openPage(path === '/' ? '/account' : path, language)}
    >
      {portal.data && portal.data.registration !== 'closed' && (
        <Text size="sm" mt="lg">
          {texts.signIn.noAccount}{' '}
          <Anchor inherit underline="always" renderRoot={(root) => <Link {...root} to="/register" />}>
            {texts.register.action}
          </Anchor>
        </Text>
      )}
    </SignInPage>
  );
}
