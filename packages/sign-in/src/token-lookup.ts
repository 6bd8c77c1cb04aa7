import type { Database, PreparedStatement } from '@millrace/postgres';
import { inBatches } from '@millrace/postgres/batches';

/** What is found by a token's hash. */
export interface Hashed {
  hash: Buffer;
}

/** Bounds what one statement has to find. */
const mostTogether = 100;

/**
 * Finds what belongs to a token, by its hash. The database is asked after each call came, so that what was revoked is
 * revoked at once, on every process; calls that come while it is being asked share the next statement.
 *
 * @param statement takes the hashes as its one parameter
 */
export function lookUpBy<Row extends Hashed>(
  database: Pick<Database<unknown>, 'prepared'>,
  statement: PreparedStatement<Row>,
): (hash: Buffer) => Promise<Row | undefined> {
  return inBatches<Buffer, Row | undefined>({
    groupOf: () => '',
    largest: mostTogether,
    run: async (hashes) => {
      const rows = await database.prepared(statement, [hashes]);
      return hashes.map((hash) => rows.find((row) => hash.equals(row.hash)));
    },
  });
}
