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

/** Every setting of the API management server, in the order of the documentation. */
export const settingDeclarations = {
  host: listenHost('MILLRACE_CONTROL_HOST'),
  port: listenPort('MILLRACE_CONTROL_PORT', 4200),
  publicUrl: publicUrl(
    'MILLRACE_CONTROL_PUBLIC_URL',
    'Address by which people reach the console, where it stands behind a proxy; links in e-mails name it.',
  ),
  trustProxy: setting(
    'MILLRACE_TRUST_PROXY',
    integer(0, 10).default(0),
    '0',
    'Number of proxies in front, whose `X-Forwarded-For` is believed; 0 takes the address of the connection.',
  ),
  ...commonDeclarations,
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
  seed: setting(
    'MILLRACE_SEED',
    flag.default(true),
    '1',
    'Whether the first start fills an empty database with the data for a first look; 0 leaves it empty.',
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
