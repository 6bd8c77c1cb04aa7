import { SectionLinks } from '@millrace/ui/section-links';

const sections = [
  { to: '/integrations', label: 'Integrations' },
  { to: '/integrations/events', label: 'Events' },
] as const;

/** Who is notified, and of what. */
export function IntegrationTabs() {
  return <SectionLinks label="Sections of integrations" sections={sections} />;
}
