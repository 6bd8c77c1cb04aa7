import { after, before, describe } from 'node:test';
import { createRedisCounters } from './redis.ts';
import { describeCounters, startTestRedis, type TestRedis, withoutRedis } from './testing.ts';

describe('redis', { skip: withoutRedis }, () => {
  let redis: TestRedis;
  before(async () => {
    redis = await startTestRedis();
  });
  after(() => redis.remove());

  describeCounters('redis', async () => {
    await redis.command('FLUSHALL');
    return createRedisCounters({ url: redis.url, nodes: () => 1 });
  });
});
