import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { settingDeclarations as controlDeclarations } from '@millrace/control/settings';
import { createLogger } from '@millrace/logs';
import { SettingsError } from '@millrace/settings';
import type { FirstAccount } from './accounts/bootstrap.ts';
import { type Role, roles, type Service, startService } from './service.ts';
import { readSettings, type Settings } from './settings.ts';

/** `npm start`: the whole service in one process, or one of its roles with `--role=api|worker`. */
async function main(): Promise<void> {
  const role = readRole();
  const { settings, warnings } = readSettings(process.env, [controlDeclarations]);
  for (const warning of warnings) console.error(`Warning: ${warning}`);
  if (settings.allowPrivateWebhooks) {
    console.error(
      'Warning: MILLRACE_ALLOW_PRIVATE_WEBHOOKS opens loopback addresses to webhooks. For development only.',
    );
  }
  const logger = createLogger(settings.logLevel, process.stdout);

  const starting = startService(settings, role, logger);
  stopOnSignals(starting);
  const service = await starting;
  announce(service, settings, role);
  const reason = await service.failed;
  console.error(reason.message);
  await service.stop();
  process.exit(1);
}

function readRole(): Role {
  const { values } = parseArgs({ options: { role: { type: 'string', default: 'all' } } });
  const role = roles.find((known) => known === values.role);
  if (role === undefined) throw new SettingsError([`--role must be one of ${roles.join(', ')}.`]);
  return role;
}

/** A signal stops the service gracefully; a second Ctrl-C, or ten seconds, at once. */
function stopOnSignals(starting: Promise<Service>): void {
  let stoppingSinceMs: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSinceMs !== null) {
      // npm passes a terminal's Ctrl-C on to a process that got it from the terminal already.
      if (signal === 'SIGINT' && performance.now() - stoppingSinceMs > 500) process.exit(130);
      return;
    }
    stoppingSinceMs = performance.now();
    console.error('\nStopping… (Ctrl-C again to stop at once)');
    setTimeout(() => {
      console.error('Not everything stopped in time; what was under way is taken up at the next start.');
      process.exit(1);
    }, 10_000).unref();
    starting
      .then((service) => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function announce(service: Service, settings: Settings, role: Role): void {
  if (service.address === null || role === 'worker') {
    console.log(`Millrace extraction works off jobs${service.address === null ? '' : `, ${service.address}/readyz`}`);
    return;
  }
  const lines = [`Millrace extraction is ready at ${service.address}`, `API reference: ${service.address}/api-docs`];
  lines.push(
    ...(service.firstAccount === null
      ? ['A new API key: npm run admin -- keys create --name NAME']
      : introduce(service.firstAccount, service.address)),
  );
  if (settings.host === '0.0.0.0' || settings.host === '::') lines.push('It listens on every interface, without TLS.');
  console.log(`\n${lines.join('\n')}\n`);
}

/** What is shown once, at the first start. */
function introduce(account: FirstAccount, address: string): string[] {
  const shown = account.apiKeyPreset ? '$MILLRACE_API_KEY' : account.apiKey;
  return [
    '',
    `Administrator: ${account.email}   password: ${account.password ?? '(from MILLRACE_ADMIN_PASSWORD)'}`,
    `API key: ${account.apiKeyPreset ? '(from MILLRACE_API_KEY)' : `${account.apiKey}   (shown this once)`}`,
    'Secret that signs callbacks: npm run admin -- webhooks rotate primary',
    '',
    'Try it:',
    `curl -H "X-API-Key: ${shown}" -F document=@${sampleInvoice()} -F doc_type=invoice ${address}/api/external/v1/extract`,
  ];
}

/** An invoice among the samples, quoted for a shell where it must be. */
function sampleInvoice(): string {
  const folder = resolve(import.meta.dirname, '../../../samples');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(pdf|png|jpe?g)$/.test(name)) : [];
  const name = names.find((candidate) => candidate.includes('invoice')) ?? names[0] ?? 'invoice.pdf';
  const path = resolve(folder, name);
  return /^[\w./-]+$/.test(path) ? path : `"${path.replaceAll(/[\\"$`]/g, '\\$&')}"`;
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
