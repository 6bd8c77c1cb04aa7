import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbedded, urlOf } from '@millrace/postgres/embedded';
import pg from 'pg';
import { fillPortal } from './portal/content.ts';

/**
 * Run from npm's cache rather than installed with the project: it brings 110 packages and 170 MB that nothing else needs,
 * an eighth of all that a checkout installs.
 */
const lighthouse = 'lighthouse@13.5.0';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const forms = ['mobile', 'desktop'] as const;
const least = 95;

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<
    Record<string, { readonly numericValue?: number; readonly score: number | null; readonly scoreDisplayMode: string }>
  >;
}

/** Holds the portal's pages against Lighthouse; see the report's own words for the method. */
export async function run(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-lighthouse-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbedded({ dataDirectory: join(folder, 'postgres') });
  stack.defer(() => postgres.stop());
  const child = fork(join(import.meta.dirname, 'portal/server.ts'), ['portal'], {
    env: {
      ...process.env,
      DATABASE_URL: urlOf(postgres.owner),
      MILLRACE_DATA_DIR: folder,
      MILLRACE_CONTROL_PORT: '0',
      MILLRACE_SEED: '0',
    },
    execArgv: [],
  });
  stack.defer(() => void child.kill());
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  const client = new pg.Client({ ...postgres.owner, options: '-c search_path=control -c millrace.tenant=*' });
  await client.connect();
  const portal = await fillPortal(client, { productCount: 60, operationCount: 12, largeCount: 1_000 });
  await client.end();

  const base = `${address}/portal/${portal.organization}`;
  const [product = ''] = portal.products;
  const pages = [
    ['home', '/'],
    ['catalog', '/catalog'],
    ['product', `/products/${product}`],
    ['operation', `/products/${product}/operations/${portal.operationsEach[1]}`],
    ['operation of 1,000', `/products/${portal.products.at(-1)}/operations/${portal.largeOperations[501]}`],
    ['guide', `/guides/${portal.guides[0]}`],
  ] as const;
  const rows: string[] = [];
  const below: string[] = [];
  for (const [name, path] of pages) {
    for (const form of forms) {
      const { categories: found, audits } = await check(`${base}${path}`, form, join(folder, 'report.json'));
      const scores = categories.map((category) => Math.round((found[category]?.score ?? 0) * 100));
      const metric = (audit: string) => Math.round(audits[audit]?.numericValue ?? Number.NaN).toLocaleString('en');
      const shift = (audits['cumulative-layout-shift']?.numericValue ?? Number.NaN).toFixed(3);
      rows.push(
        `| ${name} | ${form} | ${scores.join(' | ')} | ${metric('first-contentful-paint')} | ${metric('largest-contentful-paint')} | ${metric('total-blocking-time')} | ${shift} |`,
      );
      if (scores.some((score) => score < least)) below.push(`${name} (${form})`);
    }
  }
  return `${lighthouse} on the Chromium of the tests, with its own simulated network and processor: a slow 4G phone, and a desk's computer.
The portal has ${portal.products.length} products; its pages are as \`bench/portal.ts\` measures them. ${below.length === 0 ? `Every score is ${least} or more.` : `Below ${least}: ${below.join(', ')}.`}

| page | form | performance | accessibility | best practices | SEO | first paint ms | largest paint ms | blocked ms | layout shift |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}`;
}

async function check(url: string, form: (typeof forms)[number], output: string): Promise<Report> {
  const chromium = process.env.MILLRACE_CHROMIUM ?? '/usr/bin/chromium-headless-shell';
  await promisify(execFile)(
    'npm',
    [
      'exec',
      '--yes',
      `--package=${lighthouse}`,
      '--',
      'lighthouse',
      url,
      '--quiet',
      '--output=json',
      `--output-path=${output}`,
      `--only-categories=${categories.join(',')}`,
      '--chrome-flags=--headless --no-sandbox --disable-gpu',
      ...(form === 'desktop' ? ['--preset=desktop'] : []),
    ],
    { env: { ...process.env, CHROME_PATH: chromium }, timeout: 180_000 },
  );
  return JSON.parse(await readFile(output, 'utf8'));
}
