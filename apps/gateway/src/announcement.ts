import type { Settings } from '@millrace/settings/gateway';
import type { Service } from './service.ts';

/** What a started gateway node prints for its users, line by line. */
export function announcement(service: Service, settings: Settings): readonly string[] {
  const { environmentName, ready } = service.state();
  return [
    `Millrace gateway ${ready ? 'is ready' : 'listens'} at ${service.address}${environmentName === null ? '' : ` for ${environmentName}`}`,
    ...(ready ? [] : [`It serves requests once it has its configuration from ${settings.controlUrl}`]),
    ...(settings.tlsFolder === null && (settings.host === '0.0.0.0' || settings.host === '::')
      ? ['It listens on every interface, without TLS.']
      : []),
  ];
}
