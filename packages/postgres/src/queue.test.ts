import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { type Kysely, sql } from 'kysely';
import { serviceRole } from './database.ts';
import { type Claim, type Queue, type QueueOptions, startQueue } from './queue.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

interface Schema {
  tasks: { id: string; account_id: string; state: string; attempts: number; run_at: Date };
}

const migrations = {
  tasks: {
    up: async (database: Kysely<unknown>) => {
      await sql`create table tasks (id text primary key, account_id text not null default 'a', attempts int not null default 0,
        state text not null default 'queued', run_at timestamptz not null default now())`.execute(database);
      await sql`grant all on tasks to ${sql.ref(serviceRole)}`.execute(database);
    },
  },
};

describe('queue', () => {
  let opened: TestDatabase<Schema>;
  const queues: Queue[] = [];
  before(async () => {
    opened = await openTestDatabase<Schema>(migrations);
  });
  beforeEach(() => opened.database.system.deleteFrom('tasks').execute());
  after(async () => {
    await Promise.all(queues.map((queue) => queue.stop(0)));
    await opened.close();
  });

  const add = (ids: readonly string[]) =>
    sql`insert into tasks (id) select unnest(${ids}::text[])`.execute(opened.database.system);
  const states = async () => {
    const rows = await opened.database.system
      .selectFrom('tasks')
      .select(['id', 'state', 'attempts'])
      .orderBy('id')
      .execute();
    return rows.map(({ id, state, attempts }) => `${id} ${state} ${attempts}`);
  };
  const finish = async (job: Claim): Promise<boolean> => {
    const { numUpdatedRows } = await opened.database.system
      .updateTable('tasks')
      .set({ state: 'done' })
      .where('id', '=', job.id)
      .where('attempts', '=', job.attempts)
      .where('state', '=', 'processing')
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  };
  const start = (options: Partial<QueueOptions<Claim>> & Pick<QueueOptions<Claim>, 'run'>): Queue => {
    const queue = startQueue<Claim>({
      system: opened.database.system,
      table: 'tasks',
      tenantColumn: 'account_id',
      concurrency: 2,
      idleMs: 50,
      onError: (error) => assert.match(String(error), /expected/),
      ...options,
    });
    queues.push(queue);
    return queue;
  };

  test('each job goes to one of several workers, and concurrency stays within the limit', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `job_${String(index).padStart(2, '0')}`);
    const ran: string[] = [];
    let running = 0;
    const run = async (job: Claim): Promise<void> => {
      ran.push(job.id);
      assert(++running <= 6);
      await sleep(5);
      running--;
      await finish(job);
    };
    const started = [start({ run }), start({ run }), start({ run })];
    await add(ids);
    for (const queue of started) queue.wake();
    await eventually('the jobs', async () => (await states()).every((state) => state.endsWith('done 1')));
    assert.deepEqual(ran.sort(), ids);
    await Promise.all(started.map((queue) => queue.stop(0)));
  });

  test('after the lease, a silent worker’s job goes to another worker, and the first cannot finish it', async () => {
    await add(['job']);
    const { rows } = await sql<Claim>`update tasks set state = 'processing', attempts = 1,
      run_at = now() + interval '100 milliseconds' returning *`.execute(opened.database.system);
    const silent = rows[0];
    assert(silent);
    let finished = false;
    const queue = start({
      run: async (job) => {
        finished = await finish(job);
      },
    });
    await eventually('the jobs', () => finished);
    assert.deepEqual(await states(), ['job done 2']);
    assert.equal(await finish(silent), false);
    await queue.stop(0);
  });

  test('a heartbeat extends a long job’s lease', async () => {
    await add(['job']);
    const leaseMs = 2_000;
    let runs = 0;
    const run = async (job: Claim): Promise<void> => {
      runs++;
      await sleep(leaseMs + 500);
      await finish(job);
    };
    const started = [start({ run, leaseMs }), start({ run, leaseMs })];
    await eventually('the jobs', async () => (await states())[0] === 'job done 1');
    assert.equal(runs, 1);
    await Promise.all(started.map((queue) => queue.stop(0)));
  });

  test('a stop waits for running jobs, then aborts them and puts them back without counting the attempt', async () => {
    await add(['long', 'short']);
    let aborted = false;
    const queue = start({
      run: async (job, signal) => {
        if (job.id === 'short') await sleep(50);
        else {
          await sleep(10_000, undefined, { signal }).catch((error: unknown) => {
            aborted = true;
            throw error;
          });
        }
        await finish(job);
      },
    });
    await eventually('the jobs', async () => (await states()).every((state) => state.endsWith('processing 1')));
    await queue.stop(3_000);
    assert(aborted);
    assert.deepEqual(await states(), ['long queued 0', 'short done 1']);
  });

  test('more may run for a while, and a tenant may be passed over', async () => {
    await sql`insert into tasks (id, account_id, run_at) values ('a1', 'a', now() - interval '3 seconds'),
      ('a2', 'a', now() - interval '2 seconds'), ('b1', 'b', now() - interval '1 second')`.execute(
      opened.database.system,
    );
    const waiting = new Set<string>();
    const answered = Promise.withResolvers<void>();
    const queue = start({
      concurrency: () => 1 + Math.min(waiting.size, 1),
      passedOver: () => (waiting.size > 0 ? ['a'] : []),
      run: async (job) => {
        if (job.id.startsWith('a')) {
          waiting.add(job.id);
          queue.wake();
          await answered.promise;
          waiting.delete(job.id);
        }
        await finish(job);
      },
    });
    await eventually('the jobs', async () => (await states())[2] === 'b1 done 1');
    assert.deepEqual(await states(), ['a1 processing 1', 'a2 queued 0', 'b1 done 1']);
    answered.resolve();
    await eventually('the jobs', async () => (await states()).every((state) => state.endsWith('done 1')));
    await queue.stop(0);
  });

  test('an error thrown by a job is reported, and the job runs again after its lease', async () => {
    await add(['job']);
    const queue = start({
      leaseMs: 2_000,
      run: async (job) => {
        if (job.attempts === 1) throw new Error('expected');
        await finish(job);
      },
    });
    await eventually('the jobs', async () => (await states())[0] === 'job done 2');
    await queue.stop(0);
  });
});
