import type { Settings } from '@millrace/settings/control';
import type { DemoSeed, FirstCall } from './demo-seed/demo-seed.ts';
import type { FirstAdministrator } from './first-administrator.ts';
import type { Service } from './service.ts';

/** What a started service prints for its users, line by line. */
export function announcement(service: Service, settings: Settings): readonly string[] {
  return [
    `Millrace API management is ready at ${service.address}`,
    `API reference: ${service.address}/api-docs`,
    ...(service.firstAdministrator === null ? [] : introduce(service.firstAdministrator)),
    ...(service.demoSeed === null ? [] : invite(service.demoSeed, service.address)),
    ...(settings.host === '0.0.0.0' || settings.host === '::' ? ['It listens on every interface, without TLS.'] : []),
  ];
}

/** Shown once, at the first start. */
function introduce({ email, password }: FirstAdministrator): readonly string[] {
  return [`Super Admin: ${email}   password: ${password ?? '(from MILLRACE_ADMIN_PASSWORD)'}`];
}

function invite({ password, people, portal }: DemoSeed, address: string): readonly string[] {
  const width = Math.max(...people.map(({ email }) => email.length));
  return [
    `To look around, sign in as one of these users, all with the password ${password}`,
    ...people.map(({ email, role }) => `  ${email.padEnd(width)}   ${role}`),
    `Developer portal: ${address}${portal.path}   (to sign in: ${portal.email}, the same password)`,
  ];
}

/** How to call the extraction API through the gateway, as published by the demo data. */
export function firstCallAnnouncement(
  { key, basePath, callsPerMinute }: FirstCall,
  gatewayUrl: string,
): readonly string[] {
  const api = `${gatewayUrl}${basePath}`;
  const calls = Array.from({ length: callsPerMinute + 1 }, (_, index) => index + 1).join(' ');
  return [
    `The gateway publishes the extraction API at ${api}, for the app Bookkeeping of the seeded organization.`,
    'Post a document through it, with the key of the app (shown this once):',
    `curl -H "X-API-Key: ${key}" -F document=@samples/invoice-en.pdf -F doc_type=invoice ${api}/extract`,
    `The app may make ${callsPerMinute} calls a minute. To exceed its quota:`,
    `for call in ${calls}; do curl -s -o /dev/null -w '%{http_code}\\n' -H "X-API-Key: ${key}" ${api}/health; done`,
  ];
}
