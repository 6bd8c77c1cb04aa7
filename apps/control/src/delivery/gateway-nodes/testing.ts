import assert from 'node:assert/strict';
import type { Heartbeat } from '@millrace/gateway-configuration/reports';
import { newSealingKeys } from '@millrace/gateway-configuration/sealing';
import { newId } from '@millrace/identifiers';
import type { TestAnswer, TestCaller, TestControl } from '../../testing.ts';

/** A gateway node that has registered, as it looks to the management API. */
export interface TestNode {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly verificationKey: string;
  readonly privateKey: string;
  call: TestCaller['call'];
  /** Reports its health: healthy and without a configuration, except for what is given. */
  beat(fields?: Partial<Heartbeat>): Promise<TestAnswer>;
  /** Loads the newest configuration, and says so. */
  load(): Promise<number>;
}

const metrics = {
  cpuPercent: 12.5,
  memoryBytes: 1_000_000,
  connections: 4,
  requestsPerSecond: 10.5,
  errorsPerSecond: 0,
  eventLoopDelayMs: 0.2,
  spooledBatches: 0,
};

/** Registers a node of an environment, from the token that an administrator got for it. */
export async function addNode(
  control: TestControl,
  administrator: TestCaller,
  environmentId: string,
): Promise<TestNode> {
  const name = `node-${newId('gwn').slice(-8)}`;
  const created = await administrator.call('POST', '/gateway-nodes', { environmentId, name });
  assert.equal(created.status, 201, JSON.stringify(created.data));
  return register(control, created.data.registrationToken, name);
}

/** Registers with a registration token. */
export async function register(control: TestControl, registrationToken: string, name = ''): Promise<TestNode> {
  const { publicKey, privateKey } = newSealingKeys();
  const registered = await control.call('POST', '/gateway/registrations', { registrationToken, publicKey });
  assert.equal(registered.status, 201, JSON.stringify(registered.data));
  const { nodeId, nodeToken, verificationKey } = registered.data;
  const call: TestCaller['call'] = (method, path, body, headers = {}) =>
    control.call(method, path, body, { authorization: `Bearer ${nodeToken}`, ...headers });
  const beat: TestNode['beat'] = (fields = {}) =>
    call('POST', '/gateway/heartbeats', {
      software: 'test',
      startedAt: '2026-01-15T09:00:00.000Z',
      configuration: null,
      consumersSequence: 0,
      refused: null,
      ready: true,
      drain: 'none',
      targets: [],
      metrics,
      ...fields,
    });
  return {
    id: nodeId,
    name,
    token: nodeToken,
    verificationKey,
    privateKey,
    call,
    beat,
    load: async () => {
      const { data } = await call('GET', '/gateway/configuration');
      const { sequence } = JSON.parse(data.configuration.manifest.text);
      await beat({ configuration: { sequence, hash: data.configuration.hash } });
      return sequence;
    },
  };
}
