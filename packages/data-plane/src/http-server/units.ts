import type { HeaderList } from '@millrace/policies/headers';
import type { Caller } from '@millrace/policies/run';
import type { Exchange } from './exchange.ts';

/**
 * What a response says about its units. `uncounted`: the product declares no header, or no response came; `missing`: the
 * header is not there; `unreadable`: it is no such decimal, or stands more than once.
 */
export type UnitsState = 'uncounted' | 'counted' | 'missing' | 'unreadable';

/** So that a million times the number stays an exact integer. */
const mostWholeDigits = 9;
const fractionDigits = 6;

/**
 * Reads the units that the target's response states, and keeps the header from the caller unless the product passes it.
 *
 * @param caller of a product that declares the header
 */
export function takeUnits(exchange: Exchange, caller: Extract<Caller, { kind: 'key' }>, headers: HeaderList): void {
  const name = caller.unitsHeader!;
  const value = headers.bytesOf(name);
  if (value === null) {
    exchange.unitsState = 'missing';
    return;
  }
  const microUnits = value.isRepeated ? -1 : microUnitsAt(value.bytes, value.start, value.end);
  exchange.unitsState = microUnits < 0 ? 'unreadable' : 'counted';
  exchange.microUnits = Math.max(0, microUnits);
  if (!caller.passUnitsHeader) headers.withhold(name);
}

/**
 * A decimal such as `12.5`, of up to nine digits before and six behind the point, in millionths.
 *
 * @returns -1 if it is anything else
 */
export function microUnitsAt(bytes: Uint8Array, start: number, end: number): number {
  let number = 0;
  let at = start;
  for (; at < end && bytes[at] !== 0x2e; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9 || at - start >= mostWholeDigits) return -1;
    number = number * 10 + digit;
  }
  if (at === start) return -1;
  if (at === end) return number * 10 ** fractionDigits;
  const fraction = ++at;
  for (; at < end; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9 || at - fraction >= fractionDigits) return -1;
    number = number * 10 + digit;
  }
  return at === fraction ? -1 : number * 10 ** (fractionDigits - (at - fraction));
}
