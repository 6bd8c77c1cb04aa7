/**
 * A process that counts requests until it is killed: `FOLDER PORT FIRST_TURN`. The file `progress` in the folder shows
 * which turn of the event loop was begun last, and which one ended last.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createLogger } from '@millrace/logs';
import { requestsOfTurn } from './testing.ts';
import { createUsage } from './usage.ts';

const [folder = '', port = '', firstTurn = ''] = process.argv.slice(2);
const progress = openSync(join(folder, 'progress'), 'w');
const turns = new Uint32Array(2);

const usage = createUsage({
  dataDirectory: folder,
  flushMs: 20,
  logger: createLogger('silent', process.stdout),
  async send(batch) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(batch) });
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
  },
});
for (let turn = Number(firstTurn); ; turn += 1) {
  turns[0] = turn;
  writeSync(progress, turns, 0, turns.byteLength, 0);
  for (const request of requestsOfTurn(turn)) usage.record(request);
  // Behind the writing of the journal, which was asked for before.
  await setImmediate();
  turns[1] = turn;
  writeSync(progress, turns, 0, turns.byteLength, 0);
  // Turns that bring nothing let the sockets and the disk have their time.
  for (let pause = 0; pause < 20; pause += 1) await setImmediate();
}
