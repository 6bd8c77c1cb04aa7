import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';

/** Keys of an issuer, of which some may be withdrawn with the next version. */
export interface IssuerKeys {
  readonly find: LocalJWKSet;
  /** Another one where the keys are others. */
  readonly version: number;
}

type FetchJson = (url: string) => Promise<unknown>;

const maxKeys = 100;
/** How long keys serve beyond their time while their issuer cannot be reached. */
const maxStaleMs = 3_600_000;
/** Between two fetches for the sake of tokens that name a key that is not known: anyone can make up such tokens. */
const unknownKeyIntervalMs = 30_000;
/** Between two fetches of which the first failed. */
const retryIntervalMs = 1_000;

/** The published keys of one issuer: fetched once for all users, cached, and refreshed in time. */
export class KeySource {
  readonly #url: string;
  readonly #fetchJson: FetchJson;
  #keys: IssuerKeys | null = null;
  #text = '';
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #failure: unknown = null;
  #refreshing: Promise<void> | null = null;

  constructor(url: string, fetchJson: FetchJson) {
    this.#url = url;
    this.#fetchJson = fetchJson;
  }

  /**
   * The cached keys, or null if there are none or they are too old. Keys older than `cacheMs` are refreshed in the
   * background.
   */
  held(nowMs: number, cacheMs: number): IssuerKeys | null {
    const ageMs = nowMs - this.#fetchedAtMs;
    if (ageMs <= cacheMs) return this.#keys;
    if (this.#keys === null || ageMs > cacheMs + maxStaleMs) return null;
    // The result shows when the keys are next requested.
    if (this.#mayRetry(nowMs)) void this.#refresh(nowMs);
    return this.#keys;
  }

  /** @throws Error if the issuer is unreachable and no usable keys are cached */
  async get(nowMs: number, cacheMs: number): Promise<IssuerKeys> {
    const held = this.held(nowMs, cacheMs);
    if (held) return held;
    if (this.#refreshing || this.#mayRetry(nowMs)) await (this.#refreshing ?? this.#refresh(nowMs));
    const keys = this.held(nowMs, cacheMs);
    if (!keys) throw new Error(`The keys at ${this.#url} are unavailable.`, { cause: this.#failure });
    return keys;
  }

  /** Other keys than those of that version, fetched where that has not just been done; null where there are none. */
  async newer(version: number, nowMs: number): Promise<IssuerKeys | null> {
    if (this.#refreshing) await this.#refreshing;
    else if (this.#keys?.version === version && nowMs - this.#triedAtMs >= unknownKeyIntervalMs) {
      await this.#refresh(nowMs);
    }
    return this.#keys && this.#keys.version !== version ? this.#keys : null;
  }

  #mayRetry(nowMs: number): boolean {
    return this.#refreshing === null && nowMs - this.#triedAtMs >= retryIntervalMs;
  }

  #refresh(nowMs: number): Promise<void> {
    this.#triedAtMs = nowMs;
    this.#refreshing = this.#fetch(nowMs).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #fetch(nowMs: number): Promise<void> {
    try {
      const document = await this.#fetchJson(this.#url);
      const set = keySet(document);
      const text = JSON.stringify(set);
      if (text !== this.#text) {
        this.#keys = { find: createLocalJWKSet(set), version: (this.#keys?.version ?? 0) + 1 };
        this.#text = text;
      }
      this.#fetchedAtMs = nowMs;
      this.#failure = null;
    } catch (error) {
      this.#failure = error;
    }
  }
}

/** Sources by address, for each of the means to fetch: policies that trust one issuer share its keys. */
const sources = new WeakMap<FetchJson, Map<string, KeySource>>();

export function keySourceOf(url: string, fetchJson: FetchJson): KeySource {
  const known = sources.get(fetchJson) ?? new Map<string, KeySource>();
  sources.set(fetchJson, known);
  const source = known.get(url) ?? new KeySource(url, fetchJson);
  known.set(url, source);
  return source;
}

/** The signature keys of a key set that are public; a set without any is none. */
function keySet(document: unknown): JSONWebKeySet {
  if (typeof document !== 'object' || document === null || !('keys' in document) || !Array.isArray(document.keys)) {
    throw new Error('This is not a JSON Web Key Set.');
  }
  if (document.keys.length > maxKeys) throw new Error(`A key set can have at most ${maxKeys} keys.`);
  const keys = document.keys.filter(
    (key: unknown) =>
      typeof key === 'object' &&
      key !== null &&
      'kty' in key &&
      (key.kty === 'RSA' || key.kty === 'EC' || key.kty === 'OKP'),
  );
  if (keys.length === 0) throw new Error('The key set has no key for verifying signatures.');
  return { keys };
}
