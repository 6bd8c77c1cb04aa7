import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type DescribedRule, ruleSentences } from './rule-text.ts';

const rule: DescribedRule = {
  metric: 'error_rate',
  latencyPart: 'total',
  operator: '>',
  threshold: 5,
  clearThreshold: null,
  durationSeconds: 60,
  keepFiringSeconds: 120,
  minimumRequests: 20,
  noData: 'ok',
  environment: 'Production',
  proxy: 'Orders',
  app: null,
  product: null,
  integrations: [],
  escalateAfterMinutes: null,
};

function sentencesOf(changes: Partial<DescribedRule>): readonly string[] {
  return ruleSentences({ ...rule, ...changes }, (unit, value) => `${value} ${unit}`);
}

suite('the summary of an alert rule', () => {
  test('says when it fires and resolves, what doesn’t count, and who is notified', () => {
    assert.deepEqual(sentencesOf({}), [
      'Fires for Orders in Production when the share of 5xx answers is above 5 percent for 1 minute.',
      'A value of fewer than 20 requests within 5 minutes doesn’t count.',
      'Resolves once the value has been at or below 5 percent for 2 minutes.',
      'Without data it doesn’t fire.',
      'Nobody is notified: its incidents are only shown here.',
    ]);
  });

  test('names what every alert is of', () => {
    const scopes = [
      { proxy: null },
      { proxy: null, environment: null },
      { environment: null },
      { app: 'Shop', product: 'Basics' },
      { metric: 'quota_used' as const, app: 'Shop' },
      { metric: 'node_offline' as const },
    ].map((changes) => /^Fires for (.+) when/.exec(sentencesOf(changes)[0]!)?.[1]);
    assert.deepEqual(scopes, [
      'each API proxy in Production',
      'each API proxy and environment',
      'Orders in each environment',
      'Orders in Production, counting only requests of Shop through Basics,',
      'each subscription of Shop',
      'each gateway node of Production',
    ]);
  });

  test('leaves out what a metric doesn’t use', () => {
    assert.deepEqual(sentencesOf({ metric: 'node_offline', durationSeconds: 0, keepFiringSeconds: 0 }), [
      'Fires for each gateway node of Production when it is offline at one evaluation.',
      'Resolves once that has no longer been so.',
      'Nobody is notified: its incidents are only shown here.',
    ]);
  });

  test('uses the clear threshold and the part of a latency', () => {
    const sentences = sentencesOf({ metric: 'latency_p95', latencyPart: 'target', operator: '>=', clearThreshold: 3 });
    assert.match(sentences[0]!, /the 95th percentile of the target’s time is at or above 5 milliseconds/);
    assert.equal(sentences[2], 'Resolves once the value has been below 3 milliseconds for 2 minutes.');
  });

  test('gives the order of escalation', () => {
    const last = (changes: Partial<DescribedRule>) => sentencesOf(changes).at(-1);
    const integrations = ['Slack', 'Pager', 'Mail'];
    assert.equal(last({ integrations }), 'Notifies Slack, Pager, and Mail.');
    assert.equal(
      last({ integrations, escalateAfterMinutes: 10 }),
      'Notifies Slack first; Pager and Mail after another 10 minutes each if nobody acknowledges.',
    );
  });
});
