/**
 * Completes `package-lock.json` after an `npm install`, or only checks whether it is complete (`--check`).
 *
 * - Each package gets its tarball's URL, at a host that doesn't exist: `.npmrc` makes npm replace it with the
 *   configured registry (`replace-registry-host`). Without the URL, npm reads each package's whole index and writes
 *   each tarball to its cache once more, which doubles the time of an installation from a warm cache.
 * - npm leaves out a package for another platform if the current registry doesn't offer it, and `npm ci` then rejects
 *   the whole file. The entries added here contain only version and platform, which is all `npm ci` needs to skip them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface LockedPackage {
  /** Set if the folder has another name. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  /** Set for packages from a registry. */
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const path = resolve(import.meta.dirname, '..', 'package-lock.json');
const text = readFileSync(path, 'utf8');
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(text);
const packages: Record<string, object> = {};
for (const [folder, locked] of Object.entries(lock.packages)) {
  packages[folder] = named(folder, locked);
  for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (place in lock.packages || `${folder}/${place}` in lock.packages) continue;
    const os = /android|darwin|freebsd|linux|win32|openharmony/.exec(name)?.[0];
    const cpu = /arm64|x64|ia32|arm|ppc64|riscv64|s390x|wasm32/.exec(name)?.[0];
    if (os === undefined || cpu === undefined) throw new Error(`${name} has no platform. Is it missing by mistake?`);
    const libc = name.includes('musl') ? { libc: ['musl'] } : {};
    packages[place] = { version, ...(locked.dev ? { dev: true } : {}), optional: true, cpu: [cpu], os: [os], ...libc };
  }
}
const sorted = Object.fromEntries(Object.entries(packages).sort(([first], [second]) => (first < second ? -1 : 1)));
const completed = `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`;
if (completed === text) {
  console.log('package-lock.json is complete');
} else if (process.argv.includes('--check')) {
  console.error('package-lock.json is not complete: run scripts/run scripts/complete-lock.ts');
  process.exitCode = 1;
} else {
  writeFileSync(path, completed);
  console.log('package-lock.json is completed');
}

/** The package with the URL of its tarball, if it came from a registry. */
function named(folder: string, locked: LockedPackage): LockedPackage {
  const { version, resolved, integrity, ...rest } = locked;
  if (version === undefined || integrity === undefined || resolved !== undefined) return locked;
  const name = locked.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const file = `${name.slice(name.lastIndexOf('/') + 1)}-${version}.tgz`;
  return { version, resolved: `https://packages.invalid/${name}/-/${file}`, integrity, ...rest };
}
