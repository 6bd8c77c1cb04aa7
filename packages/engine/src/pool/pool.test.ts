import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '@millrace/eventually';
import { EngineError, type EngineErrorCode, engineErrorCodes } from '../errors.ts';
import { textAt, writePdf } from '../read/pdf/written-pdf.ts';
import { type Bomb, makeBombs } from './bombs.ts';
import { createEnginePool, type EnginePool } from './pool.ts';
import { usageOf } from './usage.ts';

const limits = { sizeBytes: 20_000_000, pages: 50 };
const options = { docType: 'general', fields: null, limits } as const;
const letter = writePdf({ pages: [{ content: textAt(72, 700, 'Dear customer, your balance is 12.00 EUR.') }] });

const full = process.env.MILLRACE_FULL === '1';

/**
 * What ends a bomb is what it uses, not the time that a busy machine takes. Most bombs only end at the limit, so that a
 * lower one makes the tests shorter.
 */
const pool = createEnginePool({
  workers: 2,
  pageTimeoutMs: 600_000,
  queueLimit: 1_000,
  // Each bomb costs a process.
  isShortLived: true,
  ...(full ? {} : { cpuLimitShare: 0.1 }),
});
after(() => pool.close());

let made: Promise<readonly Bomb[]> | null = null;
/** Made once, and only where a test needs them: some unfold half a gigabyte to be packed. */
function allBombs(): Promise<readonly Bomb[]> {
  made ??= makeBombs();
  return made;
}

/** How a document fared: `done`, or the code of its error. Anything else fails the test. */
async function fate(bytes: Uint8Array, from: EnginePool = pool): Promise<EngineErrorCode | 'done'> {
  try {
    await from.extract(bytes, options);
    return 'done';
  } catch (error) {
    assert.ok(error instanceof EngineError, `${error}`);
    assert.ok(engineErrorCodes.includes(error.code) && error.message.length > 20);
    return error.code;
  }
}

test('a document comes back extracted, or fails by a code', async () => {
  assert.equal(await fate(letter), 'done');
  assert.equal(await fate(Buffer.from('%PDF-1.4 nothing')), 'corrupt_document');
  assert.equal(await fate(Buffer.from('plain text')), 'unsupported_file_type');
  assert.equal(await fate(Buffer.alloc(0)), 'empty_document');
});

test('pages are counted without reading them', async () => {
  const page = { content: textAt(72, 700, 'Page') };
  const seven = writePdf({ pages: Array.from({ length: 7 }, () => page) });
  assert.equal(await pool.countPages(seven, limits), 7);
  assert.equal(await pool.countPages(Buffer.from('89504e470d0a1a0a', 'hex'), limits), 1, 'a picture');
  const refused = (bytes: Uint8Array, code: EngineErrorCode, pages = 50) =>
    assert.rejects(pool.countPages(bytes, { ...limits, pages }), { code });
  await refused(seven, 'too_many_pages', 6);
  await refused(Buffer.from('%PDF-1.4 nothing'), 'corrupt_document');
  await refused(Buffer.from('plain text'), 'unsupported_file_type');
});

test('files that are made to harm cost their own job an error and nobody else anything', async () => {
  const bombs = await allBombs();
  const fates = await Promise.all(
    bombs.map(async ({ name, bytes }) => {
      const [own, neighbour] = await Promise.all([fate(bytes), fate(letter)]);
      return { name, own, neighbour };
    }),
  );
  assert.deepEqual(
    fates.filter(({ neighbour }) => neighbour !== 'done'),
    [],
  );
  const ownFate = (name: string) => fates.find((bomb) => bomb.name === name)?.own;
  assert.equal(ownFate('ten thousand pages'), 'too_many_pages');
  assert.equal(ownFate('a PNG of 100,000 × 100,000'), 'corrupt_document');
  assert.equal(ownFate('a form that draws itself'), 'document_too_complex');
  assert.deepEqual(
    fates.filter(({ own }) => own === 'extraction_failed'),
    [],
    'none invites to send it again',
  );
});

const malformed =
  process.env.MILLRACE_SHARED_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const malformedFolder = join(malformed, 'malformed-pdfs');

test('malformed PDFs are read or fail by a code', {
  skip: !existsSync(malformedFolder) && 'the real data are not there',
}, async () => {
  const every = full ? 1 : 20;
  const files = readdirSync(malformedFolder).filter((name, index) => name.endsWith('.pdf') && index % every === 0);
  const fates = await Promise.all(files.map((name) => fate(readFileSync(join(malformedFolder, name)))));
  assert.ok(fates.filter((own) => own === 'done').length > files.length / 2, fates.join(' '));
});

test('a process that gets no processor for longer than its limits fails no document, and a bomb ends all the same', {
  skip: !existsSync('/proc/self') && 'needs /proc',
}, async () => {
  // Loading the models and reading the picture uses a few seconds.
  const pageCpuMs = 12_000;
  const others = new Set(ownChildren());
  const busy = createEnginePool({ workers: 1, pageCpuMs, cpuLimitShare: 0.2 });
  try {
    assert.equal(await fate(letter, busy), 'done');
    const [engine] = ownChildren().filter((id) => !others.has(id));
    const usedMs = () => usageOf(Number(engine))!.cpuMs;
    const before = usedMs();
    const receipt = fate(readFileSync(new URL('../../../../samples/receipt.jpg', import.meta.url)), busy);
    await eventually('the reading to begin', () => usedMs() > before + 200);
    process.kill(Number(engine), 'SIGSTOP');
    await sleep(pageCpuMs + 1_000);
    process.kill(Number(engine), 'SIGCONT');
    assert.equal(await receipt, 'done');
    const bomb = (await allBombs()).find(({ name }) => name === 'a form that draws itself');
    assert.ok(bomb);
    assert.equal(await fate(bomb.bytes, busy), 'document_too_complex');
  } finally {
    await busy.close();
  }
});

test('a page that takes more processor time than it may fails as too complex, one that hangs as failed', {
  skip: !existsSync('/proc/self') && 'needs /proc',
}, async () => {
  const receipt = readFileSync(new URL('../../../../samples/receipt.jpg', import.meta.url));
  const poor = createEnginePool({ workers: 1, pageCpuMs: 100 });
  const impatient = createEnginePool({ workers: 1, pageTimeoutMs: 100 });
  try {
    assert.equal(await fate(receipt, poor), 'document_too_complex');
    assert.equal(await fate(receipt, impatient), 'extraction_failed');
    assert.equal(await fate(letter, poor), 'done');
  } finally {
    await Promise.all([poor.close(), impatient.close()]);
  }
});

test('too little memory fails the document, not the pool', async () => {
  const poor = createEnginePool({ workers: 1, memoryLimitBytes: 1 });
  try {
    const bomb = (await allBombs()).find(({ name }) => name === 'millions of operators');
    assert.ok(bomb);
    assert.equal(await fate(bomb.bytes, poor), 'document_too_complex');
    assert.equal(await fate(letter, poor), 'done');
  } finally {
    await poor.close();
  }
});

test('a process that is killed from outside costs its document nothing', {
  skip: !existsSync('/proc/self') && 'needs /proc',
}, async () => {
  const others = new Set(ownChildren());
  const alone = createEnginePool({ workers: 1 });
  try {
    assert.equal(await fate(letter, alone), 'done');
    const job = fate(letter, alone);
    const killed = ownChildren().filter((id) => !others.has(id));
    assert.equal(killed.length, 1);
    process.kill(Number(killed[0]), 'SIGKILL');
    assert.equal(await job, 'done');
  } finally {
    await alone.close();
  }
});

test('an aborted job ends at once, and so does its work', async () => {
  const hang = (await allBombs()).find(({ name }) => name === 'a form that draws itself');
  assert.ok(hang);
  const control = new AbortController();
  const job = pool.extract(hang.bytes, options, { signal: control.signal });
  const started = performance.now();
  setTimeout(() => control.abort(new Error('the caller hung up')), 200);
  await assert.rejects(job, /the caller hung up/);
  assert.ok(performance.now() - started < 60_000);
  assert.equal(await fate(letter), 'done');
});

test('more documents than may wait are refused', async () => {
  const small = createEnginePool({ workers: 1, queueLimit: 2 });
  try {
    const fates = await Promise.all(Array.from({ length: 5 }, () => fate(letter, small)));
    assert.ok(fates.includes('done') && fates.includes('extraction_failed'));
  } finally {
    await small.close();
  }
});

test('a process keeps what it has compiled for the next one, although it is killed', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-compiled-'));
  const given = process.env.NODE_COMPILE_CACHE;
  process.env.NODE_COMPILE_CACHE = folder;
  const alone = createEnginePool({ workers: 1 });
  if (given === undefined) delete process.env.NODE_COMPILE_CACHE;
  else process.env.NODE_COMPILE_CACHE = given;
  context.after(async () => {
    await alone.close();
    rmSync(folder, { recursive: true });
  });
  assert.equal(await fate(letter, alone), 'done');
  const isKept = () => readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
  await eventually('the compiled code', isKept);
});

test('processes end with a pool that is killed, see nothing of its environment and give way to it', {
  skip: !existsSync('/proc/self') && 'needs /proc',
}, async (context) => {
  const script = `
    const { createEnginePool } = await import(${JSON.stringify(new URL('./pool.ts', import.meta.url).href)});
    const pool = createEnginePool({ workers: 2 });
    createEnginePool({ workers: 1, niceness: 0 });
    await pool.read(Buffer.from(${JSON.stringify(letter.toString('base64'))}, 'base64'), ${JSON.stringify(limits)});
    console.log('ready');
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, MILLRACE_TEST_SECRET: 'do not pass on' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => parent.kill('SIGKILL'));
  await new Promise((resolve) => parent.stdout.once('data', resolve));
  const children = readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === parent.pid);
  assert.equal(children.length, 3);
  for (const child of children) {
    assert.doesNotMatch(readFileSync(`/proc/${child}/environ`, 'utf8'), /MILLRACE_TEST_SECRET/);
  }
  const own = getPriority(parent.pid);
  assert.deepEqual(children.map((child) => getPriority(Number(child)) - own).sort(), [0, 5, 5]);
  parent.kill('SIGKILL');
  await eventually('the end of the processes', () => children.every((child) => parentOf(child) === null));
});

function ownChildren(): readonly string[] {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && parentOf(id) === process.pid);
}

/** The parent's process number, or null where there is no such process, or only its remains. */
function parentOf(id: string): number | null {
  try {
    const status = readFileSync(`/proc/${id}/stat`, 'utf8');
    const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : Number(parent);
  } catch {
    return null;
  }
}
