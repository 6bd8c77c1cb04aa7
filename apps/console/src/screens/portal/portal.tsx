import { Anchor } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Page } from '@millrace/ui/page';
import { Outlet } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { useSession } from '../../frame/session.tsx';

const sections = [
  { to: '/developer-portal', label: 'Settings', permission: 'portal.read' },
  { to: '/developer-portal/look', label: 'Look', permission: 'portal.read' },
  { to: '/developer-portal/catalog', label: 'Catalog', permission: 'portal.read' },
  { to: '/developer-portal/guides', label: 'Guides', permission: 'portal.read' },
  { to: '/developer-portal/registrations', label: 'Registrations', permission: 'developer.read' },
  { to: '/developer-portal/domains', label: 'Domains', permission: 'portal.read' },
] as const satisfies readonly PermittedSection[];

/** The developer portal of the organization: its header and its sections. */
export function PortalScreen() {
  const settings = useRead('getPortalSettings');
  return (
    <Loaded read={settings}>
      {({ open }) => (
        <Page
          title="Developer portal"
          mark={<Mark tone={open ? 'good' : 'neutral'}>{open ? 'Open' : 'Closed'}</Mark>}
          description="Where developers find, try and subscribe to your API products."
          actions={open && <PortalLink />}
          tabs={<PermittedSections label="Sections of the developer portal" sections={sections} params={{}} />}
        >
          <Outlet />
        </Page>
      )}
    </Loaded>
  );
}

/** Only of the user's own organization: another's name isn't known here. */
function PortalLink() {
  const { organization, organizationId } = useSession();
  if (organization.id !== organizationId) return null;
  return (
    <Anchor href={`/portal/${organization.name}`} target="_blank" rel="noopener" size="sm">
      Open the portal
    </Anchor>
  );
}
