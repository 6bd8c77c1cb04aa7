/**
 * Completes `package-lock.json` after an `npm install`: npm leaves a package for another platform out of it where the
 * registry at hand does not offer that package, and `npm ci` then refuses the whole file. The added entries name version
 * and platform alone, which is what `npm ci` needs to pass over them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface LockedPackage {
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const path = resolve(import.meta.dirname, '..', 'package-lock.json');
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(path, 'utf8'));
const added: Record<string, object> = {};
for (const [folder, locked] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (place in lock.packages || `${folder}/${place}` in lock.packages) continue;
    const os = /android|darwin|freebsd|linux|win32|openharmony/.exec(name)?.[0];
    const cpu = /arm64|x64|ia32|arm|ppc64|riscv64|s390x|wasm32/.exec(name)?.[0];
    if (os === undefined || cpu === undefined) throw new Error(`${name} names no platform: is it missing by mistake?`);
    const libc = name.includes('musl') ? { libc: ['musl'] } : {};
    added[place] = { version, ...(locked.dev ? { dev: true } : {}), optional: true, cpu: [cpu], os: [os], ...libc };
  }
}
const packages = { ...lock.packages, ...added };
const sorted = Object.fromEntries(Object.entries(packages).sort(([first], [second]) => (first < second ? -1 : 1)));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
console.log(`${Object.keys(added).length} entries added to package-lock.json`);
