import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@millrace/eventually';

/** A process of the service under test, on a data folder of its own. */
export interface ServiceProcess {
  /** Empty for a worker. */
  readonly address: string;
  readonly processId: number;
  /** What it has written so far, of both streams. */
  output(): string;
  /** Sends a signal and waits for the end; returns the exit code, null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export const testApiKey = 'mr_test_key_of_the_process_tests';

/** A folder for the data of processes under test. */
export function makeDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'millrace-test-data-'));
}

/** Removes a data folder once nothing runs on it any more. */
export async function removeDataFolder(folder: string): Promise<void> {
  await eventually('the database to end', async () => (await processesOf(folder)).length === 0);
  await rm(folder, { recursive: true, force: true });
}

/** Starts the service as `npm start` does and waits until it is ready, or has ended. */
export async function startProcess(
  dataFolder: string,
  { settings = {}, role = 'all' }: { settings?: Record<string, string>; role?: 'all' | 'worker' } = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), `--role=${role}`], {
    env: {
      ...testEnvironment(dataFolder),
      MILLRACE_API_KEY: testApiKey,
      MILLRACE_EXTRACTION_PORT: '0',
      MILLRACE_INBOX_PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ready = /is ready at (\S+)|works off jobs/;
  try {
    await eventually('the service to start', () => ready.test(output) || hasEnded(child));
  } catch (error) {
    // Nobody else knows of it.
    child.kill('SIGKILL');
    throw new Error(`the service wrote before it was given up: ${output}`, { cause: error });
  }
  return {
    address: ready.exec(output)?.[1] ?? '',
    processId: child.pid ?? 0,
    output: () => output,
    end: async (signal) => {
      child.kill(signal);
      await eventually('the service to end', () => hasEnded(child));
      return child.exitCode;
    },
  };
}

/** This process's environment without its own settings of the service. */
export function testEnvironment(dataFolder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(MILLRACE_|DATABASE_URL|BLOB_URL)/.test(name));
  return { ...Object.fromEntries(own), MILLRACE_DATA_DIR: dataFolder };
}

/** The processes, as numbers, whose command line names the folder. */
async function processesOf(folder: string): Promise<number[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    numbers.map(async (number) => {
      const commandLine = await readFile(`/proc/${number}/cmdline`, 'utf8').catch(() => '');
      return commandLine.includes(folder) ? [Number(number)] : [];
    }),
  );
  return found.flat();
}

/** The processes that a process has started, and theirs. */
export async function descendantsOf(processId: number): Promise<number[]> {
  const children = (await readFile(`/proc/${processId}/task/${processId}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
