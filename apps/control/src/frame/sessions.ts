import { type SessionTable, sessionsIn } from '@millrace/sign-in/sessions';

/** However much it is used, a session ends after so long. */
export const sessionDays = 7;

const table: SessionTable = {
  sessions: 'sessions',
  users: 'users',
  tenantColumn: 'organization_id',
  addressColumn: 'ip',
  endColumn: 'absolute_expires_at',
  days: sessionDays,
  idleHours: 12,
  // Due once the user's rights have changed.
  rotation: { due: 's.rotate', done: 'rotate = false', graceSeconds: 60 },
};

/** The sessions of the console. */
export const sessions = sessionsIn(table);

/** The sessions of the developer portal, which are worth nothing in the console, nor its in the portal. */
export const portalSessions = sessionsIn({ ...table, sessions: 'portal_sessions', users: 'portal_users' });
