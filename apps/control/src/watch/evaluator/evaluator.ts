import type { ControlDatabase } from '../../database/schema.ts';
import { evaluationMs } from '../alert-rules/rules.ts';
import { mergeReports } from '../slots/merger.ts';
import { createLease } from './lease.ts';
import { dropOldEvaluations, lastEvaluated } from './store.ts';
import { evaluateAt, type IncidentSink, LeaseLost } from './tick.ts';

/** Evaluates alert rules, in one process at a time. */
export interface Evaluator {
  /** Evaluates what is due by the clock, if this process has or gets the lease; whether it does. For tests. */
  run(): Promise<boolean>;
  /** Waits for the running evaluation, and lets another process take over at once. */
  stop(): Promise<void>;
}

export interface EvaluatorParts {
  readonly database: ControlDatabase;
  readonly incidents: IncidentSink;
  /** Called after a commit that enqueued notifications. */
  wakeDeliveries(): void;
  /** Called with an error; the next round tries again. */
  onError(error: unknown): void;
  /** The time in milliseconds since 1970. */
  readonly clock?: () => number;
  /** How often to look; null: only when `run` is called. */
  readonly pollMs?: number | null;
}

/** How long after its moment an evaluation runs: nodes report within about a second. */
export const reportingDelayMs = 3_000;
const usualPollMs = 500;
/** A third of the time that a lease lasts. */
const renewMs = 2_000;
/** Missed moments that are evaluated afterwards, as far as the past is known. */
const mostMissed = 30;
const dropEveryMs = 60_000;

/** Starts to evaluate; several processes can do so concurrently, one of them evaluates. */
export function startEvaluator(parts: EvaluatorParts): Evaluator {
  const { database, onError, clock = Date.now, pollMs = usualPollMs } = parts;
  const lease = createLease(database);
  let isHeld = false;
  let takenMs = Number.NEGATIVE_INFINITY;
  let doneMs: number | null = null;
  let droppedMs = 0;
  let isStopped = false;
  let running: Promise<boolean> | null = null;

  const takeLease = async (): Promise<void> => {
    const startMs = performance.now();
    if (isHeld && startMs - takenMs < renewMs) return;
    takenMs = startMs;
    const wasHeld = isHeld;
    isHeld = await lease.take();
    // Whoever had the lease before may have lost it in between: that moment's other organizations are still due.
    if (isHeld && !wasHeld) {
      const last = await lastEvaluated(database.system);
      doneMs = last === null ? null : last.getTime() - evaluationMs;
    }
  };

  const evaluateDue = async (): Promise<void> => {
    const lastMs = Math.floor((clock() - reportingDelayMs) / evaluationMs) * evaluationMs;
    if (doneMs !== null && doneMs >= lastMs) return;
    await mergeReports(database);
    const firstMs = Math.max(doneMs === null ? lastMs : doneMs + evaluationMs, lastMs - mostMissed * evaluationMs);
    for (let atMs = firstMs; atMs <= lastMs && !isStopped; atMs += evaluationMs) {
      const { notified } = await evaluateAt({ ...parts, lease }, new Date(atMs), { past: atMs < lastMs });
      doneMs = atMs;
      if (notified) parts.wakeDeliveries();
    }
    if (lastMs - droppedMs >= dropEveryMs) {
      droppedMs = lastMs;
      await dropOldEvaluations(database.system, new Date(lastMs));
    }
  };

  const round = async (): Promise<boolean> => {
    try {
      await takeLease();
      if (isHeld && !isStopped) await evaluateDue();
    } catch (error) {
      if (error instanceof LeaseLost) isHeld = false;
      else onError(error);
    }
    running = null;
    return isHeld;
  };
  const run = (): Promise<boolean> => {
    running ??= round();
    return running;
  };
  const renew = (): void => {
    // During an evaluation, which may take longer than the lease lasts.
    if (isHeld && running !== null) lease.take().catch(onError);
  };
  const timers = pollMs === null ? [] : [setInterval(() => void run(), pollMs), setInterval(renew, renewMs)];
  for (const timer of timers) timer.unref();
  return {
    run,
    stop: async () => {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await running;
      if (isHeld) await lease.release().catch(onError);
    },
  };
}
