/** Path of the console that providers send browsers back to. */
const callbackPath = '/sign-in/callback';

/** The addresses of an organization’s sign-in by its provider, as they are registered there. */
export interface ProviderPlace {
  readonly redirectUri: string;
  readonly backChannelLogoutUri: string;
  readonly signOutReturnUri: string;
  readonly signInUrl: string;
  readonly scimUrl: string;
}

/** @param publicUrl of the console, without a slash at the end */
export function placeOf(publicUrl: string, organizationId: string, organizationName: string): ProviderPlace {
  return {
    redirectUri: `${publicUrl}${callbackPath}`,
    backChannelLogoutUri: `${publicUrl}/api/auth/back-channel-logout/${organizationId}`,
    signOutReturnUri: `${publicUrl}/sign-in`,
    signInUrl: `${publicUrl}/sign-in?organization=${organizationName}`,
    scimUrl: `${publicUrl}/scim/v2`,
  };
}
