import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SilenceSchedule } from '@millrace/alerting';
import { matcherText, scheduleText } from './schedule-text.ts';

type Recurring = Extract<SilenceSchedule, { readonly kind: 'recurring' }>;

function textOf(days: Recurring['days'], changes: Partial<Recurring> = {}): string {
  const schedule: Recurring = {
    kind: 'recurring',
    timeZone: 'America/New_York',
    days,
    startTime: '02:00',
    durationMinutes: 90,
    from: null,
    until: null,
    ...changes,
  };
  return scheduleText(schedule, () => assert.fail('A recurring silence has no single range.'));
}

suite('the text of a silence’s schedule', () => {
  test('names the days of a week, in their order', () => {
    assert.equal(
      textOf({ kind: 'weekly', weekdays: [7, 6] }),
      'Saturdays and Sundays at 02:00 for 1 hour 30 minutes, America/New York',
    );
    assert.match(textOf({ kind: 'weekly', weekdays: [1, 2, 3, 4, 5, 6, 7] }), /^Every day at 02:00/);
  });

  test('names the days and weekdays of a month', () => {
    assert.match(
      textOf({ kind: 'monthly', daysOfMonth: [1, 2, 3, 11, -1] }),
      /^The 1st, 2nd, 3rd, 11th, and last day of each month at/,
    );
    assert.match(
      textOf({ kind: 'monthly_weekday', weeks: [1, -1], weekday: 7 }),
      /^The first and last Sunday of each month at/,
    );
  });

  test('names the first and the last day', () => {
    assert.match(
      textOf({ kind: 'weekly', weekdays: [1] }, { from: '2026-01-01', until: '2026-03-31' }),
      /New York, from 2026-01-01, until 2026-03-31$/,
    );
  });

  test('of a silence that applies once is its range', () => {
    const schedule = { kind: 'once', startsAt: '2026-01-15T10:00:00Z', endsAt: '2026-01-15T12:00:00Z' } as const;
    assert.equal(
      scheduleText(schedule, (from, to) => `${from} to ${to}`),
      'Once, 2026-01-15T10:00:00Z to 2026-01-15T12:00:00Z',
    );
  });
});

test('a matcher is a sentence without its capital', () => {
  assert.equal(matcherText({ label: 'environment', operator: '=', value: 'production' }), 'environment is production');
  assert.equal(matcherText({ label: 'proxy', operator: '!~', value: 'a.*' }), 'proxy doesn’t match a.*');
  assert.equal(matcherText({ label: 'app', operator: '=', value: '' }), 'app is empty');
});
