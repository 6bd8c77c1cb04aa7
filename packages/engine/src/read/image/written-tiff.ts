/** A directory's entry: LONG, SHORT or RATIONAL by what is given. */
type WrittenEntry = number | { readonly short: number } | { readonly ratio: readonly [number, number] };

/** A page to be written: its entries by tag, beside those of its strip. */
interface WrittenTiffPage {
  readonly entries: Readonly<Record<number, WrittenEntry>>;
  /** The one strip's bytes. */
  readonly strip: Uint8Array;
  /** The place of the next directory in the file, if it is not the next page's. */
  readonly next?: number;
}

export interface WrittenTiff {
  readonly bigEndian?: boolean;
  readonly pages: readonly WrittenTiffPage[];
}

/** Writes a TIFF of one strip a page, sound or not. The first directory lies at byte 8. */
export function writeTiff({ bigEndian = false, pages }: WrittenTiff): Buffer {
  const parts: Buffer[] = [];
  const number = (value: number, size: 2 | 4): Buffer => {
    const bytes = Buffer.alloc(size);
    if (bigEndian) bytes.writeUIntBE(value, 0, size);
    else bytes.writeUIntLE(value, 0, size);
    return bytes;
  };
  parts.push(Buffer.from(bigEndian ? 'MM' : 'II', 'latin1'), number(42, 2), number(8, 4));
  let at = 8;
  pages.forEach(({ entries, strip, next }, index) => {
    const all: Record<number, WrittenEntry> = { ...entries, 273: 0, 279: strip.length };
    const tags = Object.keys(all).map(Number);
    const afterDirectory = at + 2 + tags.length * 12 + 4;
    const ratios = tags.filter((tag) => typeof all[tag] === 'object' && 'ratio' in all[tag]);
    const stripAt = afterDirectory + ratios.length * 8;
    const end = stripAt + strip.length + (strip.length % 2);
    all[273] = stripAt;
    const rows = tags.map((tag) => {
      const entry = all[tag] as WrittenEntry;
      if (typeof entry === 'number') return [number(tag, 2), number(4, 2), number(1, 4), number(entry, 4)];
      if ('short' in entry) return [number(tag, 2), number(3, 2), number(1, 4), number(entry.short, 2), number(0, 2)];
      return [number(tag, 2), number(5, 2), number(1, 4), number(afterDirectory + ratios.indexOf(tag) * 8, 4)];
    });
    const values = ratios.flatMap((tag) => {
      const { ratio } = all[tag] as { readonly ratio: readonly [number, number] };
      return [number(ratio[0], 4), number(ratio[1], 4)];
    });
    parts.push(number(tags.length, 2), ...rows.flat(), number(next ?? (index + 1 < pages.length ? end : 0), 4));
    parts.push(...values, Buffer.from(strip), Buffer.alloc(strip.length % 2));
    at = end;
  });
  return Buffer.concat(parts);
}

/** The entries of a grey picture without compression, black as 0. */
export function greyEntries(width: number, height: number, bits: 1 | 8 | 16 = 8): Record<number, WrittenEntry> {
  return {
    256: width,
    257: height,
    258: { short: bits },
    259: { short: 1 },
    262: { short: 1 },
    277: { short: 1 },
    278: height,
  };
}
