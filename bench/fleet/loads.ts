import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMillraceClient, ResponseError } from '@millrace/client';
import { attemptOf, callWithRetries, newTally, type Tally } from './retries.ts';

const samples = resolve(import.meta.dirname, '../../samples');
const sample = 'contract.pdf';

export interface LoadOptions {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Receives the events of documents. */
  readonly callbackUrl: string;
  readonly controlUrl: string;
  /** Of a manager's calls. */
  readonly controlHeaders: Readonly<Record<string, string>>;
  /** What callers of the gateway ask, and by which key. */
  readonly gatewayCalls: readonly { readonly url: string; readonly key: string; readonly name: string }[];
}

/** What callers know at the end. */
export interface Loads {
  /** By what was called. */
  readonly tallies: Readonly<Record<'uploads' | 'waits' | 'writes' | 'reads' | 'gateway', Tally>>;
  /** Jobs that were accepted, and documents of calls that waited for them. */
  readonly jobIds: readonly string[];
  readonly documentIds: readonly string[];
  /** E-mail addresses of the developers whose creation was confirmed. */
  readonly developers: readonly string[];
  /** Answers of the gateway by name of the call and status. */
  readonly gatewayAnswers: ReadonlyMap<string, number>;
  /** Answers that were none of those expected. */
  readonly wrong: ReadonlyMap<string, number>;
  /** Ends the calls, once those in flight are answered. */
  stop(): Promise<void>;
}

/** Uploads documents, writes and reads by the management API, and calls through the gateway until stopped. */
export async function startLoads(options: LoadOptions): Promise<Loads> {
  const content = new Uint8Array(await readFile(join(samples, sample)));
  const tallies = {
    uploads: newTally(),
    waits: newTally(),
    writes: newTally(),
    reads: newTally(),
    gateway: newTally(),
  };
  const jobIds: string[] = [];
  const documentIds: string[] = [];
  const developers: string[] = [];
  const gatewayAnswers = new Map<string, number>();
  const wrong = new Map<string, number>();
  let isOver = false;
  const note = (answer: string) => void wrong.set(answer, (wrong.get(answer) ?? 0) + 1);

  /** A call by the product's own client, which retries on its own; its attempts are counted. */
  const byClient = async <Result>(
    tally: Tally,
    call: (client: ReturnType<typeof createMillraceClient>) => Promise<Result>,
  ): Promise<Result | null> => {
    let attempts = 0;
    const client = createMillraceClient({
      baseUrl: options.apiUrl,
      apiKey: options.apiKey,
      fetch: (...given) => {
        attempts++;
        return fetch(...given);
      },
    });
    try {
      const result = await call(client);
      if (attempts === 1) tally.atOnce++;
      else if (attempts === 2) tally.byOneRetry++;
      else tally.byMore++;
      return result;
    } catch (error) {
      const { status, message } = error instanceof ResponseError ? error : { status: '', message: String(error) };
      const failure = `${status} ${message}`;
      tally.never.set(failure, (tally.never.get(failure) ?? 0) + 1);
      return null;
    }
  };
  const file = { name: sample, content };
  const callbackUrl = options.callbackUrl;

  const queue = async () => {
    const job = await byClient(tallies.uploads, (client) => client.extractAsync(file, { callbackUrl }));
    if (job !== null) jobIds.push(job.job_id);
    await sleep(400);
  };
  const extract = async () => {
    const document = await byClient(tallies.waits, (client) => client.extract(file, { callbackUrl }));
    if (document === null) return;
    documentIds.push(document.meta.document_id);
    if (document.meta.state !== 'done') note(`a document in state ${document.meta.state}`);
    await sleep(400);
  };
  const write = async () => {
    const email = `${randomUUID()}@example.com`;
    const idempotencyKey = randomUUID();
    const status = await callWithRetries(tallies.writes, () =>
      attemptOf(
        fetch(`${options.controlUrl}/api/developers`, {
          method: 'POST',
          headers: {
            ...options.controlHeaders,
            'content-type': 'application/json',
            'idempotency-key': idempotencyKey,
          },
          body: JSON.stringify({ email, name: email }),
        }),
        async (response) => {
          const text = await response.text();
          if (response.status !== 201) note(`POST /developers: ${response.status} ${text.slice(0, 120)}`);
          return response.status;
        },
      ),
    );
    if (status === 201) developers.push(email);
    await sleep(50);
  };
  const read = async () => {
    await callWithRetries(tallies.reads, () =>
      attemptOf(
        fetch(`${options.controlUrl}/api/developers?pageSize=1`, { headers: options.controlHeaders }),
        async (response) => {
          const text = await response.text();
          if (response.status !== 200) note(`GET /developers: ${response.status} ${text.slice(0, 120)}`);
        },
      ),
    );
    await sleep(50);
  };
  const callGateway = async ({ url, key, name }: LoadOptions['gatewayCalls'][number]) => {
    await callWithRetries(tallies.gateway, () =>
      attemptOf(fetch(url, { headers: { 'x-api-key': key, 'x-test-case': name } }), async (response) => {
        await response.arrayBuffer();
        const answer = `${name} ${response.status}`;
        gatewayAnswers.set(answer, (gatewayAnswers.get(answer) ?? 0) + 1);
        if (response.status !== 200 && response.status !== 429) note(`gateway: ${answer}`);
      }),
    );
    await sleep(10);
  };
  const repeat = async (work: () => Promise<void>) => {
    while (!isOver) await work();
  };
  const running = Promise.all([
    repeat(queue),
    repeat(extract),
    repeat(write),
    repeat(write),
    repeat(read),
    ...options.gatewayCalls.flatMap((call) => [repeat(() => callGateway(call)), repeat(() => callGateway(call))]),
  ]);
  return {
    tallies,
    jobIds,
    documentIds,
    developers,
    gatewayAnswers,
    wrong,
    async stop() {
      isOver = true;
      await running;
    },
  };
}
