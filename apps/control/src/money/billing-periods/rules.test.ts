import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openedPeriod, periodFrom, wholeOf } from './rules.ts';

const berlin = { unit: 'month', timeZone: 'Europe/Berlin' } as const;
const now = new Date('2026-03-10T12:00:00Z');
const opening = { calendar: berlin, lastEndsAt: null, firstTermAt: null, now };
const refusedAt = (field: string) => (error: unknown) =>
  field in ((error as { readonly errors?: object | null }).errors ?? {});

describe('a billing period', () => {
  test('is the calendar’s, in local time', () => {
    assert.deepEqual(openedPeriod({}, opening), { from: '2026-02-28T23:00:00Z', to: '2026-03-31T22:00:00Z' });
  });

  test('begins with the first term, or before', () => {
    const since = { ...opening, firstTermAt: '2026-01-20T00:00:00Z' };
    assert.equal(openedPeriod({}, since).from, '2025-12-31T23:00:00Z');
    assert.deepEqual(openedPeriod({ firstDay: '2026-01-15' }, since), {
      from: '2026-01-14T23:00:00Z',
      to: '2026-01-31T23:00:00Z',
    });
    assert.throws(() => openedPeriod({ firstDay: '2026-01-21' }, since), refusedAt('firstDay'));
    assert.throws(() => openedPeriod({ firstDay: '2026-03-11' }, opening), refusedAt('firstDay'));
    assert.throws(() => openedPeriod({ firstDay: '2020-01-01' }, opening), refusedAt('firstDay'));
  });

  test('begins where the one before ends, and not before that has ended', () => {
    const next = { ...opening, lastEndsAt: '2026-02-28T23:00:00Z' };
    assert.deepEqual(openedPeriod({}, next), openedPeriod({ firstDay: '2026-03-01' }, next));
    assert.throws(() => openedPeriod({ firstDay: '2026-02-28' }, next), /would overlap an existing one/);
    assert.throws(() => openedPeriod({ firstDay: '2026-03-02' }, next), /leave days that belong to none/);
    const ahead = { ...opening, lastEndsAt: '2026-03-31T22:00:00Z' };
    assert.throws(() => openedPeriod({}, ahead), /ends on 2026-03-31/);
  });

  test('may end early, and is then a part of its month', () => {
    const early = openedPeriod({ firstDay: '2026-02-10', lastDay: '2026-02-20' }, opening);
    assert.deepEqual(early, { from: '2026-02-09T23:00:00Z', to: '2026-02-20T23:00:00Z' });
    assert.deepEqual(wholeOf(early, berlin), { from: '2026-01-31T23:00:00Z', to: '2026-02-28T23:00:00Z' });
    assert.throws(() => openedPeriod({ firstDay: '2026-02-10', lastDay: '2026-03-01' }, opening), refusedAt('lastDay'));
    assert.throws(() => openedPeriod({ firstDay: '2026-02-10', lastDay: '2026-02-09' }, opening), refusedAt('lastDay'));
  });

  test('takes in the hours that a change of the time zone leaves over', () => {
    const lisbon = { unit: 'month', timeZone: 'Europe/Lisbon' } as const;
    const after = periodFrom('2026-01-31T23:00:00Z', lisbon);
    assert.deepEqual(after, { from: '2026-01-31T23:00:00Z', to: '2026-03-01T00:00:00Z' });
    assert.deepEqual(wholeOf(after, lisbon), after);
    const quarter = { unit: 'quarter', timeZone: 'Europe/Berlin' } as const;
    const rest = periodFrom('2026-01-31T23:00:00Z', quarter);
    assert.deepEqual(rest, { from: '2026-01-31T23:00:00Z', to: '2026-03-31T22:00:00Z' });
    assert.equal(wholeOf(rest, quarter).from, '2025-12-31T23:00:00Z', 'fees are shares of the quarter');
  });
});
