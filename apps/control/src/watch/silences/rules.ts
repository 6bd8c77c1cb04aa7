import { compileMatchers, type Matcher, type SilenceSchedule, windowAfter, windowAt } from '@millrace/alerting';
import { ApiError, fieldError } from '../../frame/errors.ts';

const mostSilences = 500;
const mostDays = 366;

export function refuseTooManySilences(count: number): void {
  if (count < mostSilences) return;
  throw new ApiError('conflict', {
    message: `An organization can have at most ${mostSilences} silences. Delete one first.`,
  });
}

/** Rejects expressions that can't be evaluated, and matchers that only alerts without labels meet. */
export function refuseUnmatchable(matchers: readonly Matcher[]): void {
  for (const [index, matcher] of matchers.entries()) {
    try {
      compileMatchers([matcher]);
    } catch (error) {
      throw fieldError(`matchers.${index}.value`, `${error instanceof Error ? error.message : error}`);
    }
  }
  const matchesNothing = compileMatchers(matchers)({});
  if (matchesNothing) {
    throw fieldError('matchers', 'These match every alert. Name a value of at least one label.');
  }
}

/** Rejects a schedule that never suppresses anything. */
export function refuseEmptySchedule(schedule: SilenceSchedule, now: Date): void {
  if (schedule.kind === 'once') {
    const seconds = (Date.parse(schedule.endsAt) - Date.parse(schedule.startsAt)) / 1_000;
    if (seconds <= 0) throw fieldError('schedule.endsAt', 'Enter a time after the start.');
    if (seconds > mostDays * 86_400)
      throw fieldError('schedule.endsAt', `Enter a time at most ${mostDays} days later.`);
    return;
  }
  if (schedule.from !== null && schedule.until !== null && schedule.until < schedule.from) {
    throw fieldError('schedule.until', 'Enter a day on or after the first.');
  }
  const state = stateOf(schedule, now);
  if (state.current === null && state.next === null) {
    throw fieldError('schedule', 'No window is to come. Choose other days.');
  }
}

/** Whether a silence is in force, will be, or will no longer be, and its windows. */
export function stateOf(schedule: SilenceSchedule, now: Date) {
  const current = windowAt(schedule, now.getTime());
  const next = windowAfter(schedule, now.getTime());
  const state = current !== null ? 'active' : next !== null ? 'scheduled' : 'expired';
  return { state, current: present(current), next: present(next) } as const;
}

function present(window: { readonly fromMs: number; readonly toMs: number } | null) {
  if (window === null) return null;
  return { from: new Date(window.fromMs).toISOString(), to: new Date(window.toMs).toISOString() };
}
