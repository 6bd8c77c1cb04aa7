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
  /** The model that answered, as it names itself. */
  readonly model: string;
  /** Tokens of the question and the answer, as the provider counts them, those of attempts that failed included. */
  readonly totalTokens: number;
}

/** An attempt that failed and is followed by another, for the log. */
export interface FailedAttempt {
  readonly failure: ProviderFailure;
  /** From 1. */
  readonly attempt: number;
  /** Until the next one. */
  readonly pauseMs: number;
}

export interface ProviderOptions {
  /** Longest time of one attempt. */
  readonly timeoutMs: number;
  /** Longest time of all attempts together, with the pauses between them. */
  readonly deadlineMs: number;
  /** Calls that may be under way at once. */
  readonly concurrency: number;
  /** Calls beyond these that may wait, as many as may be under way unless given; any more fail. */
  readonly waitingLimit?: number;
  /** The pause before the second attempt, without the part that is left to chance; it doubles from there. */
  readonly firstPauseMs?: number;
  /** Looks a host's addresses up where only public ones are reached. */
  readonly resolve?: Resolve;
}

export interface Provider {
  /**
   * Asks the model once, and again where a failure may pass.
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
  /** Ends the connections; what is under way fails. */
  close(): Promise<void>;
}

const attemptLimit = 3;
const longestPauseMs = 10_000;
/** No answer needs more: some three hundred line items. Models that think spend of it as well. */
const outputTokenLimit = 16_000;

/** Opens the way to a model. Nothing is sent to any other address than the configured one. */
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
      // A server that is merely compatible may know no schemas; it is told of it in words from then on.
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
      // A text without any JSON is a model's way to say no.
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

/** Doubles with every attempt; half of it is left to chance, so that those who failed together do not come together. */
function pauseBefore(attempt: number, firstPauseMs: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (1 + Math.random());
}

/**
 * Lets so many calls run at once; a bounded number of others wait in the order of their coming, until their signal ends
 * it. Who waits for a slow provider waits for the calls before, and nobody else waits for them.
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
