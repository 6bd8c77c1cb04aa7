import { parseArgs } from 'node:util';
import { loadEncryptionKey } from '@millrace/encryption/key';
import { openDatabase } from '@millrace/postgres';
import { openServer } from '@millrace/postgres/server';
import { readSettings } from '@millrace/settings/control';
import { schemaName } from '../database/migrations.ts';
import type { ControlDatabase, Schema } from '../database/schema.ts';
import { createAuditChain } from '../frame/audit.ts';
import { anchorFile, readAnchors } from '../platform/audit/anchors.ts';
import { type TrailReport, verifyTrails } from '../platform/audit/verify.ts';

const usage = 'npm run audit:verify [-- --organization NAME|ID]';

/** What is wrong with the command line. */
class UsageError extends Error {}

/**
 * `npm run audit:verify`: verifies the audit trail of every organization, or of one, in the database of the settings,
 * beside the running service or without it. Reports the first bad entry of each trail. Exits with 0 if all are genuine,
 * 1 if one is not, and 2 for a wrong command line.
 */
async function main(): Promise<void> {
  const { organization } = readArguments();
  const { settings } = readSettings(process.env);
  await using started = new AsyncDisposableStack();
  const server = await openServer({ ...settings, join: true });
  started.defer(() => server.stop());
  const database: ControlDatabase = openDatabase<Schema>({
    connection: server.service,
    isPooled: server.isPooled ?? false,
    schema: schemaName,
    systemConnections: 1,
    tenantConnections: 1,
  });
  started.defer(() => database.close());

  const names = await organizationNames(database);
  const organizationId = organization === undefined ? null : findOrganization(names, organization);
  const chain = createAuditChain(loadEncryptionKey(settings));
  const anchors = await readAnchors(chain, anchorFile(settings.dataDirectory), organizationId);
  const startMs = performance.now();
  const reports = await database.system
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) => verifyTrails(transaction, chain, anchors, organizationId));
  const seconds = (performance.now() - startMs) / 1_000;
  for (const report of reports) console.log(describe(names.get(report.organizationId), report));
  const checked = reports.reduce((sum, report) => sum + report.checked, 0);
  const bad = reports.filter(({ verified }) => !verified).length;
  const rate = Math.round(checked / seconds).toLocaleString('en');
  console.log(
    `${checked.toLocaleString('en')} entries of ${reports.length} trails in ${seconds.toFixed(1)} s (${rate} a second): ${bad === 0 ? 'all genuine' : `${bad} trails NOT genuine`}.`,
  );
  if (bad > 0) process.exitCode = 1;
}

function readArguments(): { readonly organization?: string } {
  try {
    return parseArgs({ options: { organization: { type: 'string' } } }).values;
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${error.message}\n${usage}`) : error;
  }
}

/** Names by id. */
async function organizationNames(database: ControlDatabase): Promise<ReadonlyMap<string, string>> {
  const rows = await database.system.selectFrom('organizations').select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function findOrganization(names: ReadonlyMap<string, string>, wanted: string): string {
  for (const [id, name] of names) if (id === wanted || name === wanted) return id;
  throw new UsageError(`Organization ${wanted} not found.\n${usage}`);
}

function describe(name: string | undefined, report: TrailReport): string {
  const { organizationId, checked, firstBadEntry, problem } = report;
  const who = name === undefined ? organizationId : `${name} (${organizationId})`;
  if (report.verified) return `${who}: ${checked.toLocaleString('en')} entries, genuine to the end`;
  const first = firstBadEntry && `first bad entry ${firstBadEntry.sequence} (${firstBadEntry.id ?? 'missing'}). `;
  return `${who}: NOT GENUINE, ${first ?? ''}${problem}`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
