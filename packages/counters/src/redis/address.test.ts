import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRedisUrl } from './address.ts';

const plain = {
  kind: 'server',
  servers: [{ path: null, host: 'redis', port: 6379 }],
  tls: false,
  username: null,
  password: null,
  database: 0,
  primaryName: '',
  sentinelUsername: null,
  sentinelPassword: null,
};
const at = (host: string, port = 6379, path: string | null = null) => ({ path, host, port });

describe('URLs of Redis', () => {
  it('are read', () => {
    assert.deepEqual(parseRedisUrl('redis://redis'), plain);
    assert.deepEqual(parseRedisUrl('rediss://ada:p%40ss@redis:7000/2'), {
      ...plain,
      servers: [at('redis', 7000)],
      tls: true,
      username: 'ada',
      password: 'p@ss',
      database: 2,
    });
    assert.deepEqual(parseRedisUrl('redis://:secret@[::1]/'), { ...plain, servers: [at('::1')], password: 'secret' });
    assert.deepEqual(parseRedisUrl('unix:///run/redis%20a.sock?db=1'), {
      ...plain,
      servers: [at('', 6379, '/run/redis a.sock')],
      database: 1,
    });
  });

  it('are read with several sentinels or servers of a cluster', () => {
    const url =
      'rediss+sentinel://ada:p%40ss@one,two:7,[::1]:8/my%20limits/3?sentinelUsername=eve&sentinelPassword=p%26w';
    assert.deepEqual(parseRedisUrl(url), {
      kind: 'sentinel',
      servers: [at('one', 26379), at('two', 7), at('::1', 8)],
      tls: true,
      username: 'ada',
      password: 'p@ss',
      database: 3,
      primaryName: 'my limits',
      sentinelUsername: 'eve',
      sentinelPassword: 'p&w',
    });
    assert.deepEqual(parseRedisUrl('redis+cluster://:secret@one:7000,two'), {
      ...plain,
      kind: 'cluster',
      servers: [at('one', 7000), at('two')],
      password: 'secret',
    });
  });

  it('are refused without showing them', () => {
    for (const url of [
      '',
      'redis',
      'http://secret@redis',
      'redis://:secret@redis/x',
      'redis://:secret@',
      'redis://:secret@one,two',
      'redis+sentinel://:secret@one',
      'redis+sentinel://:secret@one/limits/x',
      'redis+cluster://:secret@one,/',
      'redis+cluster://:secret@one/1',
      'redis+cluster://:secret@one:port',
      `redis+cluster://:secret@${Array.from({ length: 65 }, (_, index) => `host${index}`).join(',')}`,
    ]) {
      assert.throws(
        () => parseRedisUrl(url),
        ({ message }: Error) => message !== '' && !message.includes('secret'),
        url,
      );
    }
  });
});
