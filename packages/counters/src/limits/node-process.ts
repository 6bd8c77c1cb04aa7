/** Entry point of a node in a process of its own: counts what its parent sends, until the parent lets go of it. */
import { createRedisCounters } from '../redis.ts';
import { countAll, type NodeOptions, type Requests } from './node.ts';

const { url, nodes }: NodeOptions = JSON.parse(process.argv[2] ?? '');
const counters = createRedisCounters({ url, nodes: () => nodes });

process.on('message', async ({ id, requests }: { readonly id: number; readonly requests: Requests }) => {
  const outcome = await countAll(counters, requests);
  if (process.connected) process.send?.({ id, outcome });
});
process.once('disconnect', () => counters.close());
process.send?.('ready');
