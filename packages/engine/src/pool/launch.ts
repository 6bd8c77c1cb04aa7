import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants as fileConstants } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EnginePoolOptions } from './pool.ts';

const entryPoint = fileURLToPath(new URL('./process.ts', import.meta.url));

/** Of the environment, what a program needs to run; whatever else it holds is no business of code that reads files. */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/**
 * Much of the engine runs a few times in a document, each time over all of its lines: it is compiled well from the 50th
 * run on, not from the 400th. That costs two seconds of other threads at a process's start, and saves more later, from
 * some hundred documents on.
 */
const compileSoonFlags = ['--invocation-count-for-maglev=50', '--invocation-count-for-turbofan=500'];

const memoryFlags = [
  // What is made of a document dies with it. Taken for long-lived, since it outlives the collections that its document
  // meets, it would be put where it stays, and with it all that it refers to: a megabyte of each document.
  '--no-allocation-site-pretenuring',
  // Room for what dies young, in megabytes: with the usual 16 a process grows by another 80 and is no faster.
  '--max-semi-space-size=12',
];

/**
 * What glibc's allocator is asked for: to give back the buffers of pictures and networks that are freed, and to share
 * its heaps among threads. It keeps a fifth of a process's memory otherwise.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

type LaunchOptions = Pick<EnginePoolOptions, 'isShortLived' | 'niceness' | 'scriptLanguages'>;

/** Less urgent than what it works for: on a busy machine a service goes on answering its callers at once. */
const usualNiceness = 5;

/**
 * Starts a process that reads documents: with a limit on its data where `prlimit` is installed, ended by the kernel
 * with its parent where `setpriv` is. Both are part of util-linux.
 *
 * @param options as {@link EnginePoolOptions} has them
 */
export function launchProcess(
  dataLimitBytes: number,
  { isShortLived = false, niceness = usualNiceness, scriptLanguages = [] }: LaunchOptions,
): ChildProcess {
  const command = [
    ...(isInstalled('setpriv') ? ['setpriv', '--pdeathsig=KILL', '--'] : []),
    ...(isInstalled('prlimit') ? ['prlimit', `--data=${dataLimitBytes}`, '--core=0', '--'] : []),
    process.execPath,
    ...(isShortLived ? [] : compileSoonFlags),
    ...memoryFlags,
    '--disable-warning=ExperimentalWarning',
    entryPoint,
    ...scriptLanguages,
  ];
  const [file, ...values] = command as [string, ...string[]];
  const started = spawn(file, values, {
    env: {
      ...Object.fromEntries(
        passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
      ),
      ...allocatorSettings,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  if (started.pid !== undefined)
    setPriority(started.pid, Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
  return started;
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), fileConstants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
