/**
 * Content of JSON strings as text of one character a byte (UTF-8 read as Latin-1), from pieces that may end within an
 * escape. A surrogate without its other half is written as UTF-8 would write it if it could: ED A0 80 to ED BF BF.
 */
export class Unescaper {
  #rest = '';

  /** @param raw valid content of a string, as one character a byte */
  write(raw: string): string {
    const text = this.#rest + raw;
    this.#rest = '';
    return this.#unescape(text, false);
  }

  end(): string {
    const text = this.#rest;
    this.#rest = '';
    return this.#unescape(text, true);
  }

  #unescape(text: string, isWhole: boolean): string {
    let unescaped = '';
    let from = 0;
    for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
      unescaped += text.slice(from, at);
      const [character, length] = readEscape(text, at, isWhole);
      if (length === 0) {
        this.#rest = text.slice(at);
        return unescaped;
      }
      unescaped += character;
      from = at + length;
    }
    return from === 0 ? text : unescaped + text.slice(from);
  }
}

export function unescapeJson(raw: string): string {
  if (!raw.includes('\\')) return raw;
  const unescaper = new Unescaper();
  return unescaper.write(raw) + unescaper.end();
}

/** The text as content of a JSON string, where it is one character a byte with surrogates as {@link Unescaper} writes them. */
export function escapeJson(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be escaped.
  return text.replaceAll(/["\\\x00-\x1f]|\xed[\xa0-\xbf][\x80-\xbf]/g, (match) =>
    match.length === 3
      ? `\\u${(0xd000 | ((match.charCodeAt(1) & 0x3f) << 6) | (match.charCodeAt(2) & 0x3f)).toString(16)}`
      : JSON.stringify(match).slice(1, -1),
  );
}

const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** What an escape stands for, and its length; 0 where more of the text is needed to tell. */
function readEscape(text: string, at: number, isWhole: boolean): readonly [string, number] {
  const letter = text[at + 1];
  if (letter === undefined) return ['', 0];
  if (letter !== 'u') return [simpleEscapes[letter] ?? letter, 2];
  if (text.length < at + 6) return ['', 0];
  const code = Number.parseInt(text.slice(at + 2, at + 6), 16);
  if (code < 0xd800 || code > 0xdbff) return [utf8(code), 6];
  const next = text.slice(at + 6, at + 12);
  if (/^\\u[dD][c-fC-F]/.test(next) && next.length === 6) {
    const low = Number.parseInt(next.slice(2), 16);
    return [utf8(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)), 12];
  }
  const mayGoOn = !isWhole && next.length < 6 && /^(?:$|\\(?:$|u))/.test(next);
  return mayGoOn ? ['', 0] : [utf8(code), 6];
}

function utf8(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
  if (code < 0x10000) {
    return String.fromCharCode(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
  return String.fromCharCode(
    0xf0 | (code >> 18),
    0x80 | ((code >> 12) & 0x3f),
    0x80 | ((code >> 6) & 0x3f),
    0x80 | (code & 0x3f),
  );
}
