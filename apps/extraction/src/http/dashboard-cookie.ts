import { writeSessionCookie } from '@millrace/sign-in/browsers';
import { sessionDays } from './dashboard-sessions.ts';

/** The cookie of the dashboard's sessions. */
export function dashboardCookie(secure: boolean) {
  return { name: 'millrace_dashboard', secure } as const;
}

/** What sets the cookie, as the value of `Set-Cookie`; an empty token ends it in the browser. */
export function setDashboardCookie(token: string, secure: boolean): string {
  return writeSessionCookie(dashboardCookie(secure), token, token === '' ? 0 : sessionDays * 24 * 3_600);
}
