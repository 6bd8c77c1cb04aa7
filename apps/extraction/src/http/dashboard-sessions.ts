import { type SessionTable, sessionsIn } from '@millrace/sign-in/sessions';

/** However much it is used, a session ends after so long. */
export const sessionDays = 14;

const table: SessionTable = {
  sessions: 'sessions',
  users: 'users',
  tenantColumn: 'account_id',
  addressColumn: 'address',
  endColumn: 'expires_at',
  days: sessionDays,
  idleHours: 12,
  rotation: { due: "s.rotated_at < now() - interval '1 hour'", done: 'rotated_at = now()', graceSeconds: 30 },
};

/** The sessions of the dashboard. */
export const sessions = sessionsIn(table);
