import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLogger } from './logs.ts';

describe('logs', () => {
  const written = (write: (logger: ReturnType<typeof createLogger>) => void, isTTY = false): string => {
    let text = '';
    write(
      createLogger('info', {
        isTTY,
        write: (line) => {
          text += line;
        },
      }),
    );
    return text;
  };

  test('a line is one JSON object', () => {
    const line = JSON.parse(written((logger) => logger.info({ job: 'job_1', engineMs: 12 }, 'extracted')));
    assert.deepEqual({ ...line, time: '' }, { level: 'info', time: '', job: 'job_1', engineMs: 12, msg: 'extracted' });
    assert.match(line.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('of an error, only the name, code, message and stack are written', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(someone@example.com) already exists.',
      parameters: ['a secret'],
      cause: Object.assign(new Error('below'), { request: { headers: { 'x-api-key': 'a secret' } } }),
    });
    const text = written((logger) => logger.error({ error }, 'failed'));
    assert.match(text, /"code":"23505","message":"duplicate key"/);
    assert.match(text, /"cause":\{"name":"Error","message":"below"/);
    assert.doesNotMatch(text, /someone@example|a secret/);
  });

  test('on a terminal a line is readable', () => {
    const text = written((logger) => logger.warn({ job: 'job_1', attempt: 2 }, 'tried again'), true);
    assert.match(text, /^\d\d:\d\d:\d\d warn {2}tried again {2}job=job_1 {2}attempt=2\n$/);
  });
});
