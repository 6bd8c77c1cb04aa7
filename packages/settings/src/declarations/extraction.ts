import { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { addressesWithPorts, flag, integer, networks, setting, url } from '../settings.ts';
import { commonDeclarations, listenHost, listenPort, otherAppUrl, publicUrl, traceEndpoint } from './common.ts';
import { providerDeclarations } from './provider.ts';

/** The path of a file, from the working folder where it is relative; null where it is unset. */
const filePath = z
  .string()
  .transform((path) => resolve(path))
  .meta({ expected: 'a path' })
  .nullable()
  .default(null);

const scriptLanguage = z.enum(['he', 'ar', 'ja']);

const scriptLanguages = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim().toLowerCase()))
  .pipe(z.array(scriptLanguage))
  .meta({ expected: 'he, ar or ja, or several of them separated by commas' });

/** Every setting of the extraction service, in the order of the documentation. */
export const extractionDeclarations = {
  host: listenHost('MILLRACE_EXTRACTION_HOST'),
  port: listenPort('MILLRACE_EXTRACTION_PORT', 4100),
  workerPort: setting(
    'MILLRACE_WORKER_PORT',
    integer(0, 65_535).nullable().default(null),
    'none',
    'Port on which a process that only has the role `worker` or `inbox` serves `/healthz`, `/readyz` and `/metrics`.',
  ),
  publicUrl: publicUrl(
    'MILLRACE_PUBLIC_URL',
    'Public URL of the dashboard and the API. Required behind a proxy, or to use a host name: browsers can only write from this address, and links in e-mails and the API reference start with it. Without it, the dashboard works at an IP address or `localhost`. With `https:`, cookies are limited to TLS and browsers are required to use TLS (HSTS).',
  ),
  consoleUrl: otherAppUrl('MILLRACE_CONSOLE_URL', 'console'),
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
    'The first API key, for scripted setups; used when the first account is created.',
    { secret: true },
  ),
  maxFileSizeBytes: setting(
    'MILLRACE_MAX_FILE_SIZE_BYTES',
    integer(1, 1_000_000_000).default(20 * 1024 * 1024),
    '20971520 (20 MB)',
    'Maximum file size.',
  ),
  maxPages: setting('MILLRACE_MAX_PAGES', integer(1, 10_000).default(50), '50', 'Maximum pages per document.'),
  maxSyncPages: setting(
    'MILLRACE_MAX_SYNC_PAGES',
    integer(1, 10_000).default(10),
    '10',
    'Maximum pages of a synchronous call; longer documents need `async`.',
  ),
  rateLimitPerMinute: setting(
    'MILLRACE_RATE_LIMIT_PER_MINUTE',
    integer(1, 10_000_000).default(60),
    '60',
    'Calls per minute and key, for keys without their own limit.',
  ),
  workers: setting(
    'MILLRACE_WORKERS',
    integer(1, 256).default(availableParallelism()),
    'the number of processors',
    'Engine processes: how many documents are extracted in parallel.',
  ),
  pageCpuMs: setting(
    'MILLRACE_PAGE_CPU_MS',
    integer(100, 600_000).default(30_000),
    '30000',
    'Maximum processor time per page, in milliseconds; beyond it the document fails.',
  ),
  pageTimeoutMs: setting(
    'MILLRACE_PAGE_TIMEOUT_MS',
    integer(100, 3_600_000).default(300_000),
    '300000 (5 minutes)',
    'Maximum time per page, in milliseconds, however busy the machine is; ends what hangs.',
  ),
  scriptLanguages: setting(
    'MILLRACE_OCR_LANGUAGES',
    scriptLanguages.default([]),
    'none',
    'Languages in other scripts that scans and photos may be in, separated by commas: `he` (Hebrew), `ar` (Arabic), `ja` (Japanese). Each page that may be in one of them costs another pass. Latin letters and Chinese are always read.',
  ),
  workerMemoryBytes: setting(
    'MILLRACE_WORKER_MEMORY_BYTES',
    integer(256 * 1024 * 1024, 1024 ** 4).default(2 * 1024 ** 3),
    '2147483648 (2 GB)',
    'Maximum memory of an engine process; a document that needs more fails.',
  ),
  allowPrivateWebhooks: setting(
    'MILLRACE_ALLOW_PRIVATE_WEBHOOKS',
    flag.default(false),
    '0',
    'For development only: 1 allows webhooks to loopback addresses, also over plain HTTP.',
  ),
  allowPrivateIdentityProviders: setting(
    'MILLRACE_ALLOW_PRIVATE_IDENTITY_PROVIDERS',
    flag.default(false),
    '0',
    '1 allows identity providers at loopback and private addresses, also over plain HTTP.',
  ),
  dnsServers: setting(
    'MILLRACE_DNS_SERVERS',
    addressesWithPorts.default([]),
    'those of the machine',
    'Comma-separated addresses of the DNS servers that verify e-mail domains, such as `192.0.2.53` or `192.0.2.53:5353`.',
  ),
  webhookCaFile: setting(
    'MILLRACE_WEBHOOK_CA_FILE',
    filePath,
    'none',
    'PEM file of certificate authorities that webhook receivers may use in addition to the public ones.',
  ),
  inboxPort: setting(
    'MILLRACE_INBOX_PORT',
    z
      .union([z.literal('off').transform(() => null), integer(0, 65_535)])
      .default(4125)
      .meta({ expected: 'a port from 0 to 65535, or off' }),
    '4125',
    'Port for documents by e-mail (SMTP); 0 picks any free port, `off` turns the inbox off.',
  ),
  inboxHost: setting(
    'MILLRACE_INBOX_HOST',
    z.string().max(255).meta({ expected: 'a host name or an address' }).default('127.0.0.1'),
    '127.0.0.1',
    'Address to accept mail on. The default is reachable only from this machine; `0.0.0.0` listens on every interface.',
  ),
  inboxDomain: setting(
    'MILLRACE_INBOX_DOMAIN',
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/)
      .max(253)
      .meta({ expected: 'a domain' })
      .default('inbox.localhost'),
    '`inbox.localhost`',
    'Domain of the inboxes’ addresses, `<token>@<domain>`; mail for any other is rejected.',
  ),
  inboxCertificateFile: setting(
    'MILLRACE_INBOX_CERTIFICATE_FILE',
    filePath,
    'none: no STARTTLS',
    'Certificate (PEM) for STARTTLS, followed by its chain; reloaded when it changes.',
  ),
  inboxKeyFile: setting('MILLRACE_INBOX_KEY_FILE', filePath, 'none', 'Private key (PEM) of that certificate.'),
  inboxRelays: setting(
    'MILLRACE_INBOX_RELAYS',
    networks
      .meta({ expected: 'addresses or networks between commas, such as 10.0.0.4,10.1.0.0/16' })
      .default(new BlockList()),
    'none',
    'Comma-separated addresses of mail relays whose sender authentication is trusted.',
  ),
  inboxAuthenticationServer: setting(
    'MILLRACE_INBOX_AUTHENTICATION_SERVER',
    z.string().max(253).meta({ expected: 'a name' }).nullable().default(null),
    'none',
    'Name that these relays use in their `Authentication-Results` header; without it no sender is authenticated, and nobody gets replies by mail.',
  ),
  inboxMaxMessageSizeBytes: setting(
    'MILLRACE_INBOX_MAX_MESSAGE_SIZE_BYTES',
    integer(10_000, 1_000_000_000).default(35 * 1024 * 1024),
    '36700160 (35 MB)',
    'Maximum message size; files in a message are a third larger than on disk.',
  ),
  inboxMaxFiles: setting(
    'MILLRACE_INBOX_MAX_FILES',
    integer(1, 500).default(50),
    '50',
    'Maximum documents per message.',
  ),
  inboxMessagesPerHour: setting(
    'MILLRACE_INBOX_MESSAGES_PER_HOUR',
    integer(1, 1_000_000).default(500),
    '500',
    'Maximum messages per hour and account; senders of further ones are asked to try later.',
  ),
  traceEndpoint,
  tracePercent: setting(
    'MILLRACE_EXTRACTION_TRACE_PERCENT',
    integer(0, 100).default(1),
    '1',
    'Percentage of requests to trace, with their jobs and webhooks, among those without a trusted trace.',
  ),
  traceCallers: setting(
    'MILLRACE_EXTRACTION_TRACE_CALLERS',
    flag.default(false),
    '0',
    'Whether to trust the `traceparent` of any caller, not only behind `MILLRACE_TRUST_PROXY`.',
  ),
  ...providerDeclarations,
} as const;
