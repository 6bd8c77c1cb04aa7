import { readFile, stat } from 'node:fs/promises';
import type { Exchange } from '@millrace/data-plane/exchange';
import { type CountryResponse, Reader } from 'maxmind';

interface CountryOptions {
  /** The header in which a trusted proxy reports the country, in lower case. */
  readonly header: string | null;
  /** In MMDB format, such as GeoLite2-Country. */
  readonly file: string | null;
  /** How often the file is checked for changes. */
  readonly checkMs?: number;
  onLoad?(file: string): void;
  /** The file can't be read; the previous one stays in use. */
  onError?(error: unknown): void;
}

/** What is needed from a request. */
export type CountryRequest = Pick<Exchange, 'forwardedAddress'> & {
  readonly connection: Pick<Exchange['connection'], 'isTrusted'>;
  readonly request: { readonly headers: Pick<Exchange['request']['headers'], 'get'> };
};

export interface Countries {
  /** ISO 3166-1 alpha-2 of where the caller is; `ZZ` where it is unknown. */
  of(request: CountryRequest): string;
  stop(): void;
}

const unknown = 'ZZ';
/** Number of addresses whose country is cached; beyond it the oldest half is dropped. */
const keptAddresses = 20_000;
const maxFileBytes = 512 * 1_024 * 1_024;

/** The country of callers: from a trusted proxy's header, otherwise by address from the file. */
export async function openCountries(options: CountryOptions): Promise<Countries> {
  const { header, file, checkMs = 10_000 } = options;
  let reader: Reader<CountryResponse> | null = null;
  let loaded = '';
  let recent = new Map<string, string>();
  let before = new Map<string, string>();

  const load = async (path: string): Promise<void> => {
    try {
      const { size, mtimeMs, ino } = await stat(path);
      const seen = [size, mtimeMs, ino].join();
      if (seen === loaded) return;
      // An unreadable file is tried again when it changes.
      loaded = seen;
      if (size > maxFileBytes) throw new Error(`${path} is larger than ${maxFileBytes} bytes.`);
      reader = new Reader<CountryResponse>(await readFile(path));
      recent = new Map();
      before = new Map();
      options.onLoad?.(path);
    } catch (error) {
      options.onError?.(error);
    }
  };

  const find = (address: string): string => {
    if (reader === null) return unknown;
    try {
      const found = reader.get(address);
      return validCountry(found?.country?.iso_code ?? found?.registered_country?.iso_code ?? '') ?? unknown;
    } catch {
      // Not an address, or a file damaged there.
      return unknown;
    }
  };

  if (file !== null) await load(file);
  const timer = file === null ? undefined : setInterval(() => load(file), checkMs);
  timer?.unref();
  return {
    of({ connection, request, forwardedAddress }) {
      if (header !== null && connection.isTrusted) {
        const reported = validCountry(request.headers.get(header) ?? '');
        if (reported !== null) return reported;
      }
      if (reader === null) return unknown;
      const kept = recent.get(forwardedAddress);
      if (kept !== undefined) return kept;
      const country = before.get(forwardedAddress) ?? find(forwardedAddress);
      if (recent.size >= keptAddresses / 2) {
        before = recent;
        recent = new Map();
      }
      recent.set(forwardedAddress, country);
      return country;
    },
    stop: () => clearInterval(timer),
  };
}

/** In upper case; null for anything but a code, or for unknown ones such as `XX`. */
function validCountry(text: string): string | null {
  if (!/^[A-Za-z]{2}$/.test(text)) return null;
  const country = text.toUpperCase();
  return country === 'XX' || country === unknown ? null : country;
}
