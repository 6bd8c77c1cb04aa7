import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ApiError, fieldError } from '../../frame/errors.ts';
import type { Outbound } from '../../frame/outbound.ts';
import { type IntegrationSettings, notifiableKinds } from './contract.ts';

/** Integrations that an organization may have. */
const mostIntegrations = 100;

/** Failed attempts in a row, or hours of them, after which an integration is shown as failing. */
export const failing = { attempts: 3, hours: 1 };

type IntegrationKind = IntegrationSettings['kind'];

export function isNotifiable(kind: string): boolean {
  return (notifiableKinds as readonly string[]).includes(kind);
}

export function refuseTooMany(present: number): void {
  if (present >= mostIntegrations) {
    throw new ApiError('conflict', {
      message: `An organization can have at most ${mostIntegrations} integrations. Delete one first.`,
    });
  }
}

/** Whether the integration has a secret that people give; a webhook's is generated. */
export function takesSecret(settings: IntegrationSettings): boolean {
  switch (settings.kind) {
    case 'email':
      return settings.server !== null && settings.server.userName !== null;
    case 'slack':
    case 'pagerduty':
      return true;
    case 'webhook':
      return false;
    case 'opentelemetry':
      return settings.headerName !== null;
    case 'siem':
      return settings.clientCertificate !== null;
  }
}

/**
 * Where a stored secret is sent; null if it isn't sent anywhere. Whoever may change an integration but not reveal its
 * secret must not have it sent to a server of their own.
 */
export function secretGoesTo(settings: IntegrationSettings): string | null {
  switch (settings.kind) {
    case 'email': {
      if (settings.server === null) return null;
      const { host, port, security, userName } = settings.server;
      return JSON.stringify([host, port, security, userName]);
    }
    case 'pagerduty':
      return settings.url;
    case 'opentelemetry':
      return JSON.stringify([settings.url, settings.headerName]);
    case 'slack':
    case 'webhook':
    case 'siem':
      return null;
  }
}

/** Rejects settings that nothing could be sent with. */
export function refuseUnusableSettings(settings: IntegrationSettings, outbound: Outbound): void {
  if ('url' in settings) {
    const problem = outbound.urlProblem(settings.url);
    if (problem !== null) throw fieldError('settings.url', problem);
  }
  const hosts: Readonly<Record<string, string | undefined>> = {
    'settings.server.host': settings.kind === 'email' ? settings.server?.host : undefined,
    'settings.host': settings.kind === 'siem' ? settings.host : undefined,
  };
  for (const [field, host] of Object.entries(hosts)) {
    const problem = host === undefined ? null : outbound.targetProblem(host);
    if (problem !== null) throw fieldError(field, `This host isn’t allowed: ${problem}.`);
  }
  if (settings.kind === 'email' && settings.server !== null && settings.server.certificateAuthorities !== null) {
    readCertificate('settings.server.certificateAuthorities', settings.server.certificateAuthorities);
  }
  if (settings.kind !== 'siem') return;
  if (settings.certificateAuthorities !== null) {
    readCertificate('settings.certificateAuthorities', settings.certificateAuthorities);
  }
  if (settings.clientCertificate !== null) readCertificate('settings.clientCertificate', settings.clientCertificate);
}

/**
 * Rejects a secret that the settings can't be used with.
 *
 * @param secret null: there is none
 */
export function refuseUnusableSecret(settings: IntegrationSettings, secret: string | null, outbound: Outbound): void {
  if (!takesSecret(settings)) {
    if (secret === null) return;
    throw fieldError(
      'secret',
      settings.kind === 'webhook'
        ? 'The signing secret is generated. Leave this out.'
        : 'Nothing in these settings uses a secret. Leave this out.',
    );
  }
  if (secret === null) throw fieldError('secret', `Enter the ${secretNames[settings.kind]}.`);
  const problem = secretProblem(settings, secret, outbound);
  if (problem !== null) throw fieldError('secret', problem);
}

const secretNames: Readonly<Record<IntegrationKind, string>> = {
  email: 'password of the mail server',
  slack: 'URL of the incoming webhook',
  pagerduty: 'integration key',
  webhook: 'signing secret',
  opentelemetry: 'value of the header',
  siem: 'private key of the client certificate',
};

function secretProblem(settings: IntegrationSettings, secret: string, outbound: Outbound): string | null {
  switch (settings.kind) {
    case 'slack':
      return outbound.urlProblem(secret);
    case 'pagerduty':
      return /^[A-Za-z0-9]{32}$/.test(secret) ? null : 'An integration key has 32 letters and digits.';
    case 'opentelemetry':
      return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(secret) ? null : 'Use printable ASCII characters.';
    case 'siem':
      return keyProblem(settings.clientCertificate ?? '', secret);
    default:
      return /\p{Cc}/u.test(secret) ? 'Remove control characters.' : null;
  }
}

function keyProblem(certificate: string, key: string): string | null {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? null
      : 'This key belongs to another certificate.';
  } catch {
    return 'This is not a PEM private key without a passphrase.';
  }
}

function readCertificate(field: string, text: string): void {
  try {
    new X509Certificate(text);
  } catch {
    throw fieldError(field, 'This is not a PEM certificate.');
  }
}
