import type { Integration } from './kinds.tsx';

/** Where an integration sends to, in short. */
export function targetOf(settings: Integration['settings']): string {
  switch (settings.kind) {
    case 'email':
      return settings.recipients.join(', ');
    case 'slack':
      return settings.channel || 'The channel of its webhook';
    case 'siem':
      return `${settings.host}:${settings.port}`;
    default:
      return settings.url;
  }
}
