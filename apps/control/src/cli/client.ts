import type { Client } from '@millrace/operations/client';
import { createControlClient } from '../client.ts';
import { authOperations } from '../identity/auth/contract.ts';
import { declarativeOperations } from '../platform/declarative/contract.ts';

/** What the commands call: a command should not wait until all of the management API's schemas are loaded. */
const operations = [...authOperations, ...declarativeOperations] as const;

export type CliClient = Client<typeof operations>;

/** A client for the commands at this address, with a header that contains the credential. */
export function createCliClient(baseUrl: string, headers: Readonly<Record<string, string>> = {}): CliClient {
  return createControlClient(operations, { baseUrl, headers });
}
