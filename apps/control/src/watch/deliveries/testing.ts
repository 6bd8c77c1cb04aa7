import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, BlockList, createServer, type Server, type Socket } from 'node:net';
import { createSealer } from '@millrace/encryption';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { openTestDatabase, type TestDatabase } from '@millrace/postgres/testing';
import { createKeySealers } from '../../consumers/apps/key-sealers.ts';
import { migrations, schemaName } from '../../database/migrations.ts';
import type { Schema, TenantTransaction } from '../../database/schema.ts';
import { createOutbound } from '../../frame/outbound.ts';
import { IntegrationSettings } from '../integrations/contract.ts';
import {
  findIntegration,
  insertIntegration,
  newIntegrationId,
  type PresentedIntegration,
  secretContext,
} from '../integrations/store.ts';
import { type Deliverer, type DelivererParts, startDeliverer } from './deliverer.ts';
import { listDeliveries } from './store.ts';

/** An organization with integrations on a database of its own, and what delivers for it. */
export interface TestWatch {
  readonly opened: TestDatabase<Schema>;
  readonly organizationId: string;
  /** Of integrations' secrets. */
  readonly encryptionKey: Buffer;
  readonly parts: Omit<DelivererParts, 'onError'> & { onError(error: unknown): void };
  readonly errors: unknown[];
  within<Result>(work: (transaction: TenantTransaction) => Promise<Result>): Promise<Result>;
  addIntegration(settings: object, secret?: string | null): Promise<string>;
  integration(id: string): Promise<PresentedIntegration>;
  deliveries(id: string): ReturnType<typeof listDeliveries>;
  deliver(options?: Partial<DelivererParts>): Deliverer;
  stop(): Promise<void>;
}

export async function startTestWatch(): Promise<TestWatch> {
  const opened = await openTestDatabase<Schema>(migrations, { schema: schemaName });
  const { database } = opened;
  const organizationId = newId('org');
  await database.system
    .insertInto('organizations')
    .values({ id: organizationId, name: 'watching', display_name: 'Watching' })
    .execute();
  const encryptionKey = randomBytes(32);
  const keySealers = createKeySealers(encryptionKey, createSealer([encryptionKey], 'control secrets'));
  const errors: unknown[] = [];
  const parts: DelivererParts = {
    database,
    keySealers,
    outbound: createOutbound({ reachPrivate: true, reachAlso: new BlockList() }),
    platformMail: async () => '250 Accepted',
    publicUrl: () => 'https://console.example',
    conditions: {},
    onError: (error) => errors.push(error),
    timeoutMs: 1_000,
    pollMs: 50,
  };
  const within: TestWatch['within'] = (work) => tenantTransaction(database, organizationId, work);
  return {
    opened,
    organizationId,
    encryptionKey,
    parts,
    errors,
    within,
    addIntegration: (settings, secret = null) =>
      within(async (transaction) => {
        const id = newIntegrationId();
        const sealedSecret =
          secret === null ? null : keySealers(organizationId).seal(Buffer.from(secret), secretContext(id));
        const parsed = IntegrationSettings.parse(settings);
        await insertIntegration(transaction, { id, name: id, settings: parsed, sealedSecret, enabled: true });
        return id;
      }),
    integration: async (id) => (await within((transaction) => findIntegration(transaction, id)))!,
    deliveries: (id) =>
      within((transaction) => listDeliveries(transaction, id, { page: 1, pageSize: 100, sort: 'createdAt' })),
    deliver: (options = {}) => startDeliverer({ ...parts, ...options }),
    stop: () => opened.close(),
  };
}

/** A TCP server on loopback that does with each connection what the function says. */
export async function startTcp(
  onConnection: (socket: Socket) => void,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
