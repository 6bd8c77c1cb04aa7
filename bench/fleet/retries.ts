import { setTimeout as sleep } from 'node:timers/promises';

/** Calls by how often they were sent until they were answered. */
export interface Tally {
  atOnce: number;
  byOneRetry: number;
  byMore: number;
  /** By what the last attempt got. */
  readonly never: Map<string, number>;
}

export const newTally = (): Tally => ({ atOnce: 0, byOneRetry: 0, byMore: 0, never: new Map() });

export const callsOf = ({ atOnce, byOneRetry, byMore, never }: Tally) =>
  atOnce + byOneRetry + byMore + [...never.values()].reduce((all, one) => all + one, 0);

/** What one attempt got: an answer, or why there is none. */
export type Attempt<Answer> =
  | { readonly answer: Answer }
  | { readonly failure: string; readonly retryAfterSeconds?: number };

const mostRetries = 4;

/**
 * Sends a call as often as the product's own client does, with its pauses: four retries after half a second that doubles,
 * or after what `Retry-After` says.
 *
 * @returns null where no attempt was answered
 */
export async function callWithRetries<Answer>(
  tally: Tally,
  attempt: (number: number) => Promise<Attempt<Answer>>,
): Promise<Answer | null> {
  const failures: string[] = [];
  for (let retries = 0; ; retries++) {
    const got = await attempt(retries);
    if ('answer' in got) {
      if (retries === 0) tally.atOnce++;
      else if (retries === 1) tally.byOneRetry++;
      else tally.byMore++;
      return got.answer;
    }
    failures.push(`${new Date().toISOString()} ${got.failure}`);
    if (retries === mostRetries) {
      process.stderr.write(`Never answered:\n${failures.join('\n')}\n`);
      tally.never.set(got.failure, (tally.never.get(got.failure) ?? 0) + 1);
      return null;
    }
    await sleep(Math.max((got.retryAfterSeconds ?? 0) * 1_000, 500 * 2 ** retries * (0.5 + Math.random())));
  }
}

/** One attempt by `fetch`: 5xx and broken connections are failures, everything else an answer. */
export async function attemptOf<Answer>(
  sending: Promise<Response>,
  read: (response: Response) => Promise<Answer>,
): Promise<Attempt<Answer>> {
  try {
    const response = await sending;
    if (response.status < 500) return { answer: await read(response) };
    const text = await response.text();
    const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0) || 0;
    return { failure: `${response.status} ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`, retryAfterSeconds };
  } catch (error) {
    const { cause } = error as Error;
    return { failure: cause instanceof Error ? cause.message : String(error) };
  }
}
