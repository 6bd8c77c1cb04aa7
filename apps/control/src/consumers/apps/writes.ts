import type { Sealer } from '@millrace/encryption';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Written } from '../../frame/handler.ts';
import type { App, Credential } from './contract.ts';
import {
  countUnrevoked,
  findCredential,
  insertCredential,
  presentCredential,
  revokeCredential,
  rotateCredential,
} from './credentials.ts';
import { expiryOf, graceEnd, refuseMove, refuseTooManyCredentials } from './rules.ts';
import { deleteApp, insertApp, updateApp } from './store.ts';

/*
 * What operators and the portal users of a developer account both do with apps and credentials. Who may do it to which
 * app is decided before.
 */

type PresentedApp = z.infer<typeof App>;
type PresentedCredential = z.infer<typeof Credential>;
type WithKey = PresentedCredential & { readonly key: string };
type Fields = Pick<PresentedApp, 'name' | 'displayName' | 'description' | 'callbackUrl'>;

export async function registerApp(
  transaction: TenantTransaction,
  values: Fields & { readonly developerId: string },
): Promise<Written<PresentedApp>> {
  const after = await conflictsAt(insertApp(transaction, values), meanings);
  return { data: after, change: { entityId: after.id, before: null, after } };
}

/** @param before locked until the commit */
export async function changeApp(
  transaction: TenantTransaction,
  before: PresentedApp,
  changes: { readonly [Name in keyof Fields]?: Fields[Name] | undefined },
): Promise<Written<PresentedApp>> {
  const after = await conflictsAt(updateApp(transaction, before, given(changes)), meanings);
  return { data: after, change: { entityId: before.id, before, after } };
}

/** @param before locked until the commit */
export async function removeApp(
  transaction: TenantTransaction,
  before: PresentedApp,
): Promise<Written<Record<string, never>>> {
  const { credentials, subscriptions } = await deleteApp(transaction, before.id);
  const note = `With ${credentials} credentials and ${subscriptions} approved subscriptions.`;
  return { data: {}, change: { entityId: before.id, before, after: null, note } };
}

/**
 * Issues a credential; the key is in the answer only.
 *
 * @param app locked until the commit
 * @param most unrevoked credentials that it may have
 */
export async function issueKey(
  transaction: TenantTransaction,
  {
    app,
    sealer,
    most,
    now,
  }: { readonly app: PresentedApp; readonly sealer: Sealer; readonly most: number; readonly now: Date },
  { name, expiresAt }: { readonly name: string; readonly expiresAt: string | null },
): Promise<Written<WithKey>> {
  const expiry = expiryOf(expiresAt, now);
  refuseTooManyCredentials(await countUnrevoked(transaction, app.id), most);
  const { row, key } = await insertCredential(transaction, sealer, { appId: app.id, name, expiresAt: expiry });
  const after = presentCredential(row, now);
  const note = `Of the app ${app.name} (${app.id}).`;
  return { data: { ...after, key }, change: { entityId: row.id, before: null, after, note } };
}

/** A credential is only found within its app. */
interface CredentialOfApp {
  readonly appId: string;
  readonly credentialId: string;
}

/** Rotates a credential; the new key is in the answer only. */
export async function rotateKey(
  transaction: TenantTransaction,
  { params, sealer, now }: { readonly params: CredentialOfApp; readonly sealer: Sealer; readonly now: Date },
  graceSeconds: number,
): Promise<Written<WithKey>> {
  const old = found(await findCredential(transaction, params, { lock: true }));
  const before = presentCredential(old, now);
  refuseMove(before.state, 'rotate');
  const { row, key } = await rotateCredential(transaction, sealer, old, graceEnd(graceSeconds, old.expires_at, now));
  const after = presentCredential(row, now);
  return { data: { ...after, key }, change: { entityId: row.id, before, after } };
}

export async function revokeKey(
  transaction: TenantTransaction,
  params: CredentialOfApp,
  now: Date,
): Promise<Written<PresentedCredential>> {
  const old = found(await findCredential(transaction, params, { lock: true }));
  const before = presentCredential(old, now);
  refuseMove(before.state, 'revoke');
  const after = presentCredential(await revokeCredential(transaction, old.id, now), now);
  return { data: after, change: { entityId: old.id, before, after } };
}

const meanings = {
  apps_organization_id_developer_id_name_key: ['name', 'Another app of this developer has this name.'],
  apps_organization_id_developer_id_fkey: ['developerId', 'Developer not found.'],
} as const;
