import { newId } from '@millrace/identifiers';
import { type Kysely, sql } from 'kysely';
import type { ControlDatabase, Schema } from '../../database/schema.ts';

/** How long a process that no longer renews its lease keeps others from evaluating. */
const leaseSeconds = 6;

/** The right to evaluate, which one process has at a time. */
export interface Lease {
  /** Takes the lease if nobody has it, and renews it otherwise; whether it is held now. */
  take(): Promise<boolean>;
  /** Whether it is held, locked until the commit: nobody else takes it meanwhile, and it isn't renewed. */
  isHeld(transaction: Kysely<Schema>): Promise<boolean>;
  /** Renews it in a transaction that knows that it is held, as its last statement: it may have expired since. */
  extend(transaction: Kysely<Schema>): Promise<void>;
  /** Lets others take it at once. */
  release(): Promise<void>;
}

/** By the database's clock: those of processes may differ. */
export function createLease({ system }: Pick<ControlDatabase, 'system'>): Lease {
  const holder = newId('evl');
  return {
    take: async () => {
      const { rows } = await sql`
        with free as (
          select single from evaluator_lease where holder = ${holder} or expires_at < clock_timestamp()
          for no key update skip locked)
        update evaluator_lease set holder = ${holder}, expires_at = clock_timestamp() + ${leaseSeconds} * interval '1 second'
        where single in (select single from free) returning 1 as one`.execute(system);
      return rows.length > 0;
    },
    isHeld: async (transaction) => {
      const { rows } = await sql`
        select 1 as one from evaluator_lease where holder = ${holder} and expires_at > clock_timestamp()
        for no key update`.execute(transaction);
      return rows.length > 0;
    },
    extend: async (transaction) => {
      await sql`
        update evaluator_lease set expires_at = clock_timestamp() + ${leaseSeconds} * interval '1 second'
        where holder = ${holder}`.execute(transaction);
    },
    release: async () => {
      await sql`update evaluator_lease set expires_at = '-infinity' where holder = ${holder}`.execute(system);
    },
  };
}
