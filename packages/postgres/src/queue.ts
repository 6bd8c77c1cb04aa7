import { type QueryExecutorProvider, sql } from 'kysely';

/** What a claim on a row of a queue's table is known by. */
export interface Claim {
  readonly id: string;
  /** Goes up with every claim: whoever holds the row's present number holds the claim. */
  readonly attempts: number;
}

export interface QueueOptions<Job extends Claim> {
  /** Statements across accounts. */
  readonly system: QueryExecutorProvider;
  /**
   * A table with its tenant's column, `id`, `state` (`queued`, `processing`, then anything else), `attempts` and `run_at`,
   * which is when a queued row is due and when the lease on a processing row runs out. It needs an index on `run_at`
   * over these two states.
   */
  readonly table: string;
  /** The column that names a row's tenant; with `id` it is the table's key. */
  readonly tenantColumn: 'account_id' | 'organization_id';
  /**
   * Does the work and records its result, in a transaction that moves the row out of `processing` only where
   * `attempts` is still the job's. The signal says that the job is another's by now, or that the queue stops.
   */
  readonly run: (job: Job, signal: AbortSignal) => Promise<void>;
  /** Jobs at once. A function may allow more for a while, as for jobs that wait for somebody else: wake the queue then. */
  readonly concurrency: number | (() => number);
  /** Tenants whose due jobs are left for later, as long as they are named here. None unless given. */
  readonly passedOver?: () => readonly string[];
  /** After this time without a heartbeat a job is another worker's. */
  readonly leaseMs?: number;
  /** The longest pause between two looks at an empty queue, which is also the longest wait for a job queued elsewhere. */
  readonly idleMs?: number;
  /** Told of a failed statement, and of what `run` threw; the job stays claimed and is claimed again after its lease. */
  readonly onError: (error: unknown, job: Job | null) => void;
}

export interface Queue {
  /** Looks at the queue now: call it after a commit that queued something. */
  wake(): void;
  /** Claims no more, waits up to `graceMs` for the jobs under way, aborts the others and puts them back. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts to work off a queue: a table from which `for update skip locked` hands each due row to one worker. A claim
 * is a lease that a heartbeat extends; the job of a worker that was killed is due again when the lease runs out. There
 * is no NOTIFY, which would serialise the commits that queue: an idle worker looks after ever longer pauses.
 */
export function startQueue<Job extends Claim>(options: QueueOptions<Job>): Queue {
  const { system, run, concurrency, passedOver = () => [], leaseMs = 10_000, idleMs = 500, onError } = options;
  const table = sql.table(options.table);
  const tenant = sql.ref(options.tenantColumn);
  const tenantOf = (job: Job) => (job as Job & Readonly<Record<string, unknown>>)[options.tenantColumn];
  const lease = sql`now() + ${leaseMs} * interval '1 millisecond'`;
  const running = new Map<Job, { abort: AbortController; ended: Promise<void> }>();
  const limit = typeof concurrency === 'number' ? () => concurrency : concurrency;
  let stopped = false;
  let pauseMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  const claim = async (count: number): Promise<Job[]> => {
    const left = passedOver();
    const rest = left.length === 0 ? sql`` : sql`and ${tenant} <> all (${left}::text[])`;
    const { rows } = await sql<Job>`
      update ${table} set state = 'processing', attempts = attempts + 1, run_at = ${lease}
      where (${tenant}, id) in (
        select ${tenant}, id from ${table} where state in ('queued', 'processing') and run_at <= now() ${rest}
        order by run_at limit ${count} for update skip locked)
      returning *`.execute(system);
    return rows;
  };

  const heartbeat = setInterval(() => {
    for (const [job, { abort }] of running) {
      sql`update ${table} set run_at = ${lease}
          where ${tenant} = ${tenantOf(job)} and id = ${job.id} and attempts = ${job.attempts} and state = 'processing'`
        .execute(system)
        .then(({ numAffectedRows }) => {
          if (numAffectedRows === 0n && running.has(job)) abort.abort(new Error('another worker holds the job'));
        })
        .catch((error: unknown) => onError(error, null));
    }
  }, leaseMs / 4);

  const start = (job: Job): void => {
    const abort = new AbortController();
    const ended = run(job, abort.signal)
      .catch((error: unknown) => {
        if (!abort.signal.aborted) onError(error, job);
      })
      .finally(() => {
        running.delete(job);
        look();
      });
    running.set(job, { abort, ended });
  };

  const look = (): void => {
    clearTimeout(timer);
    looking = looking.then(async () => {
      const free = limit() - running.size;
      if (stopped || free <= 0) return;
      try {
        const jobs = await claim(free);
        for (const job of jobs) start(job);
        pauseMs = jobs.length > 0 ? 0 : Math.min(idleMs, pauseMs * 2 + 10);
      } catch (error) {
        pauseMs = idleMs;
        onError(error, null);
      }
      clearTimeout(timer);
      if (!stopped) timer = setTimeout(look, pauseMs);
    });
  };
  look();

  return {
    wake: () => {
      pauseMs = 0;
      look();
    },
    stop: async (graceMs) => {
      stopped = true;
      clearTimeout(timer);
      await looking;
      const ended = Promise.all([...running.values()].map((job) => job.ended));
      const grace = AbortSignal.timeout(graceMs);
      await Promise.race([ended, new Promise((done) => grace.addEventListener('abort', done))]);
      const unfinished = [...running];
      for (const [, { abort }] of unfinished) abort.abort(new Error('the worker stops'));
      await ended;
      clearInterval(heartbeat);
      // Their work was interrupted, not failed: the attempt does not count.
      for (const [job] of unfinished) {
        await sql`update ${table} set state = 'queued', attempts = attempts - 1, run_at = now()
          where ${tenant} = ${tenantOf(job)} and id = ${job.id} and attempts = ${job.attempts} and state = 'processing'`
          .execute(system)
          .catch((error: unknown) => onError(error, null));
      }
    },
  };
}
