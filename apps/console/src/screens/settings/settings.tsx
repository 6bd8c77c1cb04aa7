import { Page } from '@millrace/ui/page';
import { Outlet } from '@tanstack/react-router';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';

const sections = [
  { to: '/settings', label: 'General', permission: 'organization.read' },
  { to: '/settings/billing', label: 'Billing', permission: 'billing.read' },
  { to: '/settings/sign-in', label: 'Sign-in', permission: 'identity-provider.read' },
] as const satisfies readonly PermittedSection[];

/** The settings of the organization: its header and its sections. */
export function SettingsScreen() {
  return (
    <Page
      title="Settings"
      tabs={<PermittedSections label="Sections of the settings" sections={sections} params={{}} />}
    >
      <Outlet />
    </Page>
  );
}
