import type { Client } from '@millrace/operations/client';
import { createControlClient } from '../client.ts';
import { operations } from '../contracts.ts';

/** The management API, a method for each operation. */
export type ControlClient = Client<typeof operations>;

export function createSeedClient(options: Parameters<typeof createControlClient>[1]): ControlClient {
  return createControlClient(operations, options);
}
