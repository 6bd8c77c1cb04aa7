import type { ConsumerChange, ConsumerValue } from '@millrace/gateway-configuration/consumers';
import { CallerCounters } from '@millrace/policies/caller-counters';
import type { Caller, Prepaid, QuotaLimit } from '@millrace/policies/run';
import { IdMap } from './id-map.ts';
import { KeyIndex } from './key-index.ts';

/** The entity of an id, whether received already or only referred to by another. */
interface Product {
  readonly id: string;
  known: boolean;
  name: string;
  active: boolean;
  quota: QuotaLimit | null;
  unitsHeader: string | null;
  passUnitsHeader: boolean;
  /** By proxy: the bundled routes; null: all of them. */
  proxies: ReadonlyMap<string, ReadonlySet<string> | null>;
}

interface Developer {
  readonly id: string;
  known: boolean;
  name: string;
  active: boolean;
}

interface App {
  readonly id: string;
  known: boolean;
  name: string;
  active: boolean;
  developer: Developer | null;
  /** Oldest first: ids ascend with their creation time. */
  subscriptions: readonly Subscription[];
}

interface Subscription {
  readonly id: string;
  readonly app: App;
  readonly product: Product;
  readonly quota: QuotaLimit | null;
  readonly termId: string | null;
  readonly prepaid: Prepaid | null;
}

type KeyCaller = Extract<Caller, { kind: 'key' }>;

/** A caller with the hash of its key, for looking it up again. */
export interface FoundCaller extends KeyCaller {
  /** SHA-256, 32 bytes. */
  readonly keyHash: Uint8Array;
}

/** What a key gives access to, until something changes. */
export interface Admission {
  /** From then on (Unix milliseconds) the key is no longer accepted; null: it doesn't expire. */
  readonly validUntilMs: number | null;
  /** Whether neither the developer nor the app is suspended. */
  readonly active: boolean;
  readonly grants: readonly { readonly product: Product; readonly caller: FoundCaller }[];
}

/** The entry of a credential's key before a rotation, and until when it is accepted. */
interface Previous {
  readonly entry: number;
  readonly validUntilMs: number;
}

/** All consumers of an organization, in about 250 bytes per credential. */
export class ConsumerTables {
  readonly #products = new IdMap<Product>();
  readonly #developers = new IdMap<Developer>();
  readonly #apps = new IdMap<App>();
  readonly #subscriptions = new IdMap<Subscription>();

  readonly #keys = new KeyIndex();
  /** Index of each credential in the following arrays. */
  readonly #places = new IdMap<number>();
  readonly #ids: string[] = [];
  readonly #appOf: App[] = [];
  readonly #entryOf: number[] = [];
  readonly #expiresAtMs: number[] = [];
  readonly #previous = new Map<number, Previous>();
  readonly #free: number[] = [];

  /** Number of credentials. */
  get size(): number {
    return this.#places.size;
  }

  /** Applies one change: the entity's new state, or its removal. */
  apply(change: ConsumerChange): void {
    switch (change.kind) {
      case 'product':
        this.#applyProduct(change.id, change.value);
        break;
      case 'developer':
        this.#applyDeveloper(change.id, change.value);
        break;
      case 'app':
        this.#applyApp(change.id, change.value);
        break;
      case 'credential':
        this.#applyCredential(change.id, change.value);
        break;
      case 'subscription':
        this.#applySubscription(change.id, change.value);
        break;
    }
  }

  /**
   * What the key with this SHA-256 gives access to; null if the key is unknown.
   *
   * @param keyHash 32 bytes, which are kept
   */
  admissionOf(keyHash: Uint8Array): Admission | null {
    const owner = this.#keys.find(keyHash);
    if (owner < 0) return null;
    const place = owner >> 1;
    const app = this.#appOf[place]!;
    const { developer } = app;
    if (!app.known || developer === null || !developer.known) return null;
    const previousUntilMs = (owner & 1) === 1 ? this.#previous.get(place)!.validUntilMs : Number.POSITIVE_INFINITY;
    const validUntilMs = Math.min(this.#expiresAtMs[place]!, previousUntilMs);
    return {
      validUntilMs: validUntilMs === Number.POSITIVE_INFINITY ? null : validUntilMs,
      active: app.active && developer.active,
      grants: app.subscriptions
        .filter(({ product }) => product.known)
        .map(({ id, product, quota, termId, prepaid }) => ({
          product,
          caller: {
            kind: 'key',
            credentialId: this.#ids[place]!,
            developer: { id: developer.id, name: developer.name },
            app: { id: app.id, name: app.name },
            product: { id: product.id, name: product.name },
            subscriptionId: id,
            termId,
            prepaid,
            unitsHeader: product.unitsHeader,
            passUnitsHeader: product.passUnitsHeader,
            quota: quota ?? product.quota,
            keyHash,
            counters: new CallerCounters(),
          },
        })),
    };
  }

  #applyProduct(id: string, value: ConsumerValue<'product'> | null): void {
    const product = value === null ? this.#products.get(id) : this.#product(id);
    if (product === undefined) return;
    product.known = value !== null;
    product.name = value?.name ?? '';
    product.active = value?.active ?? false;
    product.quota = value?.quota ?? null;
    product.unitsHeader = value?.unitsHeader ?? null;
    product.passUnitsHeader = value?.passUnitsHeader ?? false;
    product.proxies = new Map(
      value?.proxies.map(({ proxyId, routeIds }) => [proxyId, routeIds === null ? null : new Set(routeIds)]),
    );
  }

  #applyDeveloper(id: string, value: ConsumerValue<'developer'> | null): void {
    const developer = value === null ? this.#developers.get(id) : this.#developer(id);
    if (developer === undefined) return;
    developer.known = value !== null;
    developer.name = value?.name ?? '';
    developer.active = value?.active ?? false;
  }

  #applyApp(id: string, value: ConsumerValue<'app'> | null): void {
    const app = value === null ? this.#apps.get(id) : this.#app(id);
    if (app === undefined) return;
    app.known = value !== null;
    app.name = value?.name ?? '';
    app.active = value?.active ?? false;
    app.developer = value === null ? null : this.#developer(value.developerId);
  }

  #applySubscription(id: string, value: ConsumerValue<'subscription'> | null): void {
    const before = this.#subscriptions.get(id);
    if (before !== undefined) {
      before.app.subscriptions = before.app.subscriptions.filter((other) => other !== before);
      this.#subscriptions.delete(id);
    }
    if (value === null) return;
    const app = this.#app(value.appId);
    const { quota, termId, prepaid } = value;
    const subscription = { id, app, product: this.#product(value.productId), quota, termId, prepaid };
    const later = app.subscriptions.findIndex((other) => other.id > id);
    app.subscriptions = app.subscriptions.toSpliced(later < 0 ? app.subscriptions.length : later, 0, subscription);
    this.#subscriptions.set(id, subscription);
  }

  #applyCredential(id: string, value: ConsumerValue<'credential'> | null): void {
    const known = this.#places.get(id);
    if (known !== undefined) this.#removeKeys(known);
    if (value === null) {
      if (known === undefined) return;
      this.#places.delete(id);
      this.#free.push(known);
      return;
    }
    const place = known ?? this.#free.pop() ?? this.#ids.length;
    this.#places.set(id, place);
    this.#ids[place] = id;
    this.#appOf[place] = this.#app(value.appId);
    this.#expiresAtMs[place] = value.expiresAtMs ?? Number.POSITIVE_INFINITY;
    this.#entryOf[place] = this.#keys.add(Buffer.from(value.keyHash, 'hex'), place * 2);
    if (value.previousKeyHash !== null && value.previousKeyHash !== value.keyHash) {
      this.#previous.set(place, {
        entry: this.#keys.add(Buffer.from(value.previousKeyHash, 'hex'), place * 2 + 1),
        validUntilMs: value.previousValidUntilMs ?? 0,
      });
    }
  }

  #removeKeys(place: number): void {
    this.#keys.remove(this.#entryOf[place]!);
    const previous = this.#previous.get(place);
    if (previous === undefined) return;
    this.#keys.remove(previous.entry);
    this.#previous.delete(place);
  }

  #product(id: string): Product {
    return known(this.#products, id, () => ({
      id,
      known: false,
      name: '',
      active: false,
      quota: null,
      unitsHeader: null,
      passUnitsHeader: false,
      proxies: new Map(),
    }));
  }

  #developer(id: string): Developer {
    return known(this.#developers, id, () => ({ id, known: false, name: '', active: false }));
  }

  #app(id: string): App {
    return known(this.#apps, id, () => ({
      id,
      known: false,
      name: '',
      active: false,
      developer: null,
      subscriptions: [],
    }));
  }
}

/** The entity of an id; a placeholder if it was referred to before it was received. */
function known<Value>(values: IdMap<Value>, id: string, make: () => Value): Value {
  let value = values.get(id);
  if (value === undefined) {
    value = make();
    values.set(id, value);
  }
  return value;
}
