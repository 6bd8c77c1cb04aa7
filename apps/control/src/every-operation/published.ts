import assert from 'node:assert/strict';
import { createSealer } from '@millrace/encryption';
import { tenantTransaction } from '@millrace/postgres';
import { contentHash } from '@millrace/revision/hash';
import { sql } from 'kysely';
import { type Consumers, publishedConsumers, storedConsumers } from '../consumers/products/testing.ts';
import type { TenantTransaction } from '../database/schema.ts';
import { createSnapshotSigner } from '../delivery/configuration/signing.ts';
import { compileSnapshot } from '../delivery/configuration/snapshot.ts';
import { loadContent } from '../design/proxies/content.ts';
import { collectEvents, dropEvents } from '../frame/events.ts';
import type { TestControl } from '../testing.ts';

/**
 * Holds what follows from an organization's rows against the rows, whatever wrote them: the consumers and configurations
 * that gateway nodes get, and the recorded content of every working copy.
 */
export async function assertPublished(control: TestControl, organizationId: string): Promise<void> {
  assert.deepEqual(
    withoutKeys(await publishedConsumers(control, organizationId)),
    withoutKeys(await storedConsumers(control, organizationId)),
    'gateway nodes get other consumers than there are: a store emits no consumerChanged',
  );
  for (const { id, published, compiled } of await compileAll(control, organizationId)) {
    assert.deepEqual(published, compiled, `nodes of ${id} get another configuration: a store emits no event`);
  }
  for (const { id, recorded, actual } of await hashAll(control, organizationId)) {
    assert.equal(
      recorded,
      actual,
      `the working copy of ${id} has another content: a store emits no proxyContentChanged`,
    );
  }
}

/** Copies of an organization have keys of their own, of which the copied changes know nothing. */
function withoutKeys(consumers: Consumers): Consumers {
  return Object.fromEntries(
    Object.entries(consumers).map(([name, value]) => [
      name,
      { ...(value as object), keyHash: undefined, previousKeyHash: undefined },
    ]),
  );
}

/** What is published of each environment, and what its rows compile to now; the latter is undone. */
async function compileAll(control: TestControl, organizationId: string) {
  const { database } = control.opened;
  const parts = {
    sealer: createSealer([control.encryptionKey], 'control secrets'),
    signer: createSnapshotSigner(control.encryptionKey),
  };
  const results: { id: string; published: unknown; compiled: unknown }[] = [];
  const undone = new Error('undone');
  const work = tenantTransaction(database, organizationId, (transaction) =>
    collectEvents(transaction, async () => {
      for (const { id } of await rowsOf(transaction, 'environments')) {
        const published = await newestManifest(transaction, id);
        await compileSnapshot(transaction, parts, id);
        results.push({ id, published, compiled: await newestManifest(transaction, id) });
      }
      dropEvents(transaction);
      throw undone;
    }),
  );
  await assert.rejects(work, undone);
  return results;
}

/** The newest configuration, without its number and the hash of secrets, which a copied organization masks otherwise. */
async function newestManifest(transaction: TenantTransaction, environmentId: string): Promise<unknown> {
  const { rows } = await sql<{ content: string }>`
    select content from configuration_snapshots
    where organization_id = ${transaction.tenantId} and environment_id = ${environmentId}
    order by sequence desc limit 1`.execute(transaction);
  if (rows[0] === undefined) return null;
  const { sequence: _, secretsHash: __, ...manifest } = JSON.parse(rows[0].content);
  return manifest;
}

/** The recorded content hash of every proxy, by its id. */
export async function contentHashes(
  { opened }: TestControl,
  organizationId: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; content_hash: string }>`
    select id, content_hash from proxies
    where organization_id = ${organizationId} and deleted_at is null`.execute(opened.database.system);
  return new Map(rows.map(({ id, content_hash }) => [id, content_hash]));
}

async function hashAll({ opened }: TestControl, organizationId: string) {
  return tenantTransaction(
    opened.database,
    organizationId,
    async (transaction) => {
      const hashes: { id: string; recorded: string; actual: string }[] = [];
      for (const { id, content_hash: recorded } of await rowsOf(transaction, 'proxies')) {
        hashes.push({ id, recorded, actual: contentHash(await loadContent(transaction, id)) });
      }
      return hashes;
    },
    { access: 'read only' },
  );
}

async function rowsOf(transaction: TenantTransaction, table: 'environments' | 'proxies') {
  const kept = table === 'proxies' ? sql`deleted_at is null` : sql`true`;
  const { rows } = await sql<{ id: string; content_hash: string }>`
    select * from ${sql.table(table)} where organization_id = ${transaction.tenantId} and ${kept}`.execute(transaction);
  return rows;
}
