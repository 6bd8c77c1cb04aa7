/**
 * Runs one benchmark, `bench/main.ts NAME [PART …]`, which is the file `NAME.ts` here, and writes its report to
 * `results/NAME.md`. Some can measure their parts one by one.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';

/** What a benchmark's file exports. */
interface Benchmark {
  /**
   * Measures, and returns the method and the figures as Markdown.
   *
   * @param parts what to measure; empty: everything
   */
  run(parts: readonly string[]): Promise<string>;
}

const here = new URL('./', import.meta.url);
const names = (await readdir(here))
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -3));
const [name = '', ...parts] = process.argv.slice(2);
const module: unknown = names.includes(name) ? await import(new URL(`${name}.ts`, here).href) : null;
if (!isBenchmark(module)) {
  console.error(`Usage: npm run bench -- NAME [PART …], one of: ${names.join(', ')}`);
  process.exit(2);
}
const heading = `# bench/${name}\n\n${machine()}`;
const report = `${heading}\n\n${(await module.run(parts)).trim()}\n`;
const results = new URL('results/', here);
await mkdir(results, { recursive: true });
await writeFile(new URL(`${name}.md`, results), report);
process.stdout.write(report);

function isBenchmark(module: unknown): module is Benchmark {
  return typeof module === 'object' && module !== null && 'run' in module && typeof module.run === 'function';
}

function machine(): string {
  const memoryGigabytes = Math.round(totalmem() / 1024 ** 3);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpus().length} processors (${cpus()[0]?.model.trim()}), ${memoryGigabytes} GB, Node ${process.version}; load average at the start ${load}.`;
}
