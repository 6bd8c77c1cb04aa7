import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRedisUrl } from './address.ts';

const plain = { path: null, host: 'redis', port: 6379, tls: false, username: null, password: null, database: 0 };

describe('URLs of Redis servers', () => {
  it('are read', () => {
    assert.deepEqual(parseRedisUrl('redis://redis'), plain);
    assert.deepEqual(parseRedisUrl('rediss://ada:p%40ss@redis:7000/2'), {
      ...plain,
      port: 7000,
      tls: true,
      username: 'ada',
      password: 'p@ss',
      database: 2,
    });
    assert.deepEqual(parseRedisUrl('redis://:secret@[::1]/'), { ...plain, host: '::1', password: 'secret' });
    assert.deepEqual(parseRedisUrl('unix:///run/redis%20a.sock?db=1'), {
      ...plain,
      path: '/run/redis a.sock',
      host: '',
      database: 1,
    });
  });

  it('are refused without telling them', () => {
    for (const url of ['', 'redis', 'http://secret@redis', 'redis://:secret@redis/x', 'redis://:secret@']) {
      assert.throws(
        () => parseRedisUrl(url),
        ({ message }: Error) => !message.includes('secret'),
      );
    }
  });
});
