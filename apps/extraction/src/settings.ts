import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** One setting: an environment variable, what it must look like, and what it is for. */
interface Declaration<Schema extends z.ZodType> {
  readonly name: string;
  readonly schema: Schema;
  /** What the documentation shows as its default. */
  readonly defaultText: string;
  readonly description: string;
  /** Never shown in a message. */
  readonly secret: boolean;
}

function setting<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  defaultText: string,
  description: string,
  { secret = false } = {},
): Declaration<Schema> {
  return { name, schema, defaultText, description, secret };
}

const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum)
    .meta({ expected: `a whole number from ${minimum} to ${maximum}` });

const flag = z
  .enum(['1', 'true', 'yes', '0', 'false', 'no'])
  .transform((value) => ['1', 'true', 'yes'].includes(value))
  .meta({ expected: '1 or 0' });

const url = (expected: string, accept: (url: URL) => boolean) =>
  z
    .string()
    .refine((value) => {
      const parsed = URL.parse(value);
      return parsed !== null && accept(parsed);
    })
    .meta({ expected });

/** Every setting of the extraction service, in the order of the documentation. */
export const settingDeclarations = {
  dataDirectory: setting(
    'MILLRACE_DATA_DIR',
    z
      .string()
      .transform((path) => resolve(path))
      .meta({ expected: 'a path' })
      .default(resolve('data')),
    './data',
    'Folder of everything that is kept: the embedded database, the stored originals, the generated encryption key.',
  ),
  host: setting(
    'MILLRACE_EXTRACTION_HOST',
    z.string().max(255).meta({ expected: 'a host name or an address' }).default('127.0.0.1'),
    '127.0.0.1',
    'Address to listen on. The default is reached from this machine alone; `0.0.0.0` listens on every interface: put a proxy that speaks TLS in front.',
  ),
  port: setting(
    'MILLRACE_EXTRACTION_PORT',
    integer(0, 65_535).default(4100),
    '4100',
    'Port to listen on; 0 takes any that is free.',
  ),
  workerPort: setting(
    'MILLRACE_WORKER_PORT',
    integer(0, 65_535).nullable().default(null),
    'none',
    'Port on which a process with the role `worker` alone answers `/healthz`, `/readyz` and `/metrics`.',
  ),
  publicUrl: setting(
    'MILLRACE_PUBLIC_URL',
    url('a http or https address', ({ protocol }) => protocol === 'https:' || protocol === 'http:')
      .transform((value) => value.replace(/\/+$/, ''))
      .nullable()
      .default(null),
    'the address it listens on',
    'Address by which clients reach the service, where it stands behind a proxy; the API reference names it.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    url('postgres://user:password@host:port/database', ({ protocol }) => /^postgres(ql)?:$/.test(protocol))
      .nullable()
      .default(null),
    'the embedded PostgreSQL',
    'PostgreSQL server to use. Its user owns the tables and may take the role `millrace_service`, which it creates where it may.',
    { secret: true },
  ),
  databaseConnections: setting(
    'MILLRACE_DATABASE_CONNECTIONS',
    integer(2, 1000).default(20),
    '20',
    'Most connections that one process opens to the database.',
  ),
  blobUrl: setting(
    'BLOB_URL',
    url('file:///folder or s3://bucket/prefix', ({ protocol }) => protocol === 'file:' || protocol === 's3:')
      .nullable()
      .default(null),
    'the folder `blobs` in the data folder',
    'Where originals are stored, encrypted: `file:///folder` or `s3://bucket/prefix?endpoint=…`.',
    { secret: true },
  ),
  encryptionKey: setting(
    'MILLRACE_ENCRYPTION_KEY',
    z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/)
      .transform((hex) => Buffer.from(hex, 'hex'))
      .meta({ expected: '64 hexadecimal digits' })
      .nullable()
      .default(null),
    'generated into the data folder',
    'Key that stored originals and webhook secrets are encrypted with: 64 hexadecimal digits (`openssl rand -hex 32`). Every process needs the same; what was written with a lost key stays unreadable.',
    { secret: true },
  ),
  apiKey: setting(
    'MILLRACE_API_KEY',
    z
      .string()
      .regex(/^[\x21-\x7e]{20,200}$/)
      .meta({ expected: '20 to 200 printable characters without white space' })
      .nullable()
      .default(null),
    'generated, shown once',
    'The first API key, for scripted set-ups; used when the first account is made.',
    { secret: true },
  ),
  adminEmail: setting(
    'MILLRACE_ADMIN_EMAIL',
    z.email().max(254).toLowerCase().meta({ expected: 'an e-mail address' }).default('admin@millrace.local'),
    'admin@millrace.local',
    'Sign-in of the first administrator; used when the first account is made.',
  ),
  adminPassword: setting(
    'MILLRACE_ADMIN_PASSWORD',
    z.string().min(12).max(200).meta({ expected: '12 to 200 characters' }).nullable().default(null),
    'generated, shown once',
    'Password of the first administrator; used when the first account is made.',
    { secret: true },
  ),
  maxFileSizeBytes: setting(
    'MILLRACE_MAX_FILE_SIZE_BYTES',
    integer(1, 1_000_000_000).default(20 * 1024 * 1024),
    '20971520 (20 MB)',
    'Largest file that is accepted.',
  ),
  maxPages: setting('MILLRACE_MAX_PAGES', integer(1, 10_000).default(50), '50', 'Most pages of a document.'),
  maxSyncPages: setting(
    'MILLRACE_MAX_SYNC_PAGES',
    integer(1, 10_000).default(10),
    '10',
    'Most pages of a document that is extracted while the caller waits; longer ones need `async`.',
  ),
  rateLimitPerMinute: setting(
    'MILLRACE_RATE_LIMIT_PER_MINUTE',
    integer(1, 10_000_000).default(60),
    '60',
    'Calls a minute that a key may make, where the key has no limit of its own.',
  ),
  workers: setting(
    'MILLRACE_WORKERS',
    integer(1, 256).default(availableParallelism()),
    'the number of processors',
    'Engine processes, which is how many documents are extracted at once.',
  ),
  pageTimeoutMs: setting(
    'MILLRACE_PAGE_TIMEOUT_MS',
    integer(100, 600_000).default(30_000),
    '30000',
    'Longest time that one page may take, in milliseconds; beyond it the document fails.',
  ),
  workerMemoryBytes: setting(
    'MILLRACE_WORKER_MEMORY_BYTES',
    integer(256 * 1024 * 1024, 1024 ** 4).default(2 * 1024 ** 3),
    '2147483648 (2 GB)',
    'Most memory of one engine process; a document that needs more fails.',
  ),
  allowPrivateWebhooks: setting(
    'MILLRACE_ALLOW_PRIVATE_WEBHOOKS',
    flag.default(false),
    '0',
    'For development alone: 1 lets webhooks go to loopback addresses, and there by plain HTTP.',
  ),
  webhookCaFile: setting(
    'MILLRACE_WEBHOOK_CA_FILE',
    z
      .string()
      .transform((path) => resolve(path))
      .meta({ expected: 'a path' })
      .nullable()
      .default(null),
    'none',
    'File of certificates (PEM) of authorities that webhook receivers may use besides the well-known ones.',
  ),
  logLevel: setting(
    'MILLRACE_LOG_LEVEL',
    z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
      .meta({ expected: 'fatal, error, warn, info, debug or silent' })
      .default('info'),
    'info',
    'Least important log lines that are written.',
  ),
} as const;

type Declarations = typeof settingDeclarations;

/** Every setting, checked, with its default where it is not set. */
export type Settings = { readonly [Key in keyof Declarations]: z.output<Declarations[Key]['schema']> };

/** Names every setting that is wrong, one to a line, without the value of a secret. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/**
 * Reads the settings from environment variables; an empty one counts as unset. `warnings` names what begins with
 * `MILLRACE_` and is no setting. Throws a {@link SettingsError} that names every bad one.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  settings: Settings;
  warnings: readonly string[];
} {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, declaration] of Object.entries(settingDeclarations)) {
    const text = environment[declaration.name]?.trim() || undefined;
    const parsed = declaration.schema.safeParse(text);
    if (parsed.success) values[key] = parsed.data;
    else {
      const given = declaration.secret ? '' : `, not ${JSON.stringify(text?.slice(0, 100))}`;
      problems.push(`${declaration.name} must be ${expectedOf(declaration.schema)}${given}.`);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return { settings: values as Settings, warnings: unknownNames(environment) };
}

/** Where originals are stored, as the blob store takes it. */
export function blobUrlOf(settings: Settings): string {
  return settings.blobUrl ?? pathToFileURL(join(settings.dataDirectory, 'blobs')).href;
}

function expectedOf(schema: z.ZodType): string {
  for (let inner: unknown = schema; inner instanceof z.ZodType; ) {
    const expected = inner.meta()?.expected;
    if (typeof expected === 'string') return expected;
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) inner = inner.unwrap();
    else if (inner instanceof z.ZodPipe) inner = inner.in;
    else break;
  }
  return 'valid';
}

function unknownNames(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(settingDeclarations).map(({ name }) => name);
  return Object.keys(environment)
    .filter((name) => name.startsWith('MILLRACE_') && !known.some((other) => other === name))
    .map((name) => {
      const [nearest] = known.map((other) => ({ other, away: distance(name, other) })).sort((a, b) => a.away - b.away);
      const hint = nearest !== undefined && nearest.away <= 5 ? ` Did you mean ${nearest.other}?` : '';
      return `${name} is no setting.${hint}`;
    });
}

/** Levenshtein distance. */
function distance(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let i = 1; i <= first.length; i++) {
    const next = [i];
    for (let j = 1; j <= second.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (first[i - 1] === second[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[second.length] ?? 0;
}
