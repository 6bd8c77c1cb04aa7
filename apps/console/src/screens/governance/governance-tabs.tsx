import { SectionLinks } from '@millrace/ui/section-links';

/** Links between the lists of governance. */
export function GovernanceTabs() {
  return (
    <SectionLinks
      label="Sections of governance"
      sections={[
        { to: '/governance', label: 'Scores' },
        { to: '/governance/findings', label: 'Findings' },
        { to: '/governance/standards', label: 'Rules' },
        { to: '/governance/waivers', label: 'Waivers' },
      ]}
    />
  );
}
