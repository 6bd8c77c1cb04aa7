import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobStore } from '@millrace/blobs';
import { createLogger } from '@millrace/logs';
import type { Mail } from '@millrace/mail';
import { tenantTransaction } from '@millrace/postgres';
import { readSettings } from '@millrace/settings/extraction';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../database/testing.ts';
import { createOutbox } from '../mail/outbox.ts';
import { createMetrics } from '../metrics.ts';
import { changeInbox, type InboxChanges } from '../resources/inbox/store.ts';
import { type InboxServerParts, startInboxServer } from './server.ts';

export const testDomain = 'inbox.test';

/** An inbox server on a fresh database and blob store, without anything that extracts. */
export interface TestInbox {
  readonly port: number;
  readonly opened: ExtractionTestDatabase;
  readonly blobFolder: string;
  readonly logLines: readonly string[];
  /** How often a job was said to be queued. */
  jobCount(): number;
  /** Adds an account; returns its id and the address of its inbox. */
  addInbox(changes?: InboxChanges): Promise<{ accountId: string; address: string }>;
  /** The account's documents and messages, as they are stored, oldest first. */
  stored(accountId: string): Promise<{
    documents: { id: string; file_name: string; media_type: string; source: string; blob_key: string }[];
    jobs: { document_id: string; options: { doc_type: string | null } }[];
    messages: {
      outcome: string;
      authentication: string;
      from_address: string;
      subject: string;
      refusals: readonly { fileName: string | null; code: string }[];
    }[];
    mails: Mail[];
    /** Files in the blob store. */
    blobCount: number;
  }>;
  stop(): Promise<void>;
}

/** @param environment settings that differ from the test's own; stop it in the suite's `after()`. */
export async function startTestInbox(
  environment: Readonly<Record<string, string>> = {},
  timeouts?: InboxServerParts['timeouts'],
): Promise<TestInbox> {
  const opened = await openExtractionTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-inbox-'));
  const blobFolder = join(folder, 'blobs');
  const key = randomBytes(32);
  const { settings } = readSettings({
    MILLRACE_INBOX_PORT: '0',
    MILLRACE_INBOX_DOMAIN: testDomain,
    MILLRACE_MAX_FILE_SIZE_BYTES: '200000',
    MILLRACE_INBOX_MAX_MESSAGE_SIZE_BYTES: '1000000',
    MILLRACE_INBOX_MAX_FILES: '5',
    ...environment,
  });
  const logLines: string[] = [];
  const blobs = await openBlobStore(pathToFileURL(blobFolder).href, [key]);
  const outbox = createOutbox([key]);
  let jobCount = 0;
  const server = await startInboxServer({
    database: opened.database,
    blobs,
    settings,
    logger: createLogger('debug', { write: (line) => logLines.push(line) }),
    metrics: createMetrics(opened.database),
    outbox,
    onMail: () => undefined,
    onJob: () => {
      jobCount++;
    },
    ...(timeouts && { timeouts }),
  });
  return {
    port: server.port,
    opened,
    blobFolder,
    logLines,
    jobCount: () => jobCount,
    addInbox: async (changes = {}) => {
      const accountId = await opened.addAccount();
      const inbox = await tenantTransaction(opened.database, accountId, (transaction) =>
        changeInbox(transaction, changes),
      );
      return { accountId, address: `${inbox.token}@${testDomain}` };
    },
    stored: async (accountId) => {
      const { system } = opened.database;
      const of = <Table extends 'documents' | 'jobs' | 'inbox_messages' | 'mails'>(table: Table) =>
        system
          .selectFrom(table as 'documents')
          .selectAll()
          .where('account_id', '=', accountId)
          .orderBy('id')
          .execute();
      const mails = (await of('mails')) as unknown as { id: string; sealed_payload: Buffer }[];
      return {
        documents: await of('documents'),
        jobs: (await of('jobs')) as never,
        messages: (await of('inbox_messages')) as never,
        mails: mails.map((row) => outbox.open(row)),
        blobCount: readdirSync(blobFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
          .length,
      };
    },
    stop: async () => {
      await server.stop(1_000);
      await blobs.close();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A connection on which a test writes whatever it likes. */
export interface RawClient {
  readonly socket: Socket;
  /** Writes the text unchanged; a broken connection is no error here. */
  write(text: string | Buffer): void;
  /** The next reply, of one or several lines; empty once the connection has ended. */
  reply(): Promise<string>;
  /** Writes a line and waits for its reply. */
  ask(line: string): Promise<string>;
  close(): void;
}

/** Connects and reads the greeting. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket = connect(port, 'localhost');
  await once(socket, 'connect');
  let text = '';
  let hasEnded = false;
  let wake: () => void = () => undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    hasEnded = true;
    wake();
  });
  const reply = async (): Promise<string> => {
    for (;;) {
      const found = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(text);
      if (found) {
        text = text.slice(found[0].length);
        return found[0].trim();
      }
      if (hasEnded) return '';
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const write = (data: string | Buffer) => {
    if (!socket.destroyed) socket.write(data as string, 'latin1');
  };
  await reply();
  return {
    socket,
    write,
    reply,
    ask: (line) => {
      write(`${line}\r\n`);
      return reply();
    },
    close: () => socket.destroy(),
  };
}

/** The code of a reply. */
export const codeOf = (reply: string): string => reply.slice(0, 3);

/** Names sender and recipient and begins a message; throws where the server does not go along. */
export async function beginMessage(client: RawClient, address: string, from = 'anna@supplier.example'): Promise<void> {
  for (const line of ['EHLO client.test', `MAIL FROM:<${from}>`, `RCPT TO:<${address}>`, 'DATA']) {
    const answer = await client.ask(line);
    if (!/^[23]/.test(answer)) throw new Error(`${line}: ${answer}`);
  }
}
