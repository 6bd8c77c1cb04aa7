/** What an API key may do. Safe for browsers. */
export const scopes = ['extract', 'documents:read', 'types'] as const;

export type Scope = (typeof scopes)[number];

/** What each scope is for, as people choose it. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  extract: 'Send documents for extraction, and follow their jobs',
  'documents:read': 'Fetch and export extracted documents, and follow jobs',
  types: 'Define, change and delete document types',
};
