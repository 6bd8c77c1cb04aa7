import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { createMemoryCounters } from '@millrace/counters/memory';
import { manifestOf, type TestConfiguration } from '@millrace/gateway-configuration/testing';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import { createConsumerDirectory } from '../consumers/directory.ts';
import { defaultReach, testContent, testTarget } from '../testing.ts';
import { compileSnapshot, type LoadedSnapshot } from './compile.ts';

describe('a configuration that can’t be loaded', () => {
  const counters = createMemoryCounters();
  after(() => counters.close());
  const parts = {
    counters,
    consumers: createConsumerDirectory(),
    answers: createAnswerCache(1_000),
    fetchJson: () => Promise.reject(new Error()),
    reach: defaultReach,
  };
  const targetServers = { backend: testTarget('backend', 'http://127.0.0.1:1') };
  const sound = { content: testContent('customers') };
  const token = {
    kind: 'transform-headers',
    configuration: { set: [{ name: 'authorization', value: 'Bearer {{variables.TOKEN}}' }] },
  };
  const secured = { content: testContent('orders', { policies: [token] }) };

  const refusals: Readonly<Record<string, readonly [TestConfiguration, message: RegExp, deploymentId: string | null]>> =
    {
      'a target server that is not there': [
        { deployments: [sound, { content: testContent('orders', { routes: [{ targetServer: 'missing' }] }) }] },
        /^orders, revision 1: .*no target server missing/,
        'dep_prx_orders_1_1',
      ],
      'a secret variable without its value': [
        { deployments: [sound, secured], variables: { TOKEN: null } },
        /^orders, revision 1: .*TOKEN has no value/,
        'dep_prx_orders_1_1',
      ],
      'a variable that no header can hold': [
        { deployments: [sound, secured], variables: { TOKEN: 'two\nlines' } },
        /^orders, revision 1: .*TOKEN contains characters/,
        'dep_prx_orders_1_1',
      ],
      'no share of the calls': [
        {
          deployments: [
            { ...sound, weight: 0 },
            { ...sound, revision: 2, weight: 0 },
          ],
        },
        /No deployment at \/v1\/customers has a share/,
        'dep_prx_customers_2_1',
      ],
      'two proxies at one base path, neither of them alone': [
        { deployments: [sound, { ...sound, proxyId: 'prx_others' }] },
        /Two API proxies have the base path/,
        null,
      ],
    };
  function compile(configuration: TestConfiguration, previous: LoadedSnapshot | null = null) {
    const { manifest, contents } = manifestOf({ targetServers, ...configuration }, 1);
    return compileSnapshot(manifest, contents, new Map(), parts, previous);
  }
  for (const [cause, [configuration, message, deploymentId]] of Object.entries(refusals)) {
    test(`reports the deployment at fault: ${cause}`, async () => {
      await assert.rejects(compile(configuration), { name: 'SnapshotError', message, deploymentId });
    });
  }

  test('reports the later deployment of two proxies with one base path', async () => {
    const [other, canary] = [
      { ...sound, proxyId: 'prx_others' },
      { ...sound, revision: 2, weight: 0 },
    ];
    const message = /Two API proxies have the base path/;
    const refused = (previous: TestConfiguration, next: TestConfiguration, deploymentId: string | null) =>
      compile(previous).then((loaded) =>
        assert.rejects(compile(next, loaded), { name: 'SnapshotError', message, deploymentId }),
      );
    const blank = { content: testContent('blank') };
    await refused({ deployments: [sound] }, { deployments: [sound, other] }, 'dep_prx_others_1_1');
    await refused({ deployments: [blank, other] }, { deployments: [sound, other] }, 'dep_prx_customers_1_0');
    await refused({ deployments: [sound, canary] }, { deployments: [sound, canary, other] }, 'dep_prx_others_1_2');
    await refused({ deployments: [blank] }, { deployments: [sound, other] }, null);
  });
});
