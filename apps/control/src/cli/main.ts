import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ResponseError } from '@millrace/operations/client';
import { cookiesOf } from '../client.ts';
import { heldStatus } from '../frame/operation.ts';
import { type CliClient, createCliClient } from './client.ts';
import { loadCredentials, storeCredentials } from './credentials.ts';
import { CliError, describePlan, printable } from './output.ts';
import { ask } from './prompt.ts';

const usage = `Usage: npm run millrace -- COMMAND

  login [--url URL] [--email ADDRESS | --token TOKEN]
      Signs in, and stores the session in ~/.config/millrace/credentials.json. Prompts for the password, or takes it from
      MILLRACE_PASSWORD; the token of a service account can come from MILLRACE_TOKEN.
  export [--out FILE] [--organization ID]
      Writes the organization as a declarative document: YAML, or JSON if FILE ends in .json.
  plan FILE [--prune] [--organization ID]
      Shows what applying the document would change. Exits with 2 if there are changes.
  apply FILE [--yes] [--prune] [--organization ID]
      Shows the same, asks, and applies it. With --prune, deletes what is missing from the document’s lists.

FILE may be "-" for the standard input.`;

const defaultUrl = 'http://127.0.0.1:4200';

/** Exit codes of the command: done, failed, and done with differences. */
const exitCodes = { done: 0, failed: 1, differs: 2 } as const;

const commands: Readonly<Record<string, (words: readonly string[]) => Promise<number>>> = {
  login,
  export: exportTo,
  plan,
  apply,
};

async function main(): Promise<number> {
  const [name = '', ...words] = process.argv.slice(2);
  if (name === '--help' || name === 'help' || words.includes('--help')) {
    console.log(usage);
    return exitCodes.done;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new CliError(usage);
  return command(words);
}

async function login(words: readonly string[]): Promise<number> {
  const { values } = read(words, 0, ['url', 'email', 'token'], []);
  const url = addressOf(values.url ?? defaultUrl);
  const token = values.token ?? (values.email === undefined ? process.env.MILLRACE_TOKEN : undefined);
  const header =
    token === undefined
      ? { name: 'cookie' as const, value: await signIn(url, values.email) }
      : { name: 'authorization' as const, value: `Bearer ${token}` };
  const client = createCliClient(url, { [header.name]: header.value });
  const { organization, user, serviceAccount } = (await reaching(url, () => client.getSession())).body.data;
  storeCredentials({ url, organizationId: organization.id, organizationName: organization.name, header }, process.env);
  console.log(
    `Signed in to ${url} as ${printable(user?.email ?? serviceAccount?.name ?? '')}, of ${organization.name}.`,
  );
  return exitCodes.done;
}

/** The cookie of a new session. */
async function signIn(url: string, given: string | undefined): Promise<string> {
  const email = given ?? (await ask('E-mail address: ', { otherwise: 'Use --email or --token.' }));
  const password =
    process.env.MILLRACE_PASSWORD ??
    (await ask('Password: ', { hidden: true, otherwise: 'No terminal to prompt at. Set MILLRACE_PASSWORD.' }));
  const client = createCliClient(url);
  const send = (oneTimeCode?: string) =>
    reaching(url, () => client.login({ body: { email, password, ...(oneTimeCode ? { oneTimeCode } : {}) } }));
  try {
    return cookiesOf((await send()).headers);
  } catch (error) {
    if (!(error instanceof ResponseError) || error.errors.oneTimeCode === undefined) throw error;
    const otherwise = 'This account needs a one-time code. Sign in at a terminal, or use a service account.';
    return cookiesOf((await send(await ask('One-time code: ', { otherwise }))).headers);
  }
}

async function exportTo(words: readonly string[]): Promise<number> {
  const { values } = read(words, 0, ['out', 'organization'], []);
  const { client, params } = connect(values.organization);
  const format = values.out?.toLowerCase().endsWith('.json') ? 'json' : 'yaml';
  const { body } = await client((calls) => calls.exportOrganization({ params, query: { format } }));
  if (values.out === undefined || values.out === '-') process.stdout.write(body);
  else {
    try {
      writeFileSync(values.out, body);
    } catch (error) {
      throw new CliError(`${values.out} could not be written: ${error instanceof Error ? error.message : error}`);
    }
  }
  return exitCodes.done;
}

async function plan(words: readonly string[]): Promise<number> {
  const { values, flags, positionals } = read(words, 1, ['organization'], ['prune']);
  const { client, params } = connect(values.organization);
  const body = { document: readDocument(positionals[0]!), dryRun: true, prune: flags.has('prune') };
  const planned = (await client((calls) => calls.applyOrganization({ params, body }))).body.data.plan;
  console.log(describePlan(planned));
  return planned.length === 0 ? exitCodes.done : exitCodes.differs;
}

async function apply(words: readonly string[]): Promise<number> {
  const { values, flags, positionals } = read(words, 1, ['organization'], ['prune', 'yes']);
  const { client, params } = connect(values.organization);
  const body = { document: readDocument(positionals[0]!), prune: flags.has('prune') };
  const run = (dryRun: boolean) => client((calls) => calls.applyOrganization({ params, body: { ...body, dryRun } }));
  const planned = (await run(true)).body.data.plan;
  console.log(describePlan(planned));
  if (planned.length === 0) return exitCodes.done;
  if (!flags.has('yes')) {
    const answer = await ask('Apply this? [y/N] ', { otherwise: 'Nothing was applied. Confirm with --yes.' });
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliError('Nothing was applied.');
  }
  const answer = await run(false);
  const status: number = answer.status;
  if (status === heldStatus) {
    console.log('Nothing has changed yet: the document changes production and waits for another person’s approval.');
    return exitCodes.done;
  }
  const applied = answer.body.data.plan;
  console.log(`Applied ${applied.length} ${applied.length === 1 ? 'change' : 'changes'}.`);
  return exitCodes.done;
}

/** The arguments of a command; an unknown or missing one is reported with the usage. */
function read(
  words: readonly string[],
  expected: number,
  options: readonly string[],
  flagNames: readonly string[],
): { values: Readonly<Record<string, string>>; flags: ReadonlySet<string>; positionals: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: {
        ...Object.fromEntries(options.map((name) => [name, { type: 'string' }] as const)),
        ...Object.fromEntries(flagNames.map((name) => [name, { type: 'boolean' }] as const)),
      },
      allowPositionals: true,
    });
    if (positionals.length !== expected)
      throw new TypeError(expected === 0 ? 'Too many arguments.' : 'Specify one FILE.');
    const texts = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return {
      values: Object.fromEntries(texts),
      flags: new Set(flagNames.filter((name) => values[name] === true)),
      positionals,
    };
  } catch (error) {
    throw error instanceof TypeError ? new CliError(`${error.message}\n\n${usage}`) : error;
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CliError(`--url: ${printable(text)} is not a URL such as https://millrace.example.com.`);
  }
  if (url.protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)) {
    console.error('Warning: http:// sends the credentials unencrypted. Use https://.');
  }
  return url.href.replace(/\/+$/, '');
}

function readDocument(file: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Calls with the stored credentials; if the service rotates a session's cookie, the new one is stored. */
function connect(organization: string | undefined) {
  let credentials = loadCredentials(process.env);
  return {
    params: { organizationId: organization ?? credentials.organizationId },
    client: async <Result extends { readonly headers: Headers }>(
      call: (calls: CliClient) => Promise<Result>,
    ): Promise<Result> => {
      const { url, header } = credentials;
      const calls = createCliClient(url, { [header.name]: header.value });
      const result = await reaching(url, () => call(calls));
      const cookie = cookiesOf(result.headers);
      if (cookie !== '' && header.name === 'cookie') {
        credentials = { ...credentials, header: { name: 'cookie', value: cookie } };
        storeCredentials(credentials, process.env);
      }
      return result;
    },
  };
}

/** Runs a call; if the service is unreachable, the error contains its address. */
async function reaching<Result>(url: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new CliError(`${url} cannot be reached${cause}`);
  }
}

function describe(error: unknown): string {
  if (error instanceof CliError) return error.message;
  if (!(error instanceof ResponseError)) return error instanceof Error ? error.message : String(error);
  const fields = Object.entries(error.errors).map(([path, message]) => `  ${path}: ${message}`);
  const again = error.status === 401 ? ['Run `npm run millrace -- login` to sign in.'] : [];
  return [error.message, ...fields, ...again].join('\n');
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(printable(describe(error)));
  process.exitCode = exitCodes.failed;
}
