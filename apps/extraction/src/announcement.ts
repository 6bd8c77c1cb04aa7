import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '@millrace/settings/extraction';
import type { FirstAccount } from './first-account.ts';
import type { Role, Service } from './service.ts';

/** What a service prints once it has started, line by line. */
export function announcement(service: Service, settings: Settings, role: Role): readonly string[] {
  const mail =
    service.inboxPort === null ? [] : [`It accepts mail for ${settings.inboxDomain} on port ${service.inboxPort}.`];
  if (service.address === null || role === 'worker' || role === 'inbox') {
    const work = role === 'inbox' ? 'accepts documents by e-mail' : 'works off jobs';
    return [`Millrace extraction ${work}${service.address === null ? '' : `, ${service.address}/readyz`}`, ...mail];
  }
  return [
    `Millrace extraction is ready at ${service.address}`,
    `Dashboard: ${service.address}/   API reference: ${service.address}/api-docs`,
    ...mail,
    ...(service.firstAccount === null
      ? ['To create an API key: npm run admin -- keys create --name NAME']
      : introduce(service.firstAccount, service.address)),
    ...(settings.host === '0.0.0.0' || settings.host === '::' ? ['It listens on every interface, without TLS.'] : []),
  ];
}

/** Warnings about settings that reduce security, or that have no effect without others. */
export function settingsWarnings(settings: Settings): readonly string[] {
  return [
    ...(settings.allowPrivateWebhooks
      ? ['MILLRACE_ALLOW_PRIVATE_WEBHOOKS allows webhooks to loopback addresses. For development only.']
      : []),
    ...((settings.inboxAuthenticationServer === null) === (settings.inboxRelays.rules.length === 0)
      ? []
      : ['MILLRACE_INBOX_RELAYS and MILLRACE_INBOX_AUTHENTICATION_SERVER have no effect without each other.']),
  ];
}

/** Printed once, at the first start. */
function introduce(account: FirstAccount, address: string): string[] {
  const shown = account.apiKeyPreset ? '$MILLRACE_API_KEY' : account.apiKey;
  return [
    '',
    `Administrator: ${account.email}   password: ${account.password ?? '(from MILLRACE_ADMIN_PASSWORD)'}`,
    `API key: ${account.apiKeyPreset ? '(from MILLRACE_API_KEY)' : `${account.apiKey}   (shown only once)`}`,
    'To get the secret that signs callbacks: npm run admin -- webhooks rotate primary',
    '',
    'Try it:',
    `curl -H "X-API-Key: ${shown}" -F document=@${sampleInvoice()} -F doc_type=invoice ${address}/api/external/v1/extract`,
  ];
}

/** An invoice among the samples, quoted for a shell where it must be. */
function sampleInvoice(): string {
  const folder = resolve(import.meta.dirname, '../../../samples');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(pdf|png|jpe?g)$/.test(name)) : [];
  const name = names.find((candidate) => candidate.includes('invoice')) ?? names[0] ?? 'invoice.pdf';
  const path = resolve(folder, name);
  return /^[\w./-]+$/.test(path) ? path : `"${path.replaceAll(/[\\"$`]/g, '\\$&')}"`;
}
