import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { dayOf } from './periods.ts';

/** How long prepaid credit is good for, in civil days or months from the day on which it is credited. */
export const CreditExpiry = z.strictObject({
  count: z.int().min(1).max(3_650),
  unit: z.enum(['day', 'month']),
});
export type CreditExpiry = z.infer<typeof CreditExpiry>;

/**
 * The instant from which credit is no longer good: the end of the civil day that is so many days or months after the one
 * on which it was credited; a month that has no such day ends on its last one. Midnights are whole quarters of an hour, by
 * which usage is counted.
 */
export function creditExpiresAt(creditedAt: string, { count, unit }: CreditExpiry, timeZone: string): string {
  return dayOf(creditedAt, timeZone)
    .add(unit === 'day' ? { days: count } : { months: count })
    .add({ days: 1 })
    .toZonedDateTime({ timeZone })
    .toInstant()
    .toString();
}

/** When a notice of an expiry is sent: 14 days before, but not in the first half of the time that the credit is good for. */
export function expiryNoticeAt(creditedAt: string, expiresAt: string): string {
  const [from, to] = [Temporal.Instant.from(creditedAt), Temporal.Instant.from(expiresAt)];
  const half = from.add({ milliseconds: Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 2) });
  const before = to.subtract({ hours: 14 * 24 });
  return (Temporal.Instant.compare(half, before) > 0 ? half : before).toString();
}

/** A top-up of a prepaid balance. */
export interface CreditLot {
  readonly amountMinor: number;
  /** ISO 8601; null: it never expires. */
  readonly expiresAt: string | null;
  /** Of one that has expired: the price of all usage before that, in millionths of a minor unit, rounded up; else null. */
  readonly usedBeforeMicro: bigint | null;
}

/** What became of a top-up. */
export interface LotState {
  /** What was left of it when it expired, in whole minor units, rounded down; 0 while it hasn't. */
  readonly expiredMinor: number;
  /** What is left of it, in millionths of a minor unit; 0 once it has expired. */
  readonly leftMicro: bigint;
}

const microOfMinor = 1_000_000n;

/**
 * What is left of top-ups, and what has expired of them. Usage consumes the oldest credit first. Because that order is
 * fixed, all of it follows from how much was used before each expiry, in whatever order usage was reported:
 *
 *     expired(i) = credited up to and with i − expired before by older ones − used before its expiry, from 0 to its amount
 *
 * @param lots the oldest first
 * @param options.usedMicro price of all usage so far, in millionths of a minor unit, rounded up
 * @param options.baseMicro other credit, older than all lots
 */
export function consumeOldestFirst(
  lots: readonly CreditLot[],
  { usedMicro, baseMicro = 0n }: { readonly usedMicro: bigint; readonly baseMicro?: bigint },
): readonly LotState[] {
  let creditedMicro = baseMicro;
  const expired: { readonly atMs: number; readonly micro: bigint }[] = [];
  return lots.map(({ amountMinor, expiresAt, usedBeforeMicro }) => {
    const amountMicro = BigInt(amountMinor) * microOfMinor;
    creditedMicro += amountMicro;
    if (usedBeforeMicro === null || expiresAt === null) {
      const lost = expired.reduce((sum, { micro }) => sum + micro, 0n);
      return { expiredMinor: 0, leftMicro: between0And(amountMicro, creditedMicro - lost - usedMicro) };
    }
    const atMs = Date.parse(expiresAt);
    const lost = expired.reduce((sum, one) => (one.atMs <= atMs ? sum + one.micro : sum), 0n);
    const minor = between0And(amountMicro, creditedMicro - lost - usedBeforeMicro) / microOfMinor;
    expired.push({ atMs, micro: minor * microOfMinor });
    return { expiredMinor: Number(minor), leftMicro: 0n };
  });
}

function between0And(most: bigint, value: bigint): bigint {
  if (value < 0n) return 0n;
  return value > most ? most : value;
}
