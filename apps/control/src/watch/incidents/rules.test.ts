import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EvaluatedAlert } from './evaluated.ts';
import { applyEvaluation, type KeptIncident, refuseMove, type Transition, trafficPathOf } from './rules.ts';
import { testAlert, testRule } from './testing.ts';

const rule = testRule({ name: 'Orders fail' });
const startMs = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(startMs + seconds * 1_000);
const firing = (proxy: string, fields: Partial<EvaluatedAlert> = {}) => testAlert(proxy, fields);
const resolved = (proxy: string, fields: Partial<EvaluatedAlert> = {}) =>
  testAlert(proxy, { state: 'resolved', value: 1, ...fields });

/** Applies evaluations in order, each twice: the second time changes nothing. */
function run(
  kept: KeptIncident | null,
  ...evaluations: readonly { readonly seconds: number; readonly alerts: readonly EvaluatedAlert[] }[]
): { readonly incident: KeptIncident | null; readonly transitions: readonly Transition[] } {
  let incident = kept;
  const transitions: Transition[] = [];
  for (const { seconds, alerts } of evaluations) {
    const evaluated = { rule, group: { environmentId: null }, alerts, now: at(seconds) };
    const transition = applyEvaluation(incident, evaluated);
    if (transition === null) continue;
    transitions.push(transition);
    incident = transition.incident;
    assert.equal(applyEvaluation(incident, evaluated)?.outcome, 'none', 'applied again');
  }
  return { incident, transitions };
}

const outcomes = (transitions: readonly Transition[]) => transitions.map(({ outcome }) => outcome);
const kinds = ({ entries }: Transition) => entries.map(({ kind }) => kind);

describe('what an evaluation means to an incident', () => {
  test('opens at the first firing alert and resolves when all members recovered', () => {
    const { incident, transitions } = run(
      null,
      { seconds: 0, alerts: [resolved('orders')] },
      { seconds: 10, alerts: [firing('orders'), firing('carts', { value: 40 })] },
      { seconds: 20, alerts: [resolved('orders'), firing('carts', { value: 40 })] },
      { seconds: 30, alerts: [resolved('carts')] },
    );
    assert.deepEqual(outcomes(transitions), ['opened', 'updated', 'resolved']);
    assert.deepEqual(transitions.map(kinds), [
      ['opened', 'member_added'],
      ['member_recovered'],
      ['member_recovered', 'resolved'],
    ]);
    assert.equal(transitions[0]!.entries[0]!.text, 'carts, error rate: 40 %, above 5 %.');
    assert.deepEqual([incident!.state, incident!.peakValue, incident!.recoveredAt], ['resolved', 40, at(30)]);
  });

  test('records a changed value at most once a minute, and the last one once a minute has passed', () => {
    const alerts = (value: number) => [firing('orders', { value })];
    const { transitions } = run(
      null,
      ...[0, 10, 20, 30, 40, 50, 60, 70].map((seconds) => ({ seconds, alerts: alerts(seconds === 0 ? 9 : 20) })),
      { seconds: 200, alerts: alerts(20) },
      { seconds: 210, alerts: alerts(21) },
    );
    const measured = transitions.flatMap(({ entries }) => entries.filter(({ kind }) => kind === 'measured'));
    assert.deepEqual(
      measured.map(({ value }) => value),
      [20, 21],
    );
  });

  test('reopens from monitoring when an alert crosses again, and only notes its recovery', () => {
    const opened = run(null, { seconds: 0, alerts: [firing('orders')] }).incident!;
    const { incident, transitions } = run(
      { ...opened, state: 'monitoring' },
      { seconds: 10, alerts: [firing('orders', { value: 13 })] },
      { seconds: 20, alerts: [resolved('orders')] },
      { seconds: 30, alerts: [firing('orders', { since: at(30) })] },
    );
    assert.deepEqual(outcomes(transitions), ['updated', 'updated', 'reopened']);
    assert.deepEqual(transitions.map(kinds), [[], ['member_recovered', 'recovered'], ['member_added', 'reopened']]);
    assert.deepEqual([incident!.state, incident!.recoveredAt], ['open', null]);
  });

  test('opens another one only for a crossing after the resolution', () => {
    const opened = run(null, { seconds: 0, alerts: [firing('orders')] }).incident!;
    const byHand: KeptIncident = { ...opened, state: 'resolved' };
    const { transitions } = run(
      byHand,
      { seconds: 10, alerts: [firing('orders')] },
      { seconds: 20, alerts: [resolved('orders')] },
      { seconds: 30, alerts: [firing('orders')] },
      { seconds: 40, alerts: [firing('orders', { since: at(40) })] },
    );
    assert.deepEqual(outcomes(transitions), ['none', 'updated', 'none', 'opened']);
    assert.deepEqual(kinds(transitions[1]!), ['member_recovered', 'recovered']);
  });

  test('is suppressed as long as every firing alert is', () => {
    const silenced = { suppressedBy: 'sil_1' };
    const { transitions } = run(
      null,
      { seconds: 0, alerts: [firing('orders', silenced)] },
      { seconds: 10, alerts: [firing('orders', silenced), firing('carts', { inhibitedBy: 'other' })] },
      { seconds: 20, alerts: [firing('orders', silenced), firing('carts')] },
      { seconds: 30, alerts: [firing('orders', silenced), resolved('carts')] },
    );
    assert.deepEqual(outcomes(transitions), ['opened', 'updated', 'unsuppressed', 'suppressed']);
    assert.deepEqual(
      transitions.map(({ incident }) => incident.suppressed),
      [true, true, false, true],
    );
  });

  test('takes the lower value as worse where the threshold is a lower bound, and none as the least', () => {
    const below = { ...rule, metric: 'prepaid_balance' as const, operator: '<' as const };
    const alerts = [firing('a', { value: null }), firing('b', { value: 3 }), firing('c', { value: -2 })];
    const evaluated = { rule: below, group: { environmentId: null }, alerts, now: at(0) };
    assert.equal(applyEvaluation(null, evaluated)!.incident.value, -2);
  });

  test('survives any order of firing and resolving with what happened last', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let round = 0; round < 200; round++) {
      const since = new Map<string, Date>();
      let incident: KeptIncident | null = null;
      let opened = 0;
      let ended = 0;
      for (let step = 0; step < 40; step++) {
        const alerts = ['a', 'b', 'c'].flatMap((proxy): EvaluatedAlert[] => {
          const began = since.get(proxy);
          if (random() < 0.4) {
            if (began === undefined) since.set(proxy, at(step * 10));
            return [firing(proxy, { since: since.get(proxy)!, value: Math.round(random() * 100) })];
          }
          since.delete(proxy);
          return began === undefined ? [] : [resolved(proxy, { since: began })];
        });
        const transition: Transition | undefined = run(incident, { seconds: step * 10, alerts }).transitions[0];
        if (transition === undefined) continue;
        if (transition.outcome === 'opened') opened++;
        if (transition.outcome === 'resolved') ended++;
        incident = transition.incident;
        const { members, state }: KeptIncident = transition.incident;
        const fires = [...members.values()].filter((member) => member.state === 'firing');
        assert.equal(fires.length, since.size);
        assert.equal(state === 'open', since.size > 0);
        assert.equal(opened - ended, since.size > 0 ? 1 : 0);
      }
    }
  });
});

describe('moves of an incident', () => {
  test('are refused with the allowed ones', () => {
    assert.throws(() => refuseMove({ state: 'open' }, 'resolve'), /This incident is open\. Next: acknowledge it\./);
    assert.throws(() => refuseMove({ state: 'acknowledged' }, 'acknowledge'), /Next: monitor or resolve it\./);
    assert.throws(() => refuseMove({ state: 'resolved' }, 'monitor'), /resolved\. It can no longer be moved\./);
    assert.doesNotThrow(() => refuseMove({ state: 'monitoring' }, 'resolve'));
  });
});

test('the traffic around an incident begins a quarter of an hour before it', () => {
  const path = trafficPathOf({ openedAt: at(0), endedAt: at(600), environmentId: 'env_1', proxyIds: ['prx_1'] });
  const query = new URL(path, 'http://localhost').searchParams;
  assert.deepEqual(Object.fromEntries(query), {
    environmentId: 'env_1',
    proxyId: 'prx_1',
    from: '2025-12-31T23:45:00.000Z',
    to: '2026-01-01T00:25:00.000Z',
  });
});
