import type { SignInProviders } from '@millrace/ui/provider-choice';
import { call } from '../../frame/api.ts';
import { pageAt } from '../../frame/place.ts';

/** Signing in by the identity provider of a developer’s company, which an e-mail address or the page’s address leads to. */
export const providers: SignInProviders = {
  unnamed: true,
  find: async ({ email, organization: developerId }) => {
    const body = developerId === undefined ? { email } : { developerId };
    const { provider } = await call('findPortalSignInProvider', { body });
    return provider && { organization: provider.developerId, name: provider.name };
  },
  start: ({ organization: developerId, next, email }) =>
    startAt({ developerId, next: next === pageAt('/') ? pageAt('/account') : next, email }),
};

/** The address to open in order to sign in by a company’s provider, or to link the own portal user to it. */
export async function startAt(body: {
  readonly developerId: string;
  readonly next: string;
  readonly email?: string | undefined;
  readonly link?: boolean;
}): Promise<string> {
  const { url } = await call('getPortal');
  // The provider sends the browser to the portal’s primary address, and its cookie has to be there.
  if (new URL(url).origin !== window.location.origin) return `${url}/sign-in?organization=${body.developerId}`;
  return (await call('startPortalProviderSignIn', { body })).url;
}
