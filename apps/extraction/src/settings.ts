import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type Declarations,
  flag,
  integer,
  readSettings as readDeclared,
  type SettingsOf,
  setting,
  url,
} from '@millrace/settings';
import { commonDeclarations, listenHost, listenPort, publicUrl } from '@millrace/settings/declarations';
import { z } from 'zod';

/** Every setting of the extraction service, in the order of the documentation. */
export const settingDeclarations = {
  host: listenHost('MILLRACE_EXTRACTION_HOST'),
  port: listenPort('MILLRACE_EXTRACTION_PORT', 4100),
  workerPort: setting(
    'MILLRACE_WORKER_PORT',
    integer(0, 65_535).nullable().default(null),
    'none',
    'Port on which a process with the role `worker` alone answers `/healthz`, `/readyz` and `/metrics`.',
  ),
  publicUrl: publicUrl(
    'MILLRACE_PUBLIC_URL',
    'Address by which clients reach the service, where it stands behind a proxy; the API reference names it.',
  ),
  ...commonDeclarations,
  blobUrl: setting(
    'BLOB_URL',
    url('file:///folder or s3://bucket/prefix', ({ protocol }) => protocol === 'file:' || protocol === 's3:')
      .nullable()
      .default(null),
    'the folder `blobs` in the data folder',
    'Where originals are stored, encrypted: `file:///folder` or `s3://bucket/prefix?endpoint=…`.',
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
} as const;

/** Every setting, checked, with its default where it is not set. */
export type Settings = SettingsOf<typeof settingDeclarations>;

/**
 * Reads the settings from environment variables; `warnings` names what begins with `MILLRACE_` and is no setting.
 *
 * @param others what further servers read from the same environment.
 * @throws SettingsError that names every bad one
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  others: readonly Declarations[] = [],
): { settings: Settings; warnings: readonly string[] } {
  return readDeclared(settingDeclarations, environment, others);
}

/** Where originals are stored, as the blob store takes it. */
export function blobUrlOf(settings: Settings): string {
  return settings.blobUrl ?? pathToFileURL(join(settings.dataDirectory, 'blobs')).href;
}
