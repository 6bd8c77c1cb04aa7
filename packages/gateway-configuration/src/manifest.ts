import * as z from 'zod';

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

/** One server of a target. */
const Endpoint = z.strictObject({
  host: z.string().min(1).max(255),
  port: z.int().min(1).max(65_535),
  weight: z.int().min(1).max(100),
});

const TargetServer = z.strictObject({
  id: z.string(),
  scheme: z.enum(['http', 'https']),
  enabled: z.boolean(),
  /**
   * What it speaks: HTTP/2, or whatever TLS chooses. Absent: HTTP/1.1; so that nodes that don't know the field yet load
   * every configuration without such targets.
   */
  protocol: z.enum(['http2', 'auto']).optional(),
  /**
   * Requested with GET every few seconds; 2xx and 3xx mean healthy. Null: the health of endpoints depends only on their
   * responses.
   */
  healthPath: z.string().max(500).nullable(),
  endpoints: z.array(Endpoint).min(1).max(20),
  tls: z.strictObject({
    /** Name to ask for and to verify; null: the endpoint's host. */
    serverName: z.string().max(255).nullable(),
    /** PEM of the authorities that sign its certificate; null: the public ones. */
    certificateAuthorities: z.string().max(65_536).nullable(),
    /** PEM by which the gateway shows who it is (mTLS); its key is the secret `target:NAME:clientKey`. */
    clientCertificate: z.string().max(65_536).nullable(),
  }),
});
export type TargetServer = z.infer<typeof TargetServer>;

/** A revision that serves, with its share of the calls of its proxy. The shares of a proxy add up to 100. */
const ServingDeployment = z.strictObject({
  deploymentId: z.string(),
  proxyId: z.string(),
  revision: z.int(),
  weight: z.int().min(0).max(100),
  /** What the shares are of, alike in all deployments of a proxy; absent: callers, each of whom stays with one revision. */
  split: z.literal('requests').optional(),
  /** Names the revision's content, which is sent apart. */
  contentHash: Hash,
});
export type ServingDeployment = z.infer<typeof ServingDeployment>;

/** What a gateway node of an environment serves. Canonical JSON of it is what is hashed and signed. */
export const Manifest = z.strictObject({
  format: z.literal(2),
  organizationId: z.string(),
  environment: z.strictObject({ id: z.string(), name: z.string(), production: z.boolean() }),
  /** Goes up with every change, so that an older manifest cannot pass for a newer. */
  sequence: z.int().min(1),
  /** By which callers reach it; empty: any. */
  hostNames: z.array(z.string()),
  deployments: z.array(ServingDeployment),
  targetServers: z.record(z.string(), TargetServer),
  /** Plain values; of a secret one null: its value stands in the node's sealed secrets under `variable:NAME`. */
  variables: z.record(z.string(), z.string().nullable()),
  /** SHA-256 of the canonical JSON of all secrets that it needs, by name; which ties the sealed secrets to it. */
  secretsHash: Hash,
});
export type Manifest = z.infer<typeof Manifest>;

/** A text with the platform's Ed25519 signature of it, in Base64. */
export const Signed = z.strictObject({ text: z.string(), signature: z.string().max(100) });
export type Signed = z.infer<typeof Signed>;

/** Contents that a node asks for at once: so many hashes fit the 8 KB that proxies take of a request's line. */
export const maxContentsPerCall = 100;

/** Of all secrets that a node takes at once, as their canonical JSON. */
export const maxSecretsSizeBytes = 3_000_000;

/** Secrets for one node: AES-256-GCM under a key agreed by X25519 between a key of this box and the node's. Base64. */
export const SealedSecrets = z.strictObject({
  ephemeralPublicKey: z.string().max(100),
  nonce: z.string().max(40),
  ciphertext: z.string().max((maxSecretsSizeBytes / 3) * 4),
  tag: z.string().max(40),
});
export type SealedSecrets = z.infer<typeof SealedSecrets>;
