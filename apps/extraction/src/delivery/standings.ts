import { sql } from 'kysely';
import type { ExtractionDatabase } from '../database/schema.ts';
import { failedAfterMs } from '../resources/webhooks/rules.ts';

/** How an endpoint has done since this was last written down. Times are those of the attempts' requests. */
interface Standing {
  readonly accountId: string;
  successAt: Date | null;
  /** The first failure since the last success. */
  failureAt: Date | null;
  lastFailureAt: Date | null;
}

/** An active endpoint that has failed for days without a success. */
export interface FailedEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
}

/**
 * Gathers how endpoints do, and writes it down now and then: an attempt costs no statement more. What a process that
 * dies has not written is a few seconds of what counts by the day.
 */
export class Standings {
  readonly #database: ExtractionDatabase;
  #gathered = new Map<string, Standing>();

  constructor(database: ExtractionDatabase) {
    this.#database = database;
  }

  note(accountId: string, endpointId: string, { succeeded, at }: { succeeded: boolean; at: Date }): void {
    const present = this.#gathered.get(endpointId);
    const standing = present ?? { accountId, successAt: null, failureAt: null, lastFailureAt: null };
    if (succeeded) {
      standing.successAt = at;
      standing.failureAt = null;
    } else {
      standing.failureAt ??= at;
      standing.lastFailureAt = at;
    }
    this.#gathered.set(endpointId, standing);
  }

  /**
   * Writes down what was gathered, in one statement for all endpoints. Where that fails, it is lost.
   *
   * @returns the endpoints that have failed by now
   */
  async write(): Promise<FailedEndpoint[]> {
    if (this.#gathered.size === 0) return [];
    const gathered = [...this.#gathered];
    this.#gathered = new Map();
    const column = <Value>(value: (standing: Standing) => Value) => gathered.map(([, standing]) => value(standing));
    const { rows } = await sql<{ account_id: string; id: string; has_failed: boolean }>`
      with gathered as (
        select * from unnest(
          ${column(({ accountId }) => accountId)}::text[],
          ${gathered.map(([endpointId]) => endpointId)}::text[],
          ${column(({ successAt }) => successAt)}::timestamptz[],
          ${column(({ failureAt }) => failureAt)}::timestamptz[],
          ${column(({ lastFailureAt }) => lastFailureAt)}::timestamptz[]
        ) as gathered (account_id, id, success_at, failure_at, failed_at)
      ), locked as (
        -- In one order, so that no two processes wait for each other.
        select gathered.* from webhook_endpoints as endpoint join gathered using (account_id, id)
        where endpoint.removed_at is null order by endpoint.id for no key update of endpoint
      )
      update webhook_endpoints as endpoint set
        last_success_at = greatest(last_success_at, success_at),
        last_failure_at = greatest(last_failure_at, failed_at),
        failing_since = case when success_at is null then coalesce(failing_since, failure_at) else failure_at end
      from locked
      where endpoint.account_id = locked.account_id and endpoint.id = locked.id
      returning endpoint.account_id, endpoint.id,
        state = 'active' and last_failure_at - failing_since >= ${failedAfterMs} * interval '1 millisecond'
          as has_failed`.execute(this.#database.system);
    return rows
      .filter(({ has_failed }) => has_failed)
      .map(({ account_id, id }) => ({ accountId: account_id, endpointId: id }));
  }
}
