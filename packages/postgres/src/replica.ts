import { type Kysely, sql } from 'kysely';
import type { Pool } from 'pg';
import { openTenantConnections } from './tenant-connections.ts';
import type { TransactionScope } from './transaction-scope.ts';
import { isUnavailable } from './unavailable.ts';

/** What becomes of reads that a replica may answer, for the log: once per change. */
export type ReplicaEvent =
  /** The replica answers again. */
  | { readonly kind: 'used' }
  /** The primary answers, since the replica lacks what is committed there. */
  | { readonly kind: 'behind' }
  /** The primary answers, since the replica can't. */
  | { readonly kind: 'away'; readonly reason: string };

/** An event as a sentence for the log. */
export function describeReplica(event: ReplicaEvent): string {
  if (event.kind === 'used') return 'the database replica answers reads again';
  if (event.kind === 'behind') return 'the database replica is behind: the primary answers its reads';
  return `the database replica is unavailable, the primary answers its reads: ${event.reason}`;
}

/** Reads that were answered by the replica, and those that it left to the primary. */
export interface ReplicaReads {
  readonly replica: number;
  readonly primary: number;
}

export interface Replica<Schema> {
  /**
   * Runs work that only reads on the replica, once that has everything that was committed on the primary before the call.
   *
   * @returns null where the primary has to answer: the replica is behind or away, or was lost meanwhile
   * @throws what the work throws, except for errors of the replica
   */
  read<Result>(
    tenantId: string,
    work: (statements: Kysely<Schema>) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null>;
  reads(): ReplicaReads;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  /** Connections to the replica. */
  readonly pool: Pool;
  readonly scope: TransactionScope;
  /** Where the primary's log is now. */
  readonly primaryPlace: () => Promise<Place>;
  readonly onEvent: (event: ReplicaEvent) => void;
}

/** A place in the log of a PostgreSQL cluster: positions can only be compared within one history of one cluster. */
export interface Place {
  readonly cluster: string;
  readonly timeline: number;
  readonly position: string;
}

/**
 * What the primary is asked: all that was committed before is before this position. Commits that don't wait for the disk
 * are before the end of what was written only.
 */
export const placeStatement = {
  name: 'place in the log',
  text: `select (pg_control_system()).system_identifier::text as cluster, position::text,
      ('x' || left(pg_walfile_name(position), 8))::bit(32)::int as timeline
    from (select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end as position) as log`,
} as const;

/** How long a read waits for the replica to catch up: it takes milliseconds in operation. */
const longestWaitMs = 100;
const pollEveryMs = 5;
/** How long a replica may take to report where it is. */
const longestCheckMs = 1_000;
/** After that a replica that was behind, or away, is asked again. */
const pauseBehindMs = 1_000;
const pauseAwayMs = 5_000;

class Behind extends Error {}
class Away extends Error {}
class Busy extends Error {}

export function openReplica<Schema>({ pool, scope, primaryPlace, onEvent }: ReplicaOptions): Replica<Schema> {
  const connections = openTenantConnections<Schema>(pool, scope);
  const place = shared(primaryPlace);
  const counts = { replica: 0, primary: 0 };
  let state: ReplicaEvent['kind'] = 'used';
  let askedAgainMs = 0;

  const become = (event: ReplicaEvent) => {
    if (event.kind !== 'used') {
      askedAgainMs = performance.now() + (event.kind === 'behind' ? pauseBehindMs : pauseAwayMs);
    }
    if (event.kind !== state) onEvent(event);
    state = event.kind;
  };

  async function attempt<Result>(tenantId: string, work: (statements: Kysely<Schema>) => Promise<Result>) {
    // Before anything else: what the caller has written is before this place.
    const wanted = await place();
    const connection = await connections.lend().catch((error: unknown) => {
      // It is there, but all its connections are in use.
      throw pool.totalCount >= pool.options.max ? new Busy() : error;
    });
    let isBroken = true;
    try {
      connection.beginReading(tenantId);
      await catchUp(connection.statements, wanted);
      become({ kind: 'used' });
      const result = await work(connection.statements);
      isBroken = false;
      return { result };
    } catch (error) {
      // The connection goes on to be used if the work's own error ended it, and not the server's.
      isBroken = error instanceof Away || isUnavailable(error);
      throw error;
    } finally {
      if (isBroken) connection.release(true);
      else {
        // Nobody waits for the end of a transaction that wrote nothing.
        connection.rollback().then(
          () => connection.release(),
          () => connection.release(true),
        );
      }
    }
  }

  return {
    async read(tenantId, work) {
      if (performance.now() >= askedAgainMs) {
        try {
          const answered = await attempt(tenantId, work);
          counts.replica++;
          return answered;
        } catch (error) {
          if (error instanceof Behind) become({ kind: 'behind' });
          else if (error instanceof Away || isUnavailable(error)) {
            become({ kind: 'away', reason: (error as Error).message });
          } else if (!(error instanceof Busy)) throw error;
        }
      }
      counts.primary++;
      return null;
    },
    reads: () => ({ ...counts }),
    close: () => connections.close(),
  };
}

/**
 * Waits until the replica has replayed the primary's log up to a place.
 *
 * @throws Behind where that takes too long, Away where this is no replica of that primary, or doesn't answer
 */
async function catchUp<Schema>(statements: Kysely<Schema>, wanted: Place): Promise<void> {
  const beganMs = performance.now();
  for (;;) {
    const { rows } = await inTime(
      sql<{ cluster: string; timeline: number; is_replica: boolean; has_all: boolean | null }>`
        select (pg_control_system()).system_identifier::text as cluster, (pg_control_checkpoint()).timeline_id as timeline,
          pg_is_in_recovery() as is_replica, pg_last_wal_replay_lsn() >= ${wanted.position}::pg_lsn as has_all`.execute(
        statements,
      ),
    );
    const { cluster, timeline, is_replica: isReplica, has_all: hasAll } = rows[0]!;
    if (!isReplica) throw new Away('the server is not a replica');
    if (cluster !== wanted.cluster) throw new Away('the server is a replica of another primary');
    // It follows a primary that another one took over from, or has not noted yet that it no longer does.
    if (timeline !== wanted.timeline) throw new Away('the server replicates an earlier history of the primary');
    if (hasAll) return;
    if (performance.now() - beganMs > longestWaitMs) throw new Behind();
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  }
}

async function inTime<Result>(asked: Promise<Result>): Promise<Result> {
  let overdue: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    overdue = setTimeout(() => reject(new Away(`no response within ${longestCheckMs} ms`)), longestCheckMs);
  });
  asked.catch(() => undefined);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(overdue);
  }
}

/** One question at a time for all who ask; who comes while one is in flight gets the answer to the next. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let inFlight: Promise<Answer> | null = null;
  let next: Promise<Answer> | null = null;
  return () => {
    next ??= (async () => {
      await inFlight?.catch(() => undefined);
      inFlight = next;
      next = null;
      return ask();
    })();
    return next;
  };
}
