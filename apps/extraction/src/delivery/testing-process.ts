/** A process that delivers, for tests that kill it: `testing-process.ts DATABASE_URL KEY_HEX TIMEOUT_MS`. */
import { openDatabase } from '@millrace/postgres';
import type { Schema } from '../database/schema.ts';
import { webhookSecretSealer } from '../resources/webhooks/secrets.ts';
import { startDeliverer } from './deliverer.ts';

const [connectionString = '', key = '', timeoutMs = ''] = process.argv.slice(2);
const database = openDatabase<Schema>({ connection: { connectionString }, tenantConnections: 4, systemConnections: 4 });
startDeliverer({
  database,
  sealer: webhookSecretSealer([Buffer.from(key, 'hex')]),
  sending: { allowLoopback: true, timeoutMs: Number(timeoutMs) },
  onAttempt: () => undefined,
  onEndpointsFailed: async () => undefined,
  onError: (error) => console.error(error),
  pollMs: 20,
});
