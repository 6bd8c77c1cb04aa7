import { PageLinks } from '@millrace/ui/page-links';

const links = [
  { to: '/governance', label: 'Scores' },
  { to: '/governance/findings', label: 'Findings' },
  { to: '/governance/standards', label: 'Rules' },
  { to: '/governance/waivers', label: 'Waivers' },
] as const;

export function GovernanceLinks() {
  return <PageLinks label="Parts of governance" links={links} />;
}
