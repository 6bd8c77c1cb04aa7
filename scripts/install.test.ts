import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const script = readFileSync(join(root, 'scripts/install'), 'utf8');
const firstWorkspaces = (/extraction='([^']+)'/.exec(script)?.[1] ?? '').split(/\s+/);

interface Workspace {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
}

test('the first stage installs everything that `npm start` imports before the second', () => {
  const workspaces = new Map<string, { readonly folder: string; readonly exports: Readonly<Record<string, string>> }>();
  for (const path of globSync('{apps,packages}/*/package.json', { cwd: root })) {
    const { name, exports = {} }: Workspace = JSON.parse(readFileSync(join(root, path), 'utf8'));
    workspaces.set(name, { folder: dirname(path), exports });
  }
  const visited = new Set<string>();
  const needed = new Map<string, string>();
  const visit = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    for (const specifier of importsOf(file)) {
      const relative = specifier.startsWith('.') ? join(dirname(file), specifier) : null;
      if (relative !== null) {
        if (existsSync(join(root, relative))) visit(relative);
        continue;
      }
      const name = specifier.split('/').slice(0, 2).join('/');
      const workspace = workspaces.get(name);
      if (workspace === undefined) continue;
      needed.set(workspace.folder, file);
      const target = workspace.exports[`.${specifier.slice(name.length)}`];
      assert.ok(target !== undefined, `${file} imports ${specifier}, which is not exported`);
      visit(join(workspace.folder, target));
    }
  };
  visit('scripts/start.ts');
  for (const [folder, file] of needed) {
    assert.ok(firstWorkspaces.includes(folder), `${file} imports ${folder}; add it to scripts/install`);
  }
  assert.ok(visited.size > 50, 'the imports were not followed');
});

/** What a file imports, without types; for `scripts/start.ts`, only its static imports. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const atOnce = text.matchAll(/^(?:import|export) (?!type\b)(?:[^;'"]*? from )?'([^']+)'/gm);
  const later = text.matchAll(/(?:import\(|new URL\()\s*'([^']+)'/g);
  return [...atOnce, ...(file === 'scripts/start.ts' ? [] : later)].map((match) => match[1] ?? '');
}

/** Only workspaces, so that npm needs no registry. */
suite('an installation', { concurrency: false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-install-'));
  const env = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_offline: 'true' };
  const state = join(folder, '.install.lock');
  const at = (workspace: string) => join(folder, 'node_modules/@example', workspace);
  after(() => rmSync(folder, { recursive: true, force: true }));

  mkdirSync(join(folder, 'scripts'));
  cpSync(join(root, 'scripts/install'), join(folder, 'scripts/install'));
  const workspaces = [...firstWorkspaces, 'apps/console', 'bench'];
  for (const workspace of workspaces) {
    mkdirSync(join(folder, workspace), { recursive: true });
    const name = `@example/${workspace.split('/').at(-1)}`;
    writeFileSync(join(folder, workspace, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'example', version: '1.0.0', workspaces }));

  const install = (wanted: string, ...more: string[]) =>
    promisify(execFile)('sh', ['scripts/install', wanted, ...more], { cwd: folder, env });
  const isInstalled = (wanted: string) =>
    install(wanted, '--check').then(
      () => true,
      () => false,
    );

  test('starts with what the extraction service needs, and adds the rest without touching it', async () => {
    await promisify(execFile)('npm', ['install', '--package-lock-only'], { cwd: folder, env });
    assert.equal(await isInstalled('extraction'), false);
    await install('extraction');
    assert.equal(existsSync(at('engine')), true);
    assert.equal(existsSync(at('console')), false);
    assert.equal(await isInstalled('extraction'), true);
    assert.equal(await isInstalled('everything'), false);
    const before = lstatSync(at('engine'));
    await install('everything');
    assert.equal(existsSync(at('console')), true);
    assert.equal(await isInstalled('everything'), true);
    const now = lstatSync(at('engine'));
    assert.deepEqual([now.ino, now.mtimeMs], [before.ino, before.mtimeMs]);
  });

  test('leaves a complete installation alone', async () => {
    const { stderr } = await install('everything');
    assert.equal(stderr, '');
    assert.equal((await install('extraction')).stderr, '');
  });

  test('follows a lock that has changed', async () => {
    const future = new Date(Date.now() + 1000);
    utimesSync(join(folder, 'package-lock.json'), future, future);
    assert.equal(await isInstalled('extraction'), false);
    await delay(1000);
    await install('extraction');
    assert.equal(await isInstalled('everything'), true);
  });

  test('starts over after an interrupted one', async () => {
    writeFileSync(state, 'interrupted\n');
    mkdirSync(at('half'));
    assert.equal(await isInstalled('extraction'), false);
    await install('everything');
    assert.equal(existsSync(at('half')), false);
    assert.equal(await isInstalled('everything'), true);
  });

  test('that fails reports it and keeps what was installed', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true });
    await install('extraction');
    const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
    const project = readFileSync(join(folder, 'apps/console/package.json'), 'utf8');
    writeFileSync(
      join(folder, 'apps/console/package.json'),
      JSON.stringify({ ...JSON.parse(project), dependencies: { missing: '1.0.0' } }),
    );
    await assert.rejects(install('everything'), /ENOTCACHED/);
    assert.equal(await isInstalled('extraction'), true);
    writeFileSync(join(folder, 'apps/console/package.json'), project);
    assert.equal(readFileSync(join(folder, 'package-lock.json'), 'utf8'), lock);
    await install('everything');
    assert.equal(await isInstalled('everything'), true);
  });

  test('runs once for concurrent commands, and again if the first one was killed', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true });
    const killed = spawn('sh', ['scripts/install', 'everything'], { cwd: folder, env, stdio: 'ignore' });
    const ended = new Promise((resolve) => killed.once('exit', resolve));
    while (readFileSync(state, 'utf8') !== 'interrupted\n') await delay(5);
    killed.kill('SIGKILL');
    await ended;
    assert.equal(await isInstalled('extraction'), false);
    const outputs = await Promise.all([install('everything'), install('extraction'), install('everything')]);
    assert.equal(outputs.filter(({ stderr }) => stderr.includes('Installing')).length <= 2, true);
    assert.equal(await isInstalled('everything'), true);
  });
});
