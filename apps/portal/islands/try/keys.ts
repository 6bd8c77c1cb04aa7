import type { CallPortal, DataOf } from '../api.ts';

/** A key of one of the visitor's own apps, without its secret, which no page has. */
export interface OwnKey {
  readonly credentialId: string;
  /** Such as `My app, production (mk_live_ab…)`. */
  readonly label: string;
}

type Apps = DataOf<'listPortalApps'>;
type Credentials = DataOf<'listPortalCredentials'>;

/** Apps whose keys are offered. */
const mostApps = 10;

/** The keys that the visitor's apps can call with now. */
export async function ownKeys(call: CallPortal): Promise<readonly OwnKey[]> {
  const { apps } = await call<Apps>('/apps?state=active&pageSize=100');
  const ofApps = await Promise.all(
    apps
      .filter(({ credentials }) => credentials > 0)
      .slice(0, mostApps)
      .map(async ({ id, displayName }) => {
        const { credentials } = await call<Credentials>(`/apps/${id}/credentials?pageSize=100`);
        return credentials
          .filter(({ state }) => state === 'active' || state === 'rotating')
          .map(({ id: credentialId, name, prefix }) => ({
            credentialId,
            label: `${displayName}, ${name} (${prefix}…)`,
          }));
      }),
  );
  return ofApps.flat();
}
