import type { AnyOperation } from '@millrace/operations';

/** Every operation of the dashboard that takes a session. Safe for browsers. */
export const signedInOperations = [] as const satisfies readonly AnyOperation[];

/** Every operation of the dashboard that takes none: signing in, and the links of its e-mails. */
export const visitorOperations = [] as const satisfies readonly AnyOperation[];

/** Every operation of the dashboard. */
export const dashboardOperations = [...visitorOperations, ...signedInOperations] as const;
