import type * as z from 'zod';
import type { App } from '../../consumers/apps/contract.ts';
import { ApiError } from '../../frame/errors.ts';
import type { PortalApp } from './contract.ts';

/** How many an account may have, so that a portal user can't fill the gateway nodes' memory. */
const mostApps = 10;
export const mostPortalCredentials = 10;

const longestBase = 55;

/** What an app has. */
export interface AppCounts {
  readonly credentials: number;
  readonly subscriptions: number;
}

/** An app as its portal users see it. */
export function presentApp(
  { developerId: _, developerName: __, ...app }: z.infer<typeof App>,
  counts: AppCounts,
): PortalApp {
  return { ...app, ...counts };
}

export function refuseTooManyApps(apps: number): void {
  if (apps < mostApps) return;
  throw new ApiError('conflict', {
    message: `You have ${apps} apps; at most ${mostApps} are possible. Delete one, or ask the organization for more.`,
  });
}

/** Rejects writes to an app that the organization suspended. */
export function refuseSuspended({ state }: Pick<z.infer<typeof App>, 'state'>): void {
  if (state === 'active') return;
  throw new ApiError('conflict', { message: 'The organization has suspended this app. Ask it to activate the app.' });
}

/** Rejects deleting an app whose prepaid money would be lost. */
export function refuseHolding(hasPrepaidMoney: boolean): void {
  if (!hasPrepaidMoney) return;
  throw new ApiError('conflict', {
    message:
      'A prepaid balance of this app isn’t used up. Cancel its subscriptions, or ask the organization to pay it back.',
  });
}

/** A name for an app, made of its display name, that none of the developer's apps has. */
export function nameFor(displayName: string, taken: ReadonlySet<string>): string {
  const words = displayName.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const base =
    words
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, longestBase)
      .replaceAll(/^-+|-+$/g, '') || 'app';
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
