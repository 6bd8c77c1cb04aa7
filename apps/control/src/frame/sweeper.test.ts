import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sql } from 'kysely';
import { startTestControl, type TestControl } from '../testing.ts';
import { startSweeper, sweep } from './sweeper.ts';

describe('the sweeper', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  /** Rows of these ages in all three tables; the ids identify what is left in each. */
  const fill = async (ids: string, days: number) => {
    const { system } = control.opened.database;
    const { organizationId, userId } = await control.addUser(await control.addOrganization(), ['developer']);
    const at = sql`now() - ${days} * interval '1 day'`;
    const each = sql`unnest(${`{${ids}}`}::text[]) as id`;
    await sql`insert into password_resets (id, organization_id, user_id, token_hash, expires_at)
      select id, ${organizationId}, ${userId}, sha256(id::bytea), ${at} from ${each}`.execute(system);
    await sql`insert into outbox (id, organization_id, kind, sealed_payload, state, run_at)
      select id, ${organizationId}, 'mail', '', case when id like 'failed%' then 'failed' else 'done' end, ${at} from ${each}`.execute(
      system,
    );
    await sql`insert into idempotency_keys (organization_id, caller_id, key, operation, request_hash, created_at)
      select ${organizationId}, ${userId}, id, 'createProxy', '', ${at} from ${each}`.execute(system);
  };
  const left = async (table: string, column: string) => {
    const { rows } = await sql<{
      id: string;
    }>`select ${sql.ref(column)} as id from ${sql.table(table)} order by 1`.execute(control.opened.database.system);
    return rows.map(({ id }) => id);
  };

  const leftInAll = async () => [
    await left('password_resets', 'id'),
    await left('outbox', 'id'),
    await left('idempotency_keys', 'key'),
  ];

  test('deletes what has expired, in any organization, and nothing else', async () => {
    await fill('failed-8', 8);
    await fill('done-8', 8);
    await fill('done-6', 6);
    await fill('new', 0);
    await fill('future', -1);
    // The service sweeps as well when it starts, and may take some of it.
    const swept = await sweep(control.opened.database);
    assert.ok(swept <= 3 + 1 + 3, `${swept}`);
    await eventually('the end of both', async () => (await leftInAll()).flat().length <= 8);
    assert.deepEqual(await leftInAll(), [
      ['future', 'new'],
      ['done-6', 'failed-8', 'future', 'new'],
      ['future', 'new'],
    ]);
    const counts: number[] = [];
    for (let attempt = 0; attempt < 5 && counts.at(-1) !== 3; attempt++) {
      await fill(`done-again-${attempt}`, 8);
      counts.push(await sweep(control.opened.database));
    }
    assert.equal(counts.at(-1), 3);
    assert.equal(await sweep(control.opened.database), 0);
  });

  test('processes more than a batch, and repeats at intervals until it is stopped', async () => {
    await fill(Array.from({ length: 1_001 }, (_, index) => `old-${index}`).join(','), 9);
    const failures: unknown[] = [];
    const sweeper = startSweeper({
      database: control.opened.database,
      intervalMs: 5,
      onError: (error) => failures.push(error),
    });
    await fill('late', 9);
    // A round may be between two tables when the rows come: all of them are waited for.
    await eventually('every table', async () => !(await leftInAll()).flat().some((name) => /old|late/.test(name)));
    await sweeper.stop();
    assert.deepEqual(failures, []);
    assert.deepEqual(await left('password_resets', 'id'), ['future', 'new']);
  });
});
