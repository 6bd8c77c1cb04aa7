import type { FirstAdministrator } from './first-administrator.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

/** What a started service tells its users, line by line. */
export function announcement(service: Service, settings: Settings): readonly string[] {
  return [
    `Millrace API management is ready at ${service.address}`,
    `API reference: ${service.address}/api-docs`,
    ...(service.firstAdministrator === null ? [] : introduce(service.firstAdministrator)),
    ...(settings.host === '0.0.0.0' || settings.host === '::' ? ['It listens on every interface, without TLS.'] : []),
  ];
}

/** What is shown once, at the first start. */
function introduce({ email, password }: FirstAdministrator): readonly string[] {
  return [`Super Admin: ${email}   password: ${password ?? '(from MILLRACE_ADMIN_PASSWORD)'}`];
}
