/** A gateway node with so many proxies, `node.ts COUNT`, in a process of its own; prints what it costs as JSON. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { startTestGateway, testContent } from '../../packages/data-plane/src/testing.ts';

const count = Number(process.argv[2]);
const calls = 4_000;

const target = createServer((_, response) => response.end('ok'));
target.listen(0, '127.0.0.1');
await once(target, 'listening');
const targets = { backend: `http://127.0.0.1:${(target.address() as AddressInfo).port}` };
const gateway = await startTestGateway({ deployments: [], targets });
const policies = [{ kind: 'spike-arrest', configuration: { ratePerSecond: 10_000, burst: 1_000, per: 'route' } }];
const deploymentsOf = (amount: number) =>
  Array.from({ length: amount }, (_, index) => ({ content: testContent(`proxy-${index}`, { policies }) }));
await gateway.use({ deployments: deploymentsOf(1), targets });
const deployments = deploymentsOf(count);
globalThis.gc?.();
const memoryBefore = process.memoryUsage().rss;
const beganMs = performance.now();
await gateway.use({ deployments, targets });
const loadMs = performance.now() - beganMs;
globalThis.gc?.();
const bytes = process.memoryUsage().rss - memoryBefore;
// One proxy changes: the others are kept as they were compiled.
const changed = [...deployments.slice(1), { content: testContent('proxy-0', { policies: [] }) }];
const changeBeganMs = performance.now();
await gateway.use({ deployments: changed, targets });
const changeMs = performance.now() - changeBeganMs;

const agent = new Agent({ connections: 1 });
const ask = async (index: number) => {
  const path = `/v1/proxy-${(index * 7_919) % count}/orders`;
  const { statusCode, body } = await agent.request({ origin: gateway.url, path, method: 'GET' });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
};
for (let index = 0; index < calls / 4; index++) await ask(index);
const before = process.cpuUsage();
for (let index = 0; index < calls; index++) await ask(index);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ loadMs, changeMs, bytes, microseconds: (user + system) / calls }));
process.exit(0);
