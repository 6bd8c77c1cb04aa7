import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Counted } from './counters.ts';
import { createMemoryCounters } from './memory.ts';
import { KeyedCounter, StateTable } from './state-table.ts';
import { describeCounters } from './testing.ts';

describeCounters('memory', async () => createMemoryCounters());

/** Counters whose clock stands until it is moved. */
function open(maxKeys?: number) {
  let now = 1_000_000;
  const clock = () => now;
  const counters = createMemoryCounters({ nowMs: clock, monotonicMs: clock, ...(maxKeys && { maxKeys }) });
  return {
    counters,
    quota: (key: string, limit: number, windowEndMs: number) =>
      counters.quota(key).count({ limit, windowEndMs, mode: 'strict' }) as Counted,
    rate: (key: string, intervalMs: number, burst: number) =>
      counters.rate(key).count({ intervalMs, burst, mode: 'strict' }) as Counted,
    wait(ms: number) {
      now += ms;
    },
    now: clock,
  };
}

describe('memory counters', () => {
  it('are exact for rates whose interval is no whole number', () => {
    for (const perSecond of [3, 7, 30, 999, 43_217]) {
      const { rate, wait } = open();
      const burst = 50;
      let admitted = 0;
      for (let request = 0; request < burst + 5; request++)
        admitted += Number(rate('a', 1_000 / perSecond, burst).admitted);
      assert.equal(admitted, burst, `the burst at ${perSecond} a second`);
      for (let step = 0; step < 10_000; step++) {
        wait(0.5 + (step % 7) / 10);
        while (rate('a', 1_000 / perSecond, burst).admitted) admitted++;
      }
      const most = burst + (perSecond * 8_000) / 1_000;
      assert(admitted <= most && admitted > most * 0.95, `${admitted} of ${most} at ${perSecond} a second`);
    }
  });

  it('go back to no earlier window when the clock is set back', () => {
    const { quota, now } = open();
    const end = now() + 1_000;
    assert.equal(quota('a', 1, end).admitted, true);
    assert.equal(quota('a', 1, end + 60_000).admitted, true, 'the next window');
    assert.equal(quota('a', 1, end).admitted, false);
    assert.equal(quota('a', 1, end + 60_000).admitted, false);
  });

  it('admit no key beyond its limit, and none that used it up again, in a flood of keys', () => {
    const { quota, now } = open(1_000);
    const end = now() + 60_000;
    assert.equal(quota('attacker', 1, end).admitted, true);
    let admitted = 0;
    for (let key = 0; key < 50_000; key++) {
      admitted += Number(quota(`flood-${key}`, 1, end).admitted);
      if (key % 1_000 === 0) assert.equal(quota('attacker', 1, end).admitted, false);
    }
    assert(admitted >= 1_000 && admitted < 10_000, `${admitted} of 50,000: those beyond are counted together`);
    for (let key = 0; key < 50_000; key += 7) assert.equal(quota(`flood-${key}`, 1, end).admitted, false);
  });

  it('remember what was counted together when a key has a count of its own again', () => {
    const { quota, wait, now } = open(100);
    const soon = now() + 1_000;
    const late = now() + 1_000_000;
    for (let key = 0; key < 100; key++) quota(`early-${key}`, 5, soon);
    for (let request = 0; request < 3; request++) assert.equal(quota('a', 3, late).admitted, true);
    wait(120_000);
    // The early ones are forgotten, and there is room for this one.
    for (let key = 0; key < 60; key++) quota(`other-${key}`, 5, late);
    assert.equal(quota('a', 3, late).admitted, false);
  });

  it('count together by a kept counter and by new ones, when it was forgotten and in a flood of keys', () => {
    const { counters, quota, wait, now } = open(100);
    const kept = counters.quota('a');
    const admitted = (windowEndMs: number) => {
      let passed = 0;
      for (let request = 0; request < 10; request++) {
        const counter = request % 2 === 0 ? kept : counters.quota('a');
        passed += Number((counter.count({ limit: 4, windowEndMs, mode: 'strict' }) as Counted).admitted);
      }
      return passed;
    };
    assert.equal(admitted(now() + 1_000), 4);
    wait(120_000);
    const end = now() + 1_000_000;
    for (let key = 0; key < 150; key++) quota(`other-${key}`, 5, end);
    assert(admitted(end) <= 4, 'without a place of its own');
    wait(2_000_000);
    const later = now() + 1_000_000;
    for (let key = 0; key < 60; key++) quota(`later-${key}`, 5, later);
    assert.equal(admitted(later), 4, 'with one again');
  });

  it('remember rates in a flood of keys', () => {
    const { rate, wait } = open(100);
    for (let key = 0; key < 1_000; key++) rate(`flood-${key}`, 1_000, 2);
    let admitted = 0;
    for (let request = 0; request < 10; request++) admitted += Number(rate('a', 1_000, 2).admitted);
    assert(admitted <= 2);
    wait(10_000);
    assert.equal(rate('a', 1_000, 2).admitted, true);
  });
});

/** Counts under a key until then. */
function keep(table: StateTable<KeyedCounter>, key: string, stateClass: number, until: number): void {
  const place = table.find(new KeyedCounter(key, table), stateClass);
  table.numbers[place + 1] = until;
}

describe('the table of states', () => {
  it('forgets what has expired, without ever being full of it', () => {
    let now = 0;
    const table = new StateTable(10_000, () => now);
    for (let key = 0; key < 100_000; key++) {
      now += 1;
      keep(table, String(key), 1, now + 100);
    }
    assert(table.size < 1_000, `${table.size}`);
  });

  it('lets go of buckets once nothing in them matters', () => {
    let now = 0;
    const table = new StateTable(10, () => now);
    const flood = (stateClass: number) => {
      for (let key = 0; key < 3_000; key++) keep(table, `${stateClass}-${key}`, stateClass, now + 1);
    };
    // More classes than may have buckets at the same time.
    for (let stateClass = 0; stateClass < 200; stateClass++) {
      flood(stateClass);
      now += 10;
    }
  });

  it('fails rather than forget where there is no room for buckets either', () => {
    const table = new StateTable(1, () => 0);
    const addClasses = () => {
      for (let stateClass = 0; stateClass < 100; stateClass++) keep(table, `a-${stateClass}`, stateClass, 1);
    };
    assert.throws(addClasses, /no room/);
  });
});
