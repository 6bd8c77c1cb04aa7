/** A text in which values are found however its characters are written. */
export interface Folded {
  readonly text: string;
  /** Start and end of each of its characters in the original text. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Invisible characters: format characters, variation selectors, fillers and combining marks. */
const invisible = /^[\p{Cf}\p{Default_Ignorable_Code_Point}\p{M}]$/u;
const decimalDigit = /^\p{Nd}$/u;
const space = /^\p{Zs}$/u;
/** Dashes, with the minus sign, the hyphen bullet and dots that stand in the middle of a line. */
const dash = /^[\p{Pd}\u2212\u2043\xb7\u2022\u2027\u2219\u22c5]$/u;
/** Full stops of names in other scripts (UTS #46). */
const fullStop = /^[\u3002\uff0e\uff61]$/;
const otherNumber = /^\p{No}$/u;
const printable = /^[!-~]+$/;

const nonAscii = /[\x80-\xff]/;
/** By code point: what stands for it; null: it stands for itself. There are at most 1.1 million, most of which never come. */
const known = new Map<number, string | null>();
const maxKnown = 20_000;

/**
 * Writes digits of any script, full-width letters, spaces, dashes and full stops as those of ASCII, and leaves out what is
 * invisible, so that a value between whose digits such characters stand is found.
 *
 * @param text of one character a byte (UTF-8 read as Latin-1); bytes that are no UTF-8 stand for themselves
 * @returns null where that changes nothing
 */
export function fold(text: string): Folded | null {
  let at = text.search(nonAscii);
  if (at < 0) return null;
  let folded = text.slice(0, at);
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let index = 0; index < at; index++) {
    starts[index] = index;
    ends[index] = index + 1;
  }
  let length = at;
  let isChanged = false;
  while (at < text.length) {
    const first = text.charCodeAt(at);
    const size = first < 0x80 ? 1 : sizeOfCharacter(text, at, first);
    const standIn = size === 1 ? null : standInOf(codePointAt(text, at, size));
    if (standIn === null) {
      for (let index = 0; index < size; index++) {
        starts[length] = at + index;
        ends[length++] = at + index + 1;
      }
      folded += text.slice(at, at + size);
    } else {
      isChanged = true;
      // No replacement is longer than the UTF-8 of its character.
      for (let index = 0; index < standIn.length; index++) {
        starts[length] = at;
        ends[length++] = at + size;
      }
      folded += standIn;
    }
    at += size;
  }
  return isChanged ? { text: folded, starts, ends } : null;
}

/** Whether UTF-8 of a decimal digit beyond ASCII may begin with the byte. */
export function mayBeginDigit(byte: number): boolean {
  return digitLeads.has(byte);
}

const digitLeads: ReadonlySet<number> = new Set([0xd9, 0xdb, 0xdf, 0xe0, 0xe1, 0xea, 0xef, 0xf0]);

/** 1 where there is no character of UTF-8 of several bytes. */
function sizeOfCharacter(text: string, at: number, first: number): number {
  const size = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
  for (let index = 1; index < size; index++) {
    const code = text.charCodeAt(at + index);
    if (!(code >= 0x80 && code < 0xc0)) return 1;
  }
  return size;
}

function codePointAt(text: string, at: number, size: number): number {
  let code = text.charCodeAt(at) & (0xff >> (size + 1));
  for (let index = 1; index < size; index++) code = (code << 6) | (text.charCodeAt(at + index) & 0x3f);
  return code;
}

function standInOf(code: number): string | null {
  const before = known.get(code);
  if (before !== undefined) return before;
  const standIn = code > 0x10ffff ? null : findStandIn(code);
  if (known.size >= maxKnown) known.clear();
  known.set(code, standIn);
  return standIn;
}

function findStandIn(code: number): string | null {
  const character = String.fromCodePoint(code);
  if (invisible.test(character)) return '';
  if (decimalDigit.test(character)) return digitOf(code);
  if (space.test(character)) return ' ';
  if (dash.test(character)) return '-';
  if (fullStop.test(character)) return '.';
  // A raised 2 is more often a footnote than a digit of the number before it.
  if (otherNumber.test(character)) return null;
  const compatible = character.normalize('NFKC');
  const isShort = compatible.length <= (code < 0x800 ? 2 : 3);
  return isShort && printable.test(compatible) ? compatible : null;
}

/** Decimal digits of a script stand in a row from 0 to 9, several rows one after the other (Unicode, section 4.6). */
function digitOf(code: number): string {
  let zero = code;
  while (decimalDigit.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}
