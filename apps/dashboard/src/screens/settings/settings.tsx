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
import { SendersTab } from './senders-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

const contents = {
  Account: AccountTab,
  Members: MembersTab,
  'Limits and retention': LimitsTab,
  Provider: ProviderTab,
  Inbox: InboxTab,
  Senders: SendersTab,
  Sessions: SessionsTab,
} as const satisfies Record<(typeof settingsSections)[number]['label'], () => ReactNode>;

const links: readonly SectionLink[] = settingsSections.map(({ section, label }) => ({
  to: '/settings/{-$section}',
  params: { section },
  label,
}));

/** The settings of the account and of whoever is signed in, each part at an address of its own. */
export function SettingsScreen() {
  const { section } = useParams({ from: '/shell/settings/{-$section}' });
  const tab = settingsSections.find((candidate) => candidate.section === section);
  if (tab === undefined) return <NotFound />;
  const Content = contents[tab.label];
  return (
    <Page title={section === undefined ? 'Settings' : `Settings: ${tab.label}`}>
      <SectionLinks label="Parts of the settings" sections={links} />
      <Content />
    </Page>
  );
}
