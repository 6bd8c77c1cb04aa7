import type { Handlers } from '@millrace/operations/server';
import type { signedInOperations, visitorOperations } from '../dashboard-contracts.ts';
import type { ExtractionDatabase } from '../database/schema.ts';
import type { DashboardCaller, Visitor } from './dashboard-caller.ts';

/** What the dashboard's handlers work with. */
export interface DashboardParts {
  readonly database: ExtractionDatabase;
}

/** The handlers of the operations that take a session. */
export function signedInHandlers(_parts: DashboardParts): Handlers<typeof signedInOperations, DashboardCaller> {
  return {};
}

/** The handlers of the operations that take none. */
export function visitorHandlers(_parts: DashboardParts): Handlers<typeof visitorOperations, Visitor> {
  return {};
}
