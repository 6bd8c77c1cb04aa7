import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import type { Exchange } from '@millrace/policies/run';
import { defaultReach } from '../testing.ts';
import { createBalancer } from './balance.ts';
import type { Endpoint, Outcome, Target } from './endpoints.ts';
import { mayRepeat, RetryBudget } from './retry.ts';
import { createTarget } from './target.ts';

const exchange = {} as Exchange;
const ok: Outcome = { kind: 'answered', status: 200, headMs: 1 };
const failed: Outcome = { kind: 'failed', reason: 'ECONNREFUSED' };

function targetOf(
  endpoints: readonly { readonly port: number; readonly weight?: number }[],
  healthPath: string | null = null,
): Target {
  return createTarget(
    'backend',
    {
      id: 'tgt_1',
      scheme: 'http',
      enabled: true,
      healthPath,
      endpoints: endpoints.map(({ port, weight = 1 }) => ({ host: '127.0.0.1', port, weight })),
      tls: { serverName: null, certificateAuthorities: null, clientCertificate: null },
    },
    null,
    defaultReach,
  );
}

/** A balancer on a clock that the test moves. */
function balancerOf(target: Target) {
  let nowMs = 1_000;
  const balancer = createBalancer({ now: () => nowMs });
  balancer.use([target]);
  after(() => balancer.stop());
  return {
    balancer,
    pass: (ms: number) => {
      nowMs += ms;
    },
    pick: (tried: readonly Endpoint[] = []) => balancer.pickEndpoint(target, exchange, tried, nowMs),
    report: (endpoint: Endpoint, outcome: Outcome) => balancer.report(endpoint, outcome, nowMs),
    /** Sends a call that ends so, wherever it goes; false where it could go nowhere. */
    call: (outcomeOf: (endpoint: Endpoint) => Outcome) => {
      const endpoint = balancer.pickEndpoint(target, exchange, [], nowMs);
      if (endpoint === null) return false;
      balancer.report(endpoint, outcomeOf(endpoint), nowMs);
      return true;
    },
  };
}

describe('the choice of an endpoint', () => {
  test('calls are shared by weight', () => {
    const { pick } = balancerOf(targetOf([{ port: 1, weight: 3 }, { port: 2 }]));
    const ports = Array.from({ length: 40 }, () => pick()!.port);
    assert.equal(ports.filter((port) => port === 1).length, 30);
  });

  test('equal endpoints share calls that end immediately', () => {
    const { report, pick } = balancerOf(targetOf([{ port: 1 }, { port: 2 }, { port: 3 }]));
    const seen = new Map<number, number>();
    for (let call = 0; call < 300; call += 1) {
      const endpoint = pick()!;
      seen.set(endpoint.port, (seen.get(endpoint.port) ?? 0) + 1);
      report(endpoint, ok);
    }
    assert.deepEqual([...seen.values()], [100, 100, 100]);
  });

  test('an endpoint is not tried twice, and none of a disabled target is chosen', () => {
    const target = targetOf([{ port: 1 }, { port: 2 }]);
    const { pick, balancer } = balancerOf(target);
    const first = pick()!;
    const second = pick([first])!;
    assert.notEqual(first, second);
    assert.equal(pick([first, second]), null);
    assert.equal(balancer.pickEndpoint({ ...target, enabled: false }, exchange, [], 1_000), null);
  });

  test('an endpoint that fails five times in a row is ejected for ten seconds, then for twenty', () => {
    const target = targetOf([{ port: 1 }, { port: 2 }]);
    const { balancer, call, pass } = balancerOf(target);
    const failOnFirst = ({ port }: Endpoint) => (port === 1 ? failed : ok);
    const goesToFirst = () => {
      const ports = new Set<number>();
      for (let count = 0; count < 12; count += 1) {
        call(({ port }) => {
          ports.add(port);
          return ok;
        });
      }
      return ports.has(1);
    };

    for (let count = 0; count < 10; count += 1) call(failOnFirst);
    assert.deepEqual(
      balancer.states().map(({ state }) => state),
      ['ejected', 'healthy'],
    );
    assert.equal(goesToFirst(), false);
    pass(10_001);
    for (let count = 0; count < 10; count += 1) call(failOnFirst);
    pass(10_001);
    assert.equal(goesToFirst(), false);
    pass(10_001);
    assert.equal(goesToFirst(), true);
  });

  test('at most half are ejected: if all fail, some still get calls', () => {
    const { balancer, call } = balancerOf(targetOf([{ port: 1 }, { port: 2 }, { port: 3 }]));
    for (let count = 0; count < 18; count += 1) call(() => failed);
    assert.equal(balancer.states().filter(({ state }) => state === 'ejected').length, 1);
  });

  test('the circuit of a single endpoint opens if half of its calls fail, and closes after one successful trial', () => {
    const { balancer, report, call, pass, pick } = balancerOf(targetOf([{ port: 1 }]));
    for (let count = 0; count < 19; count += 1) assert(call(() => failed));
    assert(call(() => failed));
    assert.equal(
      call(() => ok),
      false,
      'open',
    );
    pass(5_001);
    const trial = pick()!;
    assert.equal(pick(), null, 'one trial at a time');
    report(trial, failed);
    pass(5_001);
    assert.equal(pick(), null, 'open for longer after a trial that failed');
    pass(5_001);
    assert(call(() => ok));
    assert.equal(balancer.states()[0]!.state, 'healthy');
    for (let count = 0; count < 5; count += 1) assert(call(() => failed));
    assert(
      call(() => ok),
      'what failed before it opened is forgotten',
    );
  });

  test('a trial whose caller disconnects is replaced by another', () => {
    const { balancer, call, pass, pick } = balancerOf(targetOf([{ port: 1 }]));
    for (let count = 0; count < 20; count += 1) call(() => failed);
    pass(5_001);
    balancer.release(pick()!);
    assert.notEqual(pick(), null);
  });

  test('few failures among many calls, or old ones, don’t open the circuit', () => {
    const { call, pass } = balancerOf(targetOf([{ port: 1 }]));
    for (let count = 0; count < 100; count += 1) assert(call(() => (count % 3 === 0 ? failed : ok)));
    for (let count = 0; count < 9; count += 1) assert(call(() => failed));
    pass(60_000);
    for (let count = 0; count < 15; count += 1) assert(call(() => failed));
  });

  test('a 500 is not a failure of the endpoint, a 503 is', () => {
    const { call } = balancerOf(targetOf([{ port: 1 }]));
    for (let count = 0; count < 50; count += 1) assert(call(() => ({ kind: 'answered', status: 500, headMs: 1 })));
    for (let count = 0; count < 50; count += 1) call(() => ({ kind: 'answered', status: 503, headMs: 1 }));
    assert.equal(
      call(() => ok),
      false,
    );
  });
});

describe('health checks', () => {
  test('an endpoint whose checks fail gets no calls until they succeed again, even across configuration changes', async () => {
    let status = 200;
    const server = http.createServer((request, response) => {
      response.statusCode = request.url === '/health' ? status : 404;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const target = targetOf([{ port }], '/health');
    const balancer = createBalancer({ healthCheckIntervalMs: 20 });
    after(() => balancer.stop());
    balancer.use([target]);
    const becomes = (wanted: string) =>
      eventually(`a ${wanted} endpoint`, () => balancer.states()[0]!.state === wanted);
    assert.equal(balancer.states()[0]!.state, 'healthy');
    status = 500;
    await becomes('unhealthy');
    assert.equal(balancer.pickEndpoint(target, exchange, [], performance.now()), null);
    balancer.use([target]);
    assert.equal(balancer.states()[0]!.state, 'unhealthy');
    status = 204;
    await becomes('healthy');
    assert.notEqual(balancer.pickEndpoint(target, exchange, [], performance.now()), null);
  });
});

describe('retries', () => {
  const attempt = { method: 'POST', sentBytes: 0, answered: false, bodyHeld: true, attempts: 1 };

  test('only unsent or idempotent requests with a complete body are retried, at most three times', () => {
    assert(mayRepeat(attempt));
    assert(!mayRepeat({ ...attempt, sentBytes: 1 }));
    assert(!mayRepeat({ ...attempt, method: 'PATCH', sentBytes: 10 }));
    assert(mayRepeat({ ...attempt, method: 'GET', sentBytes: 100 }));
    assert(!mayRepeat({ ...attempt, method: 'GET', sentBytes: 100, answered: true }));
    assert(!mayRepeat({ ...attempt, bodyHeld: false }));
    assert(!mayRepeat({ ...attempt, attempts: 3 }));
  });

  test('in the long run one request in ten is retried', () => {
    const budget = new RetryBudget();
    let repeated = 0;
    for (let request = 0; request < 1_000; request += 1) {
      budget.earn();
      if (budget.spend()) repeated += 1;
    }
    assert(repeated >= 100 && repeated <= 111, `${repeated}`);
  });
});
