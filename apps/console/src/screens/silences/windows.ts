import { silenceSchedule, type Window, windowAfter, windowAt } from '@millrace/alerting';
import * as z from 'zod';

const Schedule = silenceSchedule(z.string().refine(isTimeZone));
const mostShown = 5;

/** The window that is in force and the next ones, five at most; null while the schedule is incomplete. */
export function nextWindows(schedule: object, nowMs: number): readonly Window[] | null {
  const { data } = Schedule.safeParse(schedule);
  if (data === undefined) return null;
  const current = windowAt(data, nowMs);
  const windows = current === null ? [] : [current];
  let afterMs = nowMs;
  while (windows.length < mostShown) {
    const next = windowAfter(data, afterMs);
    if (next === null) break;
    windows.push(next);
    afterMs = next.fromMs;
  }
  return windows;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
