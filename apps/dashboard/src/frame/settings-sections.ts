/** The parts of the settings, in their order; the first has no part of the address. */
export const settingsSections = [
  { section: undefined, label: 'Account' },
  { section: 'members', label: 'Members' },
  { section: 'limits', label: 'Limits and retention' },
  { section: 'provider', label: 'Provider' },
  { section: 'inbox', label: 'Inbox' },
  { section: 'senders', label: 'Senders' },
  { section: 'sessions', label: 'Sessions' },
] as const;
