import { NotFound } from '@millrace/ui/error-screens';
import { Page } from '@millrace/ui/page';
import { type SectionLink, SectionLinks } from '@millrace/ui/section-links';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { settingsSections } from '../../frame/settings-sections.ts';
import { AccountTab } from './account-tab.tsx';
import { InboxTab } from './inbox-tab.tsx';
import { LimitsTab } from './limits-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { ProviderTab } from './provider-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';
import { SignInTab } from './sign-in-tab.tsx';
import { SuppliersTab } from './suppliers-tab.tsx';

const contents = {
  Account: AccountTab,
  Members: MembersTab,
  'Limits and retention': LimitsTab,
  Provider: ProviderTab,
  'Sign-in': SignInTab,
  Inbox: InboxTab,
  Suppliers: SuppliersTab,
  Sessions: SessionsTab,
} as const satisfies Record<(typeof settingsSections)[number]['label'], () => ReactNode>;

const links: readonly SectionLink[] = settingsSections.map(({ section, label }) => ({
  to: '/settings/{-$section}',
  params: { section },
  label,
}));

/** The settings of the account and of the signed-in user, each section at its own address. */
export function SettingsScreen() {
  const { section } = useParams({ from: '/shell/settings/{-$section}' });
  const tab = settingsSections.find((candidate) => candidate.section === section);
  if (tab === undefined) return <NotFound />;
  const Content = contents[tab.label];
  return (
    <Page
      title={section === undefined ? 'Settings' : `Settings: ${tab.label}`}
      tabs={<SectionLinks label="Settings" sections={links} />}
    >
      <Content />
    </Page>
  );
}
