import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { CliError } from './output.ts';

const Credentials = z.strictObject({
  url: z.url(),
  organizationId: z.string(),
  organizationName: z.string(),
  /** The header that signs in: a session's cookie, or a service account's token. */
  header: z.strictObject({ name: z.enum(['cookie', 'authorization']), value: z.string().min(1) }),
});
/** The server that someone signed in to, and the proof. */
type Credentials = z.infer<typeof Credentials>;

type Environment = Readonly<Record<string, string | undefined>>;

function fileOf(environment: Environment): string {
  const configuration = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config');
  return join(configuration, 'millrace', 'credentials.json');
}

/** Stores the credentials in a file that only its owner can read, completely or not at all. */
export function storeCredentials(credentials: Credentials, environment: Environment): void {
  const file = fileOf(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    // A new file's mode is subject to the umask, and an existing file keeps its own.
    chmodSync(written, 0o600);
    renameSync(written, file);
  } catch (error) {
    rmSync(written, { force: true });
    throw new CliError(`The credentials could not be stored in ${file}: ${reasonOf(error)}`);
  }
}

/** @throws CliError that explains how to sign in */
export function loadCredentials(environment: Environment): Credentials {
  const file = fileOf(environment);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new CliError('You are not signed in. Run `npm run millrace -- login` first.');
  }
  try {
    return Credentials.parse(JSON.parse(text));
  } catch {
    throw new CliError(`${file} is damaged: run \`npm run millrace -- login\` again.`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
