import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Question } from '@millrace/engine/model-reading';
import { openGuardedFetch, type Resolve } from '@millrace/webhooks';
import { boundedFetch } from './bounded-fetch.ts';
import { createCircuit } from './circuit.ts';
import type { ProviderConfiguration } from './configuration.ts';
import { ProviderFailure } from './failure.ts';
import { type ModelCall, modelOf, providerOptions } from './models.ts';
import { instructions, type PagePicture, questionText } from './prompt.ts';
import { answerSchema, readAnswer } from './schema.ts';

/** A model's answer, with what it cost. */
export interface Answered {
  readonly answer: Answer;
  /** The model that answered, as it reports its name. */
  readonly model: string;
  /** Tokens of the question and the answer, as counted by the provider, including failed attempts. */
  readonly totalTokens: number;
}

/** A failed attempt that is followed by another, for the log. */
export interface FailedAttempt {
  readonly failure: ProviderFailure;
  /** From 1. */
  readonly attempt: number;
  /** Until the next one. */
  readonly pauseMs: number;
}

export interface ProviderOptions {
  /** Maximum time of one attempt. */
  readonly timeoutMs: number;
  /** Longest time of all attempts together, with the pauses between them. */
  readonly deadlineMs: number;
  /** Maximum concurrent calls. */
  readonly concurrency: number;
  /** Maximum waiting calls beyond these; default: the same number. Any more fail. */
  readonly waitingLimit?: number;
  /** The pause before the second attempt, without jitter; it doubles from there. */
  readonly firstPauseMs?: number;
  /** Resolves host names if only public addresses are allowed. */
  readonly resolve?: Resolve;
}

export interface Provider {
  /**
   * Calls the model once, and again after a temporary failure.
   *
   * @throws ProviderFailure; or the signal's reason once it is aborted.
   */
  ask(
    question: Question,
    control?: {
      readonly pictures?: readonly PagePicture[];
      readonly signal?: AbortSignal;
      readonly onFailedAttempt?: (attempt: FailedAttempt) => void;
    },
  ): Promise<Answered>;
  /** Closes the connections; calls in progress fail. */
  close(): Promise<void>;
}

const attemptLimit = 3;
const longestPauseMs = 10_000;
/** No answer needs more: about three hundred line items. Reasoning models use part of it as well. */
const outputTokenLimit = 16_000;

/** Opens the connection to a model. Nothing is sent to any address but the configured one. */
export function openProvider(configuration: ProviderConfiguration, options: ProviderOptions): Provider {
  const { deadlineMs, timeoutMs, firstPauseMs = 500 } = options;
  const connection = openGuardedFetch({
    reach: configuration.reach,
    connectTimeoutMs: Math.min(10_000, timeoutMs),
    ...(options.resolve && { resolve: options.resolve }),
  });
  const fetch = boundedFetch(connection.fetch);
  const circuit = createCircuit();
  const admitted = createGate(options.concurrency, options.waitingLimit ?? options.concurrency);
  let isStructured = true;

  async function attempt(question: Question, pictures: readonly PagePicture[], signal: AbortSignal): Promise<Answered> {
    try {
      return await askOnce(question, pictures, signal);
    } catch (error) {
      const failure = ProviderFailure.from(error);
      // A merely compatible server may not support schemas; it gets them in the prompt from then on.
      if (configuration.kind !== 'openai-compatible' || failure.reason !== 'rejected' || !isStructured) throw failure;
      isStructured = false;
      return await askOnce(question, pictures, signal).catch((again: unknown) => {
        isStructured = true;
        throw ProviderFailure.from(again);
      });
    }
  }

  async function askOnce(question: Question, pictures: readonly PagePicture[], signal: AbortSignal): Promise<Answered> {
    const model = modelOf(configuration, fetch, isStructured);
    const schema = answerSchema(question);
    const text = questionText(question, isStructured ? null : schema);
    const call: ModelCall = {
      prompt: [
        { role: 'system', content: instructions },
        {
          role: 'user',
          content: [
            { type: 'text', text },
            ...pictures.map(({ bytes, mediaType }) => ({
              type: 'file' as const,
              mediaType,
              data: Buffer.from(bytes).toString('base64'),
            })),
          ],
        },
      ],
      responseFormat: { type: 'json', schema, name: 'document' },
      temperature: 0,
      maxOutputTokens: outputTokenLimit,
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      providerOptions: providerOptions(instructions.length + text.length),
    };
    const { content, finishReason, response, usage } = await model.doGenerate(call);
    const totalTokens = (usage.inputTokens.total ?? 0) + (usage.outputTokens.total ?? 0);
    const answered = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    if (finishReason.unified === 'content-filter') throw new ProviderFailure('refused', { totalTokens });
    if (finishReason.unified === 'length') throw new ProviderFailure('invalid_answer', { totalTokens });
    try {
      return {
        answer: readAnswer(answered, question),
        model: (response?.modelId ?? configuration.model).slice(0, 200),
        totalTokens,
      };
    } catch {
      // A text without any JSON is a model's way of refusing.
      throw new ProviderFailure(answered.includes('{') ? 'invalid_answer' : 'refused', { totalTokens });
    }
  }

  return {
    ask: async (question, { pictures = [], signal: caller, onFailedAttempt } = {}) => {
      const endMs = performance.now() + deadlineMs;
      const deadline = AbortSignal.timeout(deadlineMs);
      const signal = caller ? AbortSignal.any([caller, deadline]) : deadline;
      let spentTokens = 0;
      let before: ProviderFailure | null = null;
      for (let count = 1; ; count += 1) {
        if (!circuit.admit()) throw before ?? new ProviderFailure('circuit_open');
        try {
          const answered = await admitted(signal, () => attempt(question, pictures, signal));
          circuit.settle('answered');
          return { ...answered, totalTokens: answered.totalTokens + spentTokens };
        } catch (error) {
          caller?.throwIfAborted();
          const failure = deadline.aborted ? new ProviderFailure('timeout') : ProviderFailure.from(error);
          if (failure.reason !== 'busy') circuit.settle(failure.isOutage ? 'outage' : 'answered');
          spentTokens += failure.totalTokens;
          const pauseMs = failure.retryAfterMs ?? pauseBefore(count, firstPauseMs);
          const isLast = count >= attemptLimit || performance.now() + pauseMs >= endMs;
          if (!failure.isPassing || isLast) throw failure;
          before = failure;
          onFailedAttempt?.({ failure, attempt: count, pauseMs });
          await sleep(pauseMs, undefined, { signal }).catch(() => {
            caller?.throwIfAborted();
            throw failure;
          });
        }
      }
    },
    close: () => connection.close(),
  };
}

/** Doubles with every attempt; half of it is jitter, so that calls that failed together don't retry together. */
function pauseBefore(attempt: number, firstPauseMs: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (1 + Math.random());
}

/**
 * Limits concurrent calls; a bounded number of others wait in order of arrival, until their signal ends it. Waiting for
 * a slow provider delays nothing else.
 */
function createGate(limit: number, waitingLimit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    if (running >= limit && waiting.length >= waitingLimit) throw new ProviderFailure('busy');
    while (running >= limit) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = () => reject(signal.reason);
      waiting.push(resolve);
      signal.addEventListener('abort', giveUp, { once: true });
      await promise.finally(() => {
        signal.removeEventListener('abort', giveUp);
        const index = waiting.indexOf(resolve);
        if (index >= 0) waiting.splice(index, 1);
      });
    }
    if (signal.aborted) {
      waiting.shift()?.();
      throw signal.reason;
    }
    running += 1;
    return await work().finally(leave);
  };
}
