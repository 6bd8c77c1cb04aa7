import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type * as z from 'zod';
import { ApiError } from '../../frame/errors.ts';
import type { ApiProduct } from './contract.ts';

type Product = z.infer<typeof ApiProduct>;

/** A gateway node keeps every product with all of its proxies. */
const mostProxies = 100;

/** The product, as gateway nodes see it. */
export function productConsumer(product: Product): ConsumerChange {
  const { id, name, state, quota, unitsHeader, passUnitsHeader } = product;
  const proxies = product.proxies
    .map(({ proxyId, routeIds }) => ({ proxyId, routeIds }))
    .toSorted((first, second) => (first.proxyId < second.proxyId ? -1 : 1));
  const active = state === 'active';
  return { kind: 'product', id, value: { id, name, active, quota, unitsHeader, passUnitsHeader, proxies } };
}

/**
 * Rejects suspending something suspended, and activating something active.
 *
 * @param noun such as `developer`
 */
export function refuseState(noun: string, state: 'active' | 'suspended', wanted: 'active' | 'suspended'): void {
  if (state !== wanted) return;
  const other = wanted === 'active' ? 'suspend' : 'activate';
  throw new ApiError('conflict', { message: `The ${noun} is already ${state}. Next: ${other} it.` });
}

/** Rejects publishing a published product, and unpublishing one that is not. */
export function refusePublication({ published }: Pick<Product, 'published'>, wanted: boolean): void {
  if (published !== wanted) return;
  throw new ApiError('conflict', {
    message: published
      ? 'The product is already published. Next: unpublish it.'
      : 'The product is not published. Next: publish it.',
  });
}

/** Rejects deleting a product that has or had subscriptions. */
export function refuseSubscribed({ open, ended }: { readonly open: number; readonly ended: number }): void {
  if (open + ended === 0) return;
  throw new ApiError('conflict', {
    message:
      `It can't be deleted: it has ${open} pending or approved subscriptions and ${ended} ended ones, which record ` +
      'who used it. Unpublish it to stop new subscriptions, or suspend it to block all calls.',
  });
}

export function refuseTooManyProxies(product: Product, proxyId: string): void {
  if (product.proxies.some((bundled) => bundled.proxyId === proxyId)) return;
  if (product.proxies.length >= mostProxies) {
    throw new ApiError('conflict', {
      message: `A product can bundle at most ${mostProxies} API proxies. Unbundle one first, or create another product.`,
    });
  }
}
