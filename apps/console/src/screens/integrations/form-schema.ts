import * as z from 'zod';
import { bodyOf } from '../../frame/api.ts';
import type { Integration, Kind } from './kinds.tsx';

const { name, settings, secret } = bodyOf('createIntegration').shape;

/** What is typed of a kind: its own settings, without the parts that the form leaves out. */
export function formSchemaOf(kind: Kind): z.ZodObject {
  const option = settings.options.find(({ shape }) => shape.kind.value === kind)!;
  const { kind: _kind, ...own } = option.shape as Readonly<Record<string, z.ZodType>>;
  return z.strictObject({
    name,
    settings: z.strictObject(kind === 'email' ? emailShape(own) : own),
    ...(kind !== 'webhook' && { secret }),
  });
}

/** The server is typed once it is asked for. */
function emailShape({ recipients, server, ...others }: Readonly<Record<string, z.ZodType>>) {
  return { recipients: recipients!, ownServer: z.boolean().default(false), server: server!, ...others };
}

/** The settings of an integration as the form takes them. */
export function typedSettings(given: Integration['settings']): object {
  return given.kind === 'email' ? { ...given, ownServer: given.server !== null } : given;
}

/** Settings as the form has them; texts that are left empty are `''` or null. */
export type TypedSettings = Readonly<Record<string, unknown>>;

/** Whether anything in the settings uses a secret. */
export function takesSecret(kind: Kind, typed: TypedSettings): boolean {
  switch (kind) {
    case 'webhook':
      return false;
    case 'email':
      return typed.ownServer === true && Boolean((typed.server as TypedSettings).userName);
    case 'opentelemetry':
      return Boolean(typed.headerName);
    case 'siem':
      return typed.transport === 'tls' && Boolean(typed.clientCertificate);
    default:
      return true;
  }
}

/** The settings as they are sent. */
export function sentSettings(kind: Kind, typed: TypedSettings): Integration['settings'] {
  const { ownServer, ...own } = typed;
  const absent =
    kind === 'email' && ownServer !== true
      ? { server: null }
      : kind === 'siem' && own.transport === 'tcp'
        ? { serverName: null, certificateAuthorities: null, clientCertificate: null }
        : {};
  // The server checks them, and names the field at fault.
  return { kind, ...own, ...absent } as Integration['settings'];
}
