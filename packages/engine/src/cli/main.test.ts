import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { textAt, writePdf } from '../read/pdf/written-pdf.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-cli-'));
});
after(() => rm(folder, { recursive: true }));

/** Runs the command as a shell would. */
function run(...values: string[]): Promise<{ code: number | null; lines: Record<string, unknown>[]; errors: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...values], (_error, output, errors) => {
      const lines = output.split('\n').filter((line) => line.startsWith('{'));
      resolve({ code: child.exitCode, lines: lines.map((line) => JSON.parse(line)), errors });
    });
  });
}

test('each file has its line of JSON, in the order given, and a failure shows in the exit code', async () => {
  const invoice = join(folder, 'invoice.pdf');
  const content = ['Invoice', 'Invoice number: 4711', 'Date: 2026-03-14', 'Total: 28.05 EUR']
    .map((line, index) => textAt(72, 700 - 20 * index, line))
    .join('');
  await writeFile(invoice, writePdf({ pages: [{ content }] }));
  const missing = join(folder, 'missing.pdf');
  const { code, lines } = await run(missing, invoice, '--type', 'invoice', '--include', 'provenance', '--workers', '1');
  assert.equal(code, 1);
  assert.deepEqual(
    lines.map((line) => line.file),
    [missing, invoice],
  );
  assert.deepEqual(Object.keys(lines[0] ?? {}), ['file', 'error']);
  const keys = ['file', 'doc_type', 'classification', 'fields', 'lines', 'confidence', 'provenance'];
  assert.deepEqual(Object.keys(lines[1] ?? {}), keys);
  assert.equal(lines[1]?.doc_type, 'invoice');
});

test('wrong arguments are named', async () => {
  const unknown = await run('a.pdf', '--type', 'novel');
  assert.equal(unknown.code, 2);
  assert.match(unknown.errors, /no document type 'novel'/);
  assert.match((await run('a.pdf', '--ocr-languages', 'he,tlh')).errors, /'tlh' is none of them/);
  assert.equal((await run()).code, 2);
});
