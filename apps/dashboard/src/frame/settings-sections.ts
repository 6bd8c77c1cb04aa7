/** The sections of the settings, in their order; the first one is at `/settings` itself. */
export const settingsSections = [
  { section: undefined, label: 'Account' },
  { section: 'members', label: 'Members' },
  { section: 'limits', label: 'Limits and retention' },
  { section: 'provider', label: 'Provider' },
  { section: 'sign-in', label: 'Sign-in' },
  { section: 'inbox', label: 'Inbox' },
  { section: 'suppliers', label: 'Suppliers' },
  { section: 'sessions', label: 'Sessions' },
] as const;
