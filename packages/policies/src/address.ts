/** An address as a number: of IPv4 below 2^32, of IPv6 below 2^128. */
export type NetworkAddress =
  | { readonly family: 4; readonly value: number }
  | { readonly family: 6; readonly value: bigint };

/** Of IPv4 addresses within IPv6 (RFC 4291, section 2.5.5.2): ::ffff:0:0/96. */
const mappedPrefix = 0xffffn << 32n;

/** The address, or null if the text is not one. An IPv4-mapped IPv6 address becomes IPv4; a zone is dropped. */
export function parseAddress(text: string): NetworkAddress | null {
  if (!text.includes(':')) {
    const value = parseIpv4(text);
    return value < 0 ? null : { family: 4, value };
  }
  const value = parseIpv6(text);
  if (value === null) return null;
  return value >> 32n === mappedPrefix >> 32n
    ? { family: 4, value: Number(value & 0xffff_ffffn) }
    : { family: 6, value };
}

/** Ranges of addresses, searched by bisection. */
export class AddressRanges {
  readonly #ipv4: Ranges<number>;
  readonly #ipv6: Ranges<bigint>;

  /**
   * @param texts addresses, and ranges in CIDR notation
   * @throws Error if one is neither
   */
  constructor(texts: readonly string[]) {
    const ranges = texts.map(parseRange);
    this.#ipv4 = merged(ranges.flatMap((range) => (range.family === 4 ? [[range.first, range.last] as const] : [])));
    this.#ipv6 = merged(ranges.flatMap((range) => (range.family === 6 ? [[range.first, range.last] as const] : [])));
  }

  has(address: NetworkAddress): boolean {
    return address.family === 4 ? within(this.#ipv4, address.value) : within(this.#ipv6, address.value);
  }
}

type Range =
  | { readonly family: 4; readonly first: number; readonly last: number }
  | { readonly family: 6; readonly first: bigint; readonly last: bigint };

function parseRange(text: string): Range {
  const slash = text.indexOf('/');
  const base = slash < 0 ? text : text.slice(0, slash);
  const address = parseAddress(base);
  // The prefix of a mapped address counts from the start of its IPv6 form.
  const mappedBits = address?.family === 4 && base.includes(':') ? 96 : 0;
  const bits = address?.family === 4 ? 32 : 128;
  const prefix = slash < 0 ? bits : Number(text.slice(slash + 1)) - mappedBits;
  if (!address || !Number.isInteger(prefix) || prefix < 0 || prefix > bits) {
    throw new Error(`"${text}" is neither an address nor a range.`);
  }
  if (address.family === 4) {
    const size = 2 ** (32 - prefix);
    const first = Math.floor(address.value / size) * size;
    return { family: 4, first, last: first + size - 1 };
  }
  const hostBits = BigInt(128 - prefix);
  const first = (address.value >> hostBits) << hostBits;
  return { family: 6, first, last: first + (1n << hostBits) - 1n };
}

/** First and last addresses of ascending, disjoint ranges. */
interface Ranges<Value> {
  readonly firsts: readonly Value[];
  readonly lasts: readonly Value[];
}

function merged<Value extends number | bigint>(ranges: readonly (readonly [Value, Value])[]): Ranges<Value> {
  const firsts: Value[] = [];
  const lasts: Value[] = [];
  for (const [first, last] of ranges.toSorted((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))) {
    const before = lasts.at(-1);
    if (before === undefined || first > before) {
      firsts.push(first);
      lasts.push(last);
    } else if (last > before) {
      lasts[lasts.length - 1] = last;
    }
  }
  return { firsts, lasts };
}

function within<Value extends number | bigint>({ firsts, lasts }: Ranges<Value>, value: Value): boolean {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value <= lasts[low - 1]!;
}

/** Of four decimal numbers without leading zeros, which some parsers read as octal; -1 if the text is anything else. */
function parseIpv4(text: string): number {
  let address = 0;
  let part = 0;
  let digits = 0;
  let parts = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x2e) {
      if (digits === 0 || parts === 4) return -1;
      address = address * 256 + part;
      part = 0;
      digits = 0;
      parts++;
    } else {
      const digit = code - 0x30;
      if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) return -1;
      part = part * 10 + digit;
      digits++;
      if (part > 255) return -1;
    }
  }
  return digits === 0 || parts !== 4 ? -1 : address * 256 + part;
}

function parseIpv6(text: string): bigint | null {
  const zone = text.indexOf('%');
  const address = withoutDottedEnd(zone < 0 ? text : text.slice(0, zone));
  if (address === null || address.length > 39) return null;
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head!.length - (tail?.length ?? 0);
  if (tail ? missing < 1 : missing !== 0) return null;
  let value = 0n;
  for (const group of [...head!, ...Array<string>(missing).fill('0'), ...(tail ?? [])]) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return null;
    value = (value << 16n) | BigInt(Number.parseInt(group, 16));
  }
  return value;
}

/** The address with its last 32 bits as two groups if they are written as IPv4. */
function withoutDottedEnd(text: string): string | null {
  if (!text.includes('.')) return text;
  const start = text.lastIndexOf(':') + 1;
  const value = parseIpv4(text.slice(start));
  if (value < 0) return null;
  return `${text.slice(0, start)}${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
}
