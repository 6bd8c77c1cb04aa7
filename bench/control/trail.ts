import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadEncryptionKey } from '@millrace/encryption/key';
import type pg from 'pg';
import { chainStart, createAuditChain, type HashedRow } from '../../apps/control/src/frame/audit.ts';
import { readSettings } from '../../packages/settings/src/control.ts';

const batchSize = 5_000;

/** Gives an organization that has none a genuine audit trail of so many entries, as the service would have chained it. */
export async function fillTrail(
  client: pg.Client,
  environment: NodeJS.ProcessEnv,
  organizationId: string,
  count: number,
): Promise<void> {
  const chain = createAuditChain(loadEncryptionKey(readSettings(environment).settings));
  let hash: Uint8Array = chainStart;
  for (let first = 1; first <= count; first += batchSize) {
    const rows: unknown[][] = [];
    for (let sequence = first; sequence < first + batchSize && sequence <= count; sequence++) {
      const row = entry(organizationId, sequence);
      hash = chain.rowHash(hash, row);
      rows.push([...row, hash]);
    }
    const columns = rows[0]!.map((_, index) => rows.map((row) => row[index]));
    await client.query(
      `insert into audit_entries select * from unnest($1::text[], $2::bigint[], $3::text[], $4::timestamptz[], $5::text[],
         $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
         $15::text[], $16::text[], $17::text[], $18::json[], $19::bytea[])`,
      columns,
    );
  }
  await client.query('insert into audit_heads values ($1, $2, $3, $4)', [
    organizationId,
    count,
    hash,
    chain.headSeal(organizationId, String(count), hash),
  ]);
}

function entry(organizationId: string, sequence: number): HashedRow {
  return [
    organizationId,
    String(sequence),
    `aud_trail_${sequence}`,
    new Date(Date.UTC(2026, 0, 1) + sequence * 20_000).toISOString(),
    'user',
    'usr_bench',
    'Ada Example',
    'updateRoute',
    'route',
    `rte_${sequence % 20_000}`,
    'configuration',
    'low',
    'done',
    '192.0.2.1',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    `req_${sequence}`,
    '',
    '[{"path":"timeoutMs","before":1000,"after":2000},{"path":"summary","before":"List the orders","after":"List all orders"}]',
  ];
}

/** What `npm run audit:verify` says of the organization's trail: entries a second. @throws Error where it is not genuine */
export async function verifyTrail(environment: NodeJS.ProcessEnv, organizationId: string): Promise<string> {
  const command = join(import.meta.dirname, '../../apps/control/src/audit-verify/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [command, '--organization', organizationId], {
    env: environment,
  });
  const rate = /\(([\d,]+) a second\): all genuine/.exec(stdout)?.[1];
  if (rate === undefined) throw new Error(`The trail was not verified: ${stdout}`);
  return rate;
}
