import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Extraction, ReadDocument } from '@millrace/document-model';
import { documentTooComplex, EngineError } from '../errors.ts';
import type { ExtractOptions } from '../extract-options.ts';
import type { IngestLimits } from '../ingest/ingest.ts';
import type { Answer } from '../model-reading/answer.ts';
import type { ConsultOptions } from '../model-reading/consult.ts';
import type { Consultation, Scope } from '../model-reading/question.ts';
import type { PictureRequest } from '../read/draw-picture.ts';
import type { ScriptLanguage } from '../read/ocr/scripts.ts';
import type { ReadingStep } from '../read/step.ts';
import { modelVersion } from '../score/model-version.ts';
import type { Lesson } from '../supplier-memory/lesson.ts';
import type { Confirmed } from '../supplier-memory/teach.ts';
import { launchProcess } from './launch.ts';
import type { Report, Request, Result } from './messages.ts';
import { type Usage, usageOf } from './usage.ts';

export interface EnginePoolOptions {
  /** Processes, and so documents at once. As many as there are processors unless given. */
  readonly workers?: number;
  /** Most memory of one process, beside about a gigabyte that it sets aside without using it. */
  readonly memoryLimitBytes?: number;
  /** Most processor time for one page, or one pass over it, in milliseconds: what a busy machine doesn't lengthen. */
  readonly pageCpuMs?: number;
  /** Longest time for the same, however little the page uses: ends what hangs, and what a system without /proc can't count. */
  readonly pageTimeoutMs?: number;
  /** The share of its usual limit of processor time that each step of a document gets; 1 unless given. */
  readonly cpuLimitShare?: number;
  /** Documents that may wait for a process; more are refused. */
  readonly queueLimit?: number;
  /** Loads every process's OCR models at once, so that the first scan has not to wait for them. */
  readonly warmUp?: boolean;
  /** Starts the processes with the first document, not at once: for what may never get one. */
  readonly onDemand?: boolean;
  /**
   * Whether no process will read more than a hundred documents or so: its code is compiled as that of any program, which
   * saves a third of the processor time of the first ones and makes later ones slower.
   */
  readonly isShortLived?: boolean;
  /** How much less urgent its processes are than the one that has the pool, as `nice` counts: 5 unless given. */
  readonly niceness?: number;
  /** Languages of other scripts than Latin and Chinese that pictures may be of; none unless given. */
  readonly scriptLanguages?: readonly ScriptLanguage[];
}

/**
 * The engine in processes that can be killed: a document that hangs, crashes or takes too much memory costs its own
 * job an error, and nobody else anything.
 */
export interface EnginePool {
  /** Name and version of what extracts, for the answer's processing details. */
  readonly model: string;
  /**
   * Extracts one document.
   *
   * @throws EngineError; or the signal's reason once it is aborted, which also ends the work.
   */
  extract(bytes: Uint8Array, options: ExtractOptions, control?: { readonly signal?: AbortSignal }): Promise<Extraction>;
  /**
   * Extracts one document, and returns what to ask a model about it: every field, or the doubtful ones. Fails like
   * `extract`.
   */
  consult(
    bytes: Uint8Array,
    options: ExtractOptions,
    scope: Scope,
    control?: { readonly signal?: AbortSignal },
  ): Promise<Consultation>;
  /** What a document's extraction is after an answer to that question. Fails as `extract` does. */
  weigh(
    document: ReadDocument,
    options: ConsultOptions,
    answer: Answer,
    control?: { readonly signal?: AbortSignal },
  ): Promise<Extraction>;
  /**
   * Counts one document's pages without reading them. Fails as `extract` does, but for what only reading the pages
   * shows.
   */
  countPages(bytes: Uint8Array, limits: IngestLimits, control?: { readonly signal?: AbortSignal }): Promise<number>;
  /** Reads one document's words alone, once. Fails as `extract` does. */
  read(bytes: Uint8Array, limits: IngestLimits): Promise<ReadDocument>;
  /** What a confirmed document teaches of its sender; null where it does not tell it. Fails as `extract` does. */
  teach(
    bytes: Uint8Array,
    confirmed: Confirmed,
    limits: IngestLimits,
    control?: { readonly signal?: AbortSignal },
  ): Promise<Lesson | null>;
  /** Draws one page for people to look at, in WebP. Fails as `extract` does. */
  draw(bytes: Uint8Array, picture: PictureRequest, limits: IngestLimits): Promise<Uint8Array>;
  /** Ends all processes; what still runs or waits fails. */
  close(): Promise<void>;
}

interface Job {
  readonly request: Request;
  /** Processes that have died under it. */
  deaths: number;
  readonly signal: AbortSignal | null;
  readonly onAbort: () => void;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Worker {
  readonly process: ChildProcess;
  ready: boolean;
  job: Job | null;
  documentCount: number;
  timer: NodeJS.Timeout | null;
  /** The current step, with the usage when it started; null between jobs, and if no usage is reported. */
  step: { readonly name: ReadingStep; readonly usage: Usage } | null;
}

/** What one step may use beyond what the process had used when the step began. */
interface StepLimit {
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/**
 * What a step of an honest document stays well below, on any machine: limits of processor time, not of time. Reading a
 * picture by OCR has no limit but the page's: its cost is bounded by the picture's size.
 */
const limitsOfSteps = (share: number, pageCpuMs: number): Readonly<Record<ReadingStep, StepLimit>> => ({
  decode: { cpuMs: 5_000 * share, residentBytes: 512 * 1024 ** 2 },
  recognise: { cpuMs: pageCpuMs, residentBytes: Infinity },
  understand: { cpuMs: 20_000 * share, residentBytes: 512 * 1024 ** 2 },
});
const watchIntervalMs = 50;
/** A process that dies may have been killed from outside, so its document is tried again: so many processes in all. */
const deathLimit = 3;

const gigabyte = 1024 ** 3;
/** What the kernel counts as a process's data although little of it is ever touched: heaps set aside, stacks. */
const reservedBytes = gigabyte;
/**
 * Memory that WebAssembly and the OCR runtime have taken they never give back: a process is replaced now and then. Not
 * often, because a new one reads its first fifty pages at half the speed, until its code is compiled.
 */
const documentsPerProcess = 2_000;
const recycleShare = 0.6;
/** Processes that die in a row before they are ready; then the fault is not a document's. */
const failedStartLimit = 3;

/** Starts a pool's processes, which are ready some 300 ms later; documents may be sent at once. */
export function createEnginePool(options: EnginePoolOptions = {}): EnginePool {
  const size = options.workers ?? availableParallelism();
  const memoryLimitBytes = options.memoryLimitBytes ?? 2 * gigabyte;
  const pageTimeoutMs = options.pageTimeoutMs ?? 300_000;
  const queueLimit = options.queueLimit ?? 64;
  const stepLimits = limitsOfSteps(options.cpuLimitShare ?? 1, options.pageCpuMs ?? 30_000);
  const workers = new Set<Worker>();
  const queue: Job[] = [];
  let failedStarts = 0;
  let closed = false;
  let watch: NodeJS.Timeout | null = null;

  const start = () => {
    const worker: Worker = {
      process: launchProcess(memoryLimitBytes + reservedBytes, options),
      ready: false,
      job: null,
      documentCount: 0,
      timer: null,
      step: null,
    };
    workers.add(worker);
    worker.process.on('message', (report: Report) => receive(worker, report));
    worker.process.once('exit', () => replace(worker));
    worker.process.on('error', () => replace(worker));
  };

  const replace = (worker: Worker) => {
    if (!workers.delete(worker)) return;
    disarm(worker);
    const { job } = worker;
    worker.job = null;
    if (job && ++job.deaths < deathLimit && !closed) queue.unshift(job);
    else if (job) finish(job, () => job.reject(documentTooComplex()));
    if (closed) return;
    if (!worker.ready && ++failedStarts >= failedStartLimit) {
      for (const job of queue.splice(0))
        finish(job, () => job.reject(new Error('The engine cannot start its processes')));
      failedStarts = 0;
      return;
    }
    start();
  };

  const receive = (worker: Worker, report: Report) => {
    switch (report.kind) {
      case 'ready':
        failedStarts = 0;
        worker.ready = true;
        if (options.warmUp) assign(worker, warmUpJob());
        break;
      case 'step':
        if (!worker.job) return;
        arm(worker);
        beginStep(worker, report.step);
        return;
      case 'done':
        settle(worker, (job) => job.resolve(report.result));
        recycle(worker, report.residentBytes);
        break;
      case 'failed':
        settle(worker, (job) => job.reject(new EngineError(report.code, report.message, { cause: report.cause })));
        recycle(worker, report.residentBytes);
        break;
    }
    dispatch();
  };

  const recycle = (worker: Worker, residentBytes: number) => {
    worker.documentCount++;
    if (worker.documentCount < documentsPerProcess && residentBytes < recycleShare * memoryLimitBytes) return;
    discard(worker);
  };

  /** Ends a process and puts another in its place. */
  const discard = (worker: Worker) => {
    workers.delete(worker);
    disarm(worker);
    worker.process.kill('SIGKILL');
    start();
  };

  const settle = (worker: Worker, end: (job: Job) => void) => {
    disarm(worker);
    const { job } = worker;
    worker.job = null;
    if (job) finish(job, end);
  };

  const finish = (job: Job, end: (job: Job) => void) => {
    job.signal?.removeEventListener('abort', job.onAbort);
    end(job);
  };

  const arm = (worker: Worker) => {
    disarm(worker);
    worker.timer = setTimeout(() => {
      settle(worker, (job) =>
        job.reject(
          new EngineError(
            'extraction_failed',
            `A page took longer than ${pageTimeoutMs / 1000} s to process. Send a simpler export or a smaller scan of it.`,
          ),
        ),
      );
      discard(worker);
    }, pageTimeoutMs);
  };

  const disarm = (worker: Worker) => {
    if (worker.timer) clearTimeout(worker.timer);
    worker.timer = null;
    worker.step = null;
  };

  const beginStep = (worker: Worker, name: ReadingStep) => {
    const usage = usageOf(worker.process.pid!);
    worker.step = usage && { name, usage };
    watch ??= setInterval(endCostlySteps, watchIntervalMs).unref();
  };

  /** Ends the processes whose step has used more than it may: their documents would cost any other process the same. */
  const endCostlySteps = () => {
    const stepping = [...workers].filter((worker) => worker.step !== null);
    if (stepping.length === 0 && watch) {
      clearInterval(watch);
      watch = null;
    }
    for (const worker of stepping) {
      const { name, usage: begun } = worker.step!;
      const usage = usageOf(worker.process.pid!);
      if (
        usage === null ||
        (usage.cpuMs - begun.cpuMs < stepLimits[name].cpuMs &&
          usage.residentBytes - begun.residentBytes < stepLimits[name].residentBytes)
      ) {
        continue;
      }
      settle(worker, (job) => job.reject(documentTooComplex()));
      discard(worker);
    }
  };

  const assign = (worker: Worker, job: Job) => {
    worker.job = job;
    arm(worker);
    worker.process.send(job.request);
  };

  const dispatch = () => {
    for (const worker of workers) {
      if (!worker.ready || worker.job) continue;
      const job = queue.shift();
      if (!job) return;
      assign(worker, job);
    }
  };

  const run = (request: Request, signal: AbortSignal | null) =>
    new Promise<Result>((resolve, reject) => {
      if (closed) throw new Error('The engine pool is closed');
      signal?.throwIfAborted();
      if (queue.length >= queueLimit) {
        throw new EngineError(
          'extraction_failed',
          'Too many documents wait to be processed. Send this one again later.',
        );
      }
      const onAbort = () => {
        const waiting = queue.indexOf(job);
        if (waiting >= 0) queue.splice(waiting, 1);
        const worker = [...workers].find((candidate) => candidate.job === job);
        if (worker) discard(worker);
        reject(signal?.reason);
      };
      const job: Job = { request, deaths: 0, signal, onAbort, resolve, reject };
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.push(job);
      while (workers.size < size) start();
      dispatch();
    });

  if (!options.onDemand) for (let count = 0; count < size; count++) start();
  return {
    model: modelVersion,
    extract: async (bytes, extractOptions, control) =>
      (await run({ kind: 'extract', bytes, options: extractOptions }, control?.signal ?? null)) as Extraction,
    consult: async (bytes, extractOptions, scope, control) =>
      (await run({ kind: 'consult', bytes, options: extractOptions, scope }, control?.signal ?? null)) as Consultation,
    weigh: async (document, consultOptions, answer, control) =>
      (await run({ kind: 'answer', document, options: consultOptions, answer }, control?.signal ?? null)) as Extraction,
    countPages: async (bytes, limits, control) =>
      (await run({ kind: 'count', bytes, limits }, control?.signal ?? null)) as number,
    read: async (bytes, limits) => (await run({ kind: 'read', bytes, limits }, null)) as ReadDocument,
    teach: async (bytes, confirmed, limits, control) =>
      (await run({ kind: 'teach', bytes, confirmed, limits }, control?.signal ?? null)) as Lesson | null,
    draw: async (bytes, picture, limits) => (await run({ kind: 'draw', bytes, picture, limits }, null)) as Uint8Array,
    close: async () => {
      closed = true;
      const error = new Error('The engine pool is closed');
      for (const job of queue.splice(0)) finish(job, () => job.reject(error));
      await Promise.all(
        [...workers].map(async (worker) => {
          workers.delete(worker);
          settle(worker, (job) => job.reject(error));
          const ended = new Promise((resolve) => worker.process.once('close', resolve));
          if (worker.process.kill('SIGKILL')) await ended;
        }),
      );
    },
  };
}

function warmUpJob(): Job {
  const nothing = () => undefined;
  return {
    request: { kind: 'warm-up' },
    deaths: deathLimit,
    signal: null,
    onAbort: nothing,
    resolve: nothing,
    reject: nothing,
  };
}
