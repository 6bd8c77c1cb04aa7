import type { DashboardRole } from './dashboard-operation.ts';

/** Who calls an operation of the dashboard, as handlers know them. */
export interface DashboardCaller {
  readonly accountId: string;
  readonly userId: string;
  readonly role: DashboardRole;
  readonly sessionId: string;
  /** Aborted when the caller hangs up before the answer. */
  readonly signal: AbortSignal;
}

/** Who calls an operation that takes no session. */
export interface Visitor {
  /** Address of the caller, as the connection or the trusted proxies have it. */
  readonly address: string;
  /** What the browser calls itself, shortened. */
  readonly userAgent: string;
  /** Token of the browser's session cookie, valid or not. */
  readonly sessionToken: string | null;
  /** The `Cookie` header, empty where there is none. */
  readonly cookies: string;
}
