import * as z from 'zod';

const id = z.string().max(64);
const name = z.string().max(200);

/** A quota that takes the place of a policy's own. */
export const QuotaLimit = z.strictObject({
  limit: z.int().min(1).max(1_000_000_000_000),
  window: z.strictObject({ unit: z.enum(['minute', 'hour', 'day', 'month']), count: z.int().min(1).max(1_000) }),
});

/** Money in millionths of a minor unit. */
const microMinor = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

/** The balance that a subscription's calls are debited from, and what they cost. */
export const Prepaid = z.strictObject({
  counting: z.enum(['strict', 'fast']),
  /** All that was ever paid in, without what has expired of it. */
  credit: microMinor.int(),
  /** What was used of it when this was sent; more is by now. */
  used: microMinor.int(),
  charges: z
    .array(
      z.strictObject({
        meter: z.enum(['requests', 'request_bytes', 'response_bytes', 'units']),
        statusClasses: z.array(z.int().min(1).max(5)),
        /** Null: all. */
        proxyIds: z.array(id).nullable(),
        /** Of one request, byte or unit. */
        price: microMinor,
      }),
    )
    .max(100),
});
export type Prepaid = z.infer<typeof Prepaid>;

/** Who may call, as the gateway knows it. What is not active stays known, so that its refusal can say why. */
const consumers = {
  product: z.strictObject({
    id,
    name,
    active: z.boolean(),
    quota: QuotaLimit.nullable(),
    /** Response header, in lower case, in which the target states the units of a call; null: none are counted. */
    unitsHeader: name.nullable().default(null),
    /** Whether callers see that header. */
    passUnitsHeader: z.boolean().default(false),
    /** Proxies that it bundles; some of their routes only, where `routeIds` is not null. */
    proxies: z.array(z.strictObject({ proxyId: id, routeIds: z.array(id).nullable() })),
  }),
  developer: z.strictObject({ id, name, active: z.boolean() }),
  app: z.strictObject({ id, name, developerId: id, active: z.boolean() }),
  /** Only those that admit somebody: a revoked one is removed. */
  credential: z.strictObject({
    id,
    appId: id,
    /** SHA-256 of the key, as hex digits. */
    keyHash: z.string().regex(/^[0-9a-f]{64}$/),
    /** Of the key before a rotation, which is taken until that moment (Unix milliseconds). */
    previousKeyHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    previousValidUntilMs: z.int().nullable(),
    expiresAtMs: z.int().nullable(),
  }),
  /** Only approved ones. */
  subscription: z.strictObject({
    id,
    appId: id,
    productId: id,
    quota: QuotaLimit.nullable(),
    /** The term that its calls are billed by; null: it has no rate plan. */
    termId: id.nullable().default(null),
    prepaid: Prepaid.nullable().default(null),
  }),
} as const;

export type ConsumerKind = keyof typeof consumers;
export const consumerKinds = Object.keys(consumers) as readonly ConsumerKind[];
export type ConsumerValue<Kind extends ConsumerKind> = z.infer<(typeof consumers)[Kind]>;
export const consumerSchemas = consumers;

/** One change: the entity as it is now; null: it is gone. */
export const ConsumerChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('product'), id, value: consumers.product.nullable() }),
  z.strictObject({ kind: z.literal('developer'), id, value: consumers.developer.nullable() }),
  z.strictObject({ kind: z.literal('app'), id, value: consumers.app.nullable() }),
  z.strictObject({ kind: z.literal('credential'), id, value: consumers.credential.nullable() }),
  z.strictObject({ kind: z.literal('subscription'), id, value: consumers.subscription.nullable() }),
]);
export type ConsumerChange = z.infer<typeof ConsumerChange>;

/**
 * Changes of an organization's consumers since a sequence number. Canonical JSON of it is signed. A node applies a page
 * only where `after` is what it holds. `more`: the next page follows at once, and what was received so far is not whole.
 */
export const ConsumersPage = z.strictObject({
  format: z.literal(1),
  organizationId: z.string(),
  /** 0: from the beginning. */
  after: z.int().min(0),
  upTo: z.int().min(0),
  more: z.boolean(),
  changes: z.array(ConsumerChange).max(1_000),
});
export type ConsumersPage = z.infer<typeof ConsumersPage>;
