import { NotFound } from '@millrace/ui/error-screens';
import { Page } from '@millrace/ui/page';
import { type SectionLink, SectionLinks } from '@millrace/ui/section-links';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AccountTab } from './account-tab.tsx';
import { InboxTab } from './inbox-tab.tsx';
import { LimitsTab } from './limits-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { ProviderTab } from './provider-tab.tsx';
import { SendersTab } from './senders-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

interface Tab {
  /** In the address; none for the first. */
  readonly section: string | undefined;
  readonly label: string;
  readonly content: () => ReactNode;
}

const tabs: readonly Tab[] = [
  { section: undefined, label: 'Account', content: AccountTab },
  { section: 'members', label: 'Members', content: MembersTab },
  { section: 'limits', label: 'Limits and retention', content: LimitsTab },
  { section: 'provider', label: 'Provider', content: ProviderTab },
  { section: 'inbox', label: 'Inbox', content: InboxTab },
  { section: 'senders', label: 'Senders', content: SendersTab },
  { section: 'sessions', label: 'Sessions', content: SessionsTab },
];

const links: readonly SectionLink[] = tabs.map(({ section, label }) => ({
  to: '/settings/{-$section}',
  params: { section },
  label,
}));

/** The settings of the account and of whoever is signed in, each part at an address of its own. */
export function SettingsScreen() {
  const { section } = useParams({ from: '/shell/settings/{-$section}' });
  const tab = tabs.find((candidate) => candidate.section === section);
  if (tab === undefined) return <NotFound />;
  const Content = tab.content;
  return (
    <Page title={section === undefined ? 'Settings' : `Settings: ${tab.label}`}>
      <SectionLinks label="Parts of the settings" sections={links} />
      <Content />
    </Page>
  );
}
