import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@millrace/identifiers';
import { createLogger } from '@millrace/logs';
import { openTestDatabase, type TestDatabase } from '@millrace/postgres/testing';
import { readSettings } from '@millrace/settings/control';
import { newSecret } from '@millrace/sign-in/secrets';
import { migrations, schemaName } from './database/migrations.ts';
import type { Schema } from './database/schema.ts';
import { sessionCookieName } from './frame/authenticate.ts';
import type { BuiltInRoleId } from './frame/permissions.ts';
import { startService } from './service.ts';

/** An answer of the API: its status, its envelope, its headers. */
export interface TestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
  readonly data: any;
  readonly headers: Headers;
}

/** Somebody who is signed in. */
export interface TestCaller {
  readonly userId: string;
  readonly organizationId: string;
  readonly sessionToken: string;
  /** Calls an operation, such as `call('POST', '/proxies', {…})`; the path is below `/api`. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
}

/** The management API on a fresh database, on an ephemeral port. */
export interface TestControl {
  readonly baseUrl: string;
  readonly opened: TestDatabase<Schema>;
  readonly encryptionKey: Buffer;
  readonly dataDirectory: string;
  /** Every line of the service's log. */
  readonly logLines: readonly string[];
  /** A new organization; its id. */
  addOrganization(name?: string): Promise<string>;
  /** A user with the roles, built-in or custom, signed in. */
  addUser(organizationId: string, roleIds: readonly (BuiltInRoleId | `rol_${string}`)[]): Promise<TestCaller>;
  /** Calls without a credential, or with what the headers say. */
  call: TestCaller['call'];
  stop(): Promise<void>;
}

/**
 * @param environment settings that differ from the test's own; stop the service in the suite's `after()`
 * @param options.evaluates whether alert rules are evaluated in the background
 */
export async function startTestControl(
  environment: Readonly<Record<string, string>> = {},
  { evaluates = false } = {},
): Promise<TestControl> {
  const opened = await openTestDatabase<Schema>(migrations, { schema: schemaName });
  const dataDirectory = mkdtempSync(join(tmpdir(), 'millrace-test-control-'));
  const encryptionKey = randomBytes(32);
  const { settings } = readSettings({
    ...opened.settings,
    MILLRACE_DATA_DIR: dataDirectory,
    MILLRACE_CONTROL_PORT: '0',
    MILLRACE_SEED: '0',
    MILLRACE_ENCRYPTION_KEY: encryptionKey.toString('hex'),
    // Nobody answers there.
    MILLRACE_CONTROL_DNS_SERVERS: '127.0.0.1:9',
    // Opening one costs the server as much as dozens of statements.
    MILLRACE_DATABASE_CONNECTIONS: '8',
    ...environment,
  });
  const logLines: string[] = [];
  const logger = createLogger('debug', { write: (line) => logLines.push(line) });
  const service = await startService({ settings, logger, evaluates });
  const { system } = opened.database;

  const callAs =
    (own: Readonly<Record<string, string>>): TestCaller['call'] =>
    async (method, path, body, headers = {}) => {
      const response = await fetch(`${service.address}/api${path}`, {
        method,
        headers: { ...own, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = response.headers.get('content-type')?.startsWith('application/json');
      return { status: response.status, data: json ? JSON.parse(text).data : text, headers: response.headers };
    };

  return {
    baseUrl: service.address,
    opened,
    encryptionKey,
    dataDirectory,
    logLines,
    call: callAs({}),
    addOrganization: async (name = `org-${randomBytes(6).toString('hex')}`) => {
      const id = newId('org');
      await system.insertInto('organizations').values({ id, name, display_name: name }).execute();
      return id;
    },
    addUser: async (organizationId, roleIds) => {
      const userId = newId('usr');
      const { secret, hash } = newSecret();
      await system
        .insertInto('users')
        .values({
          id: userId,
          organization_id: organizationId,
          email: `${userId}@example.com`,
          name: `User ${userId.slice(-4)}`,
        })
        .execute();
      for (const roleId of roleIds) {
        await system
          .insertInto('user_roles')
          .values({ organization_id: organizationId, user_id: userId, role_id: roleId })
          .execute();
      }
      await system
        .insertInto('sessions')
        .values({
          id: newId('ses'),
          organization_id: organizationId,
          user_id: userId,
          token_hash: hash,
          ip: '127.0.0.1',
          user_agent: 'test',
          absolute_expires_at: new Date(Date.now() + 3_600_000),
        })
        .execute();
      return {
        userId,
        organizationId,
        sessionToken: secret,
        call: callAs({ cookie: `${sessionCookieName}=${secret}` }),
      };
    },
    stop: async () => {
      await service.stop();
      await opened.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
