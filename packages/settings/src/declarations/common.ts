import { resolve } from 'node:path';
import { logLevels } from '@millrace/logs';
import { z } from 'zod';
import { integer, setting, url } from '../settings.ts';

/** What every server reads under the same name: data folder, key, first administrator, log. */
export const commonDeclarations = {
  dataDirectory: setting(
    'MILLRACE_DATA_DIR',
    z
      .string()
      .transform((path) => resolve(path))
      .meta({ expected: 'a path' })
      .default(resolve('data')),
    './data',
    'Folder for all data: the embedded database, the stored originals, the generated encryption key.',
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    url('postgres://user:password@host:port/database', ({ protocol }) => /^postgres(ql)?:$/.test(protocol))
      .nullable()
      .default(null),
    'the embedded PostgreSQL',
    'PostgreSQL server to use. Its user owns the tables and must be able to use the role `millrace_service`, which is created if the user may create roles.',
    { secret: true },
  ),
  databaseDirectUrl: setting(
    'MILLRACE_DATABASE_DIRECT_URL',
    url('postgres://user:password@host:port/database', ({ protocol }) => /^postgres(ql)?:$/.test(protocol))
      .nullable()
      .default(null),
    'none: `DATABASE_URL` is the server itself',
    'The PostgreSQL server itself, if `DATABASE_URL` is a pooler in transaction mode, such as PgBouncer. Migrations, backups and restores use it.',
    { secret: true },
  ),
  databaseReplicaUrl: setting(
    'MILLRACE_DATABASE_REPLICA_URL',
    url('postgres://user:password@host:port/database', ({ protocol }) => /^postgres(ql)?:$/.test(protocol))
      .nullable()
      .default(null),
    'none: `DATABASE_URL` answers everything',
    'Streaming replica of the server of `DATABASE_URL`, or a pooler in transaction mode in front of replicas. It answers lists and analytics once it has everything that was committed before the call; if it is behind or away, the primary answers.',
    { secret: true },
  ),
  databaseConnections: setting(
    'MILLRACE_DATABASE_CONNECTIONS',
    integer(2, 1000).default(20),
    '20',
    'Maximum database connections per server.',
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
    'Encryption key for stored originals and secrets: 64 hexadecimal digits (`openssl rand -hex 32`). Every process needs the same key; without it, stored data can’t be read.',
    { secret: true },
  ),
  adminEmail: setting(
    'MILLRACE_ADMIN_EMAIL',
    z.email().max(254).toLowerCase().meta({ expected: 'an e-mail address' }).default('admin@millrace.local'),
    'admin@millrace.local',
    'Sign-in of the first administrator; used at the first start.',
  ),
  adminPassword: setting(
    'MILLRACE_ADMIN_PASSWORD',
    z.string().min(12).max(200).meta({ expected: '12 to 200 characters' }).nullable().default(null),
    'generated, shown once',
    'Password of the first administrator; used at the first start.',
    { secret: true },
  ),
  trustProxy: setting(
    'MILLRACE_TRUST_PROXY',
    integer(0, 10).default(0),
    '0',
    'Number of proxies in front whose `X-Forwarded-For` is trusted; 0 uses the address of the connection.',
  ),
  smtpUrl: setting(
    'MILLRACE_SMTP_URL',
    url(
      'smtp://user:password@host:port or smtps://user:password@host:port',
      ({ protocol, hostname }) => (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '',
    )
      .nullable()
      .default(null),
    '`.eml` files in the folder `mail` of the data folder',
    'SMTP server that sends e-mails: `smtp://user:password@host:587`, or `smtps://…:465` for TLS from the first byte.',
    { secret: true },
  ),
  mailFrom: setting(
    'MILLRACE_MAIL_FROM',
    z
      .string()
      .max(320)
      .regex(/^(?:[^\s<>@"]+@[^\s<>@"]+|[^<>"\p{Cc}]+ <[^\s<>@"]+@[^\s<>@"]+>)$/u)
      .meta({ expected: 'an e-mail address, or a name and an address in angle brackets' })
      .default('millrace@localhost'),
    'millrace@localhost',
    'Sender of e-mails: `millrace@example.com` or `Millrace <millrace@example.com>`.',
  ),
  logLevel: setting(
    'MILLRACE_LOG_LEVEL',
    z.enum(logLevels).meta({ expected: 'fatal, error, warn, info, debug or silent' }).default('info'),
    'info',
    'Least important log lines that are written.',
  ),
} as const;

/** A server's address, under that server's variable names. */
export const listenHost = (name: string) =>
  setting(
    name,
    z.string().max(255).meta({ expected: 'a host name or an address' }).default('127.0.0.1'),
    '127.0.0.1',
    'Address to listen on. The default is reachable only from this machine; `0.0.0.0` listens on every interface: put a TLS proxy in front.',
  );

export const listenPort = (name: string, port: number) =>
  setting(name, integer(0, 65_535).default(port), `${port}`, 'Port to listen on; 0 picks any free port.');

/** Without a trailing slash, null if unset. */
const webAddress = url('a http or https address', ({ protocol }) => protocol === 'https:' || protocol === 'http:')
  .transform((value) => value.replace(/\/+$/, ''))
  .nullable()
  .default(null);

/** Where traces go, of every server that has some. */
export const traceEndpoint = setting(
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  url('a http or https address', ({ protocol }) => protocol === 'https:' || protocol === 'http:')
    .nullable()
    .default(null),
  'none: no traces',
  'OpenTelemetry collector for traces (OTLP over HTTP).',
);

/** Where browsers reach the server itself. */
export const publicUrl = (name: string, description: string) =>
  setting(name, webAddress, 'the address it listens on', description);

/** Where browsers reach the web app of another server. */
export const otherAppUrl = (name: string, app: string) =>
  setting(
    name,
    webAddress,
    'with `npm start`, the address of that app; otherwise none',
    `URL of the ${app}, for the menu at the logo that switches between the apps; without it there is no such menu.`,
  );
