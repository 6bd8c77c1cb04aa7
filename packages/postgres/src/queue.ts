import { type QueryExecutorProvider, sql } from 'kysely';

/** What identifies a claim on a row of a queue's table. */
export interface Claim {
  readonly id: string;
  /** Increases with every claim: the claim with the row's current number is valid. */
  readonly attempts: number;
}

export interface QueueOptions<Job extends Claim> {
  /** Statements across accounts. */
  readonly system: QueryExecutorProvider;
  /**
   * A table with its tenant's column, `id`, `state` (`queued`, `processing`, then anything else), `attempts` and
   * `run_at`, which is when a queued row is due and when the lease on a processing row expires. It needs an index on
   * `run_at` over these two states.
   */
  readonly table: string;
  /** The column of a row's tenant; with `id` it is the table's key. */
  readonly tenantColumn: 'account_id' | 'organization_id';
  /**
   * Does the work and records its result, in a transaction that moves the row out of `processing` only if `attempts` is
   * unchanged. The signal means that another worker has the job, or that the queue is stopping.
   */
  readonly run: (job: Job, signal: AbortSignal) => Promise<void>;
  /** Concurrent jobs. A function may temporarily allow more, for example for waiting jobs: wake the queue then. */
  readonly concurrency: number | (() => number);
  /** Tenants whose due jobs are skipped while they are listed. Default: none. */
  readonly passedOver?: () => readonly string[];
  /** After this time without a heartbeat, another worker may take the job. */
  readonly leaseMs?: number;
  /** The longest pause between two polls of an empty queue, and so the longest wait for a job queued elsewhere. */
  readonly idleMs?: number;
  /**
   * Called with a failed statement, and with what `run` threw; the job stays claimed and is claimed again after its
   * lease.
   */
  readonly onError: (error: unknown, job: Job | null) => void;
}

export interface Queue {
  /** Polls the queue now: call it after a commit that queued something. */
  wake(): void;
  /** Claims no more, waits up to `graceMs` for running jobs, aborts the others and puts them back. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts processing a queue: a table from which `for update skip locked` hands each due row to one worker. A claim is a
 * lease that a heartbeat extends; a killed worker's job is due again when the lease expires. There is no NOTIFY, which
 * would serialise the commits that queue: an idle worker polls after increasing pauses.
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
          if (numAffectedRows === 0n && running.has(job)) abort.abort(new Error('another worker has the job'));
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
