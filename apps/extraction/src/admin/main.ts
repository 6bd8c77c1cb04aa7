import { parseArgs } from 'node:util';
import { loadEncryptionKey } from '@millrace/encryption/key';
import { createLogger } from '@millrace/logs';
import { tenantTransaction } from '@millrace/postgres';
import { readSettings } from '@millrace/settings/extraction';
import { connectDatabase } from '../database/connect.ts';
import type { ExtractionDatabase } from '../database/schema.ts';
import { createOneTimeCodes } from '../resources/one-time-codes/codes.ts';
import { WebhookError } from '../resources/webhooks/rules.ts';
import { webhookSecretSealer } from '../resources/webhooks/secrets.ts';
import { type Arguments, type Command, commands, UsageError } from './commands.ts';
import { asJson, asText, type Output } from './output.ts';

/**
 * `npm run admin -- GROUP COMMAND …`: what the dashboard does, from a shell. It works on the configured database,
 * whether the service is running or not; if needed, the embedded server is started for the duration.
 */
async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const command = commands[words.slice(0, 2).join(' ')];
  if (command === undefined || words.includes('--help')) {
    const help = command === undefined ? allUsage(words[0]) : usageOf(command);
    if (words.length > 0 && !words.includes('--help')) throw new UsageError(`Unknown command.\n\n${help}`);
    console.log(help);
    return;
  }
  const { account, json, given } = readArguments(command, words.slice(2));
  const output = await run(command, account, given);
  console.log(json ? asJson(output) : asText(output));
}

function readArguments(
  command: Command,
  words: readonly string[],
): { account: string | undefined; json: boolean; given: Arguments } {
  const options = Object.fromEntries(
    ['account', ...(command.options ?? [])].map((name) => [name, { type: 'string' }] as const),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
    });
    const [fewest, most] = command.positionals;
    if (positionals.length < fewest || positionals.length > most) {
      throw new TypeError(
        positionals.length < fewest ? 'An argument is missing.' : `Unexpected argument: ${positionals.at(-1)}.`,
      );
    }
    const texts: Record<string, string> = {};
    for (const [name, value] of Object.entries(values)) if (typeof value === 'string') texts[name] = value;
    const { account, ...rest } = texts;
    return { account, json: values.json === true, given: { positionals, values: rest } };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${error.message}\n\n${usageOf(command)}`) : error;
  }
}

async function run(command: Command, account: string | undefined, given: Arguments): Promise<Output> {
  const { settings } = readSettings(process.env);
  const logger = createLogger('silent', process.stderr);
  const connected = await connectDatabase({ settings, logger, join: true });
  try {
    const { database } = connected;
    const encryptionKey = loadEncryptionKey(settings);
    return await command.run(
      {
        database,
        settings,
        secrets: webhookSecretSealer([encryptionKey]),
        oneTimeCodes: createOneTimeCodes([encryptionKey]),
        inAccount: async (work) => tenantTransaction(database, await accountId(database, account), work),
      },
      given,
    );
  } finally {
    await connected.close();
  }
}

/** The account with that id or name; by default the only account, or the first. */
async function accountId(database: ExtractionDatabase, wanted: string | undefined): Promise<string> {
  const accounts = await database.system.selectFrom('accounts').select(['id', 'name']).orderBy('id').execute();
  const found =
    wanted === undefined ? accounts.slice(0, 1) : accounts.filter(({ id, name }) => id === wanted || name === wanted);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.id;
  if (wanted === undefined)
    throw new UsageError('There are no accounts yet. The first start of the service creates one.');
  throw new UsageError(
    found.length === 0 ? `Account ${wanted} not found.` : `Several accounts have this name. Use the id.`,
  );
}

function usageOf(command: Command): string {
  return `npm run admin -- ${command.usage} [--account ID|NAME] [--json]\n\n${command.summary}`;
}

function allUsage(group: string | undefined): string {
  const all = Object.entries(commands);
  const ofGroup = all.filter(([name]) => name.split(' ')[0] === group);
  const lines = (ofGroup.length > 0 ? ofGroup : all).map(([, { usage, summary }]) => `  ${usage}\n      ${summary}`);
  return ['npm run admin -- COMMAND [--account ID|NAME] [--json]', '', ...lines].join('\n');
}

try {
  await main();
} catch (error) {
  const expected = error instanceof UsageError || error instanceof WebhookError;
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = expected ? 2 : 1;
}
