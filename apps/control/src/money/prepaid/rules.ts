import type * as z from 'zod';
import { ApiError } from '../../frame/errors.ts';
import { type ExpiringCredit, mostExpiring } from './contract.ts';

/** Top-ups of which something is left that expires, the next to expire first. */
export function expiringOf(
  lots: readonly {
    readonly id: string;
    readonly amountMinor: number;
    readonly expiresAt: string | null;
    readonly leftMicro: bigint;
  }[],
): z.infer<typeof ExpiringCredit>[] {
  return lots
    .flatMap(({ id, amountMinor, expiresAt, leftMicro }) =>
      expiresAt === null || leftMicro === 0n
        ? []
        : [{ topUpId: id, amountMinor, leftMinor: String(Number(leftMicro) / microOfMinor), expiresAt }],
    )
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt))
    .slice(0, mostExpiring);
}

const microOfMinor = 1_000_000;

export function noAccount(): ApiError {
  return new ApiError('conflict', {
    message: 'The subscription has no prepaid plan, so it has no balance. Set a prepaid rate plan first.',
  });
}
