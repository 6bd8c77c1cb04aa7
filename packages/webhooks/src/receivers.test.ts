import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Receivers } from './receivers.ts';

const capacity = { total: 40, perReceiver: 8 };

function startAllotted(receivers: Receivers, limit = 1000): Record<string, number> {
  const allotted = receivers.allot(limit);
  for (const { lane, limit: count } of allotted) for (let n = 0; n < count; n++) receivers.started(lane);
  return Object.fromEntries(allotted.map(({ lane, limit: count }) => [lane, count]));
}

/** A receiver whose last attempt ended in this way. */
function withStanding(receivers: Receivers, lane: string, succeeded: boolean, latencyMs = 10): void {
  receivers.started(lane);
  receivers.ended(lane, succeeded, latencyMs);
}

test('a receiver gets one attempt until it has proven itself, and one again when it fails or is slow', () => {
  const receivers = new Receivers(capacity);
  receivers.want('a', 'new');
  assert.deepEqual(startAllotted(receivers), { a: 1 });
  receivers.want('a', 'new');
  assert.deepEqual(startAllotted(receivers), {});
  receivers.ended('a', true, 10);
  assert.deepEqual(startAllotted(receivers), { a: 8 });
  for (let n = 0; n < 8; n++) receivers.ended('a', true, 5000);
  receivers.want('a', 'new');
  assert.deepEqual(startAllotted(receivers), { a: 1 });
  receivers.ended('a', false, 10);
  assert.equal(receivers.standing('a'), 'failing');
});

test('failing receivers fill half of the capacity at most, unknown ones three quarters; proven ones always get in', () => {
  const receivers = new Receivers(capacity);
  for (let n = 0; n < 100; n++) {
    withStanding(receivers, `failing-${n}`, false);
    receivers.want(`failing-${n}`, 'backlog');
  }
  assert.equal(Object.keys(startAllotted(receivers)).length, 20);
  for (let n = 0; n < 100; n++) receivers.want(`unknown-${n}`, 'new');
  assert.equal(Object.keys(startAllotted(receivers)).length, 10);
  withStanding(receivers, 'proven', true);
  receivers.want('proven', 'new');
  assert.deepEqual(startAllotted(receivers), { proven: 8 });
});

test('proven receivers come first where there is little to share', () => {
  const receivers = new Receivers(capacity);
  withStanding(receivers, 'failing', false);
  withStanding(receivers, 'proven', true);
  for (const lane of ['failing', 'unknown', 'proven']) receivers.want(lane, 'new');
  assert.deepEqual(startAllotted(receivers, 8), { proven: 8 });
  assert.deepEqual(startAllotted(receivers, 1), { unknown: 1 });
  assert.deepEqual(startAllotted(receivers, 1), { failing: 1 });
});

test('a backlog is fetched by the handful, something new at once', () => {
  const receivers = new Receivers(capacity);
  withStanding(receivers, 'a', true);
  receivers.want('a', 'new');
  startAllotted(receivers);
  receivers.want('a', 'backlog');
  for (let n = 0; n < 3; n++) receivers.ended('a', true, 10);
  assert.deepEqual(startAllotted(receivers), {});
  receivers.ended('a', true, 10);
  assert.deepEqual(startAllotted(receivers), { a: 4 });
  receivers.ended('a', true, 10);
  receivers.want('a', 'new');
  assert.deepEqual(startAllotted(receivers), { a: 1 });
});
