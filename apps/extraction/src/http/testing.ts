import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sealer } from '@millrace/encryption';
import type { Scope } from '@millrace/extraction-contract/scopes';
import { createLogger } from '@millrace/logs';
import { tenantTransaction } from '@millrace/postgres';
import { readSettings } from '@millrace/settings/extraction';
import { type ExtractionTestDatabase, openExtractionTestDatabase } from '../database/testing.ts';
import { createKey, type StoredKey } from '../resources/keys/store.ts';
import { webhookSecretSealer } from '../resources/webhooks/secrets.ts';
import { startService } from '../service.ts';
import { openSharedEnginePool } from './testing-engine.ts';

/** The whole service on a fresh database: API, engine, worker and deliverer, on an ephemeral port. */
export interface TestService {
  readonly baseUrl: string;
  /** Where it takes mail. */
  readonly inboxPort: number;
  /** Of the first account, without a limit that a test would meet. */
  readonly apiKey: string;
  readonly accountId: string;
  readonly opened: ExtractionTestDatabase;
  /** Of webhook secrets. */
  readonly sealer: Sealer;
  /** Folder of its data; mail goes to the folder `mail` in it. */
  readonly dataFolder: string;
  /** Every line of the service's log. */
  readonly logLines: readonly string[];
  /** A further key of an account: the first one, or that given. */
  addKey(key?: {
    accountId?: string;
    rateLimitPerMinute?: number;
    scopes?: readonly Scope[];
    expiresAt?: Date;
  }): Promise<{ raw: string; key: StoredKey }>;
  /** Calls the API with the first key, or with what `init.headers` says. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Posts a form to `/extract`; the file is left out where it is null. */
  extract(
    file: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } | null,
    options?: {
      readonly query?: string;
      readonly form?: Readonly<Record<string, string>>;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<Response>;
  stop(): Promise<void>;
}

/** @param environment settings that differ from the test's own; stop the service in the suite's `after()`. */
export async function startTestService(environment: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const opened = await openExtractionTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-service-'));
  const encryptionKey = randomBytes(32);
  const { settings } = readSettings({
    ...opened.settings,
    MILLRACE_DATA_DIR: folder,
    MILLRACE_EXTRACTION_PORT: '0',
    MILLRACE_INBOX_PORT: '0',
    MILLRACE_WORKERS: '1',
    // Opening one costs the server as much as dozens of statements.
    MILLRACE_DATABASE_CONNECTIONS: '8',
    MILLRACE_RATE_LIMIT_PER_MINUTE: '100000',
    // Tests of other processes may leave this one little of the machine.
    MILLRACE_PAGE_TIMEOUT_MS: '120000',
    MILLRACE_ALLOW_PRIVATE_WEBHOOKS: '1',
    MILLRACE_ALLOW_PRIVATE_IDENTITY_PROVIDERS: '1',
    MILLRACE_ENCRYPTION_KEY: encryptionKey.toString('hex'),
    ...environment,
  });
  const logLines: string[] = [];
  const logger = createLogger('debug', { write: (line) => logLines.push(line) });
  const service = await startService(settings, 'all', logger, { openEnginePool: openSharedEnginePool });
  const { apiKey } = service.firstAccount!;
  const baseUrl = service.address!;
  const { id: accountId } = await opened.database.system.selectFrom('accounts').select('id').executeTakeFirstOrThrow();

  const call: TestService['call'] = (path, init = {}) =>
    fetch(`${baseUrl}/api/external/v1${path}`, { ...init, headers: { 'x-api-key': apiKey, ...init.headers } });

  return {
    baseUrl,
    inboxPort: service.inboxPort!,
    apiKey,
    accountId,
    opened,
    sealer: webhookSecretSealer([encryptionKey]),
    dataFolder: folder,
    logLines,
    call,
    addKey: ({ accountId: account = accountId, ...key } = {}) =>
      tenantTransaction(opened.database, account, (transaction) => createKey(transaction, { name: 'Test', ...key })),
    extract: (file, { query = '', form = {}, headers = {} } = {}) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(form)) body.append(name, value);
      if (file) body.append('document', new Blob([file.bytes]), file.name);
      return call(`/extract${query}`, { method: 'POST', body, headers });
    },
    stop: async () => {
      await service.stop();
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A PDF with a text layer: for each page, lines of text from its top. Text is ASCII. After ISO 32000-1, 7.5: header,
 * objects, cross-reference table, trailer.
 */
export function textPdf(pages: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const pageNumber = (index: number) => 4 + index * 2;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, index) => {
      const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
      const content = `BT /F1 11 Tf 16 TL 56 780 Td\n${shown}\nET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${pageNumber(index) + 1} 0 R ` +
          '/Resources << /Font << /F1 3 0 R >> >> >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const startOfTable = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${startOfTable}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}

/** An invoice as most senders write it. */
export const invoicePdf = textPdf([
  [
    'Northwind Paper Ltd',
    '12 Mill Lane, Leeds LS1 4AB, United Kingdom',
    '',
    'INVOICE',
    '',
    'Invoice number: INV-2041',
    'Invoice date: 2026-03-14',
    'Due date: 2026-04-13',
    '',
    'Bill to: Harbour Books Ltd, 3 Quay Street, Bristol BS1 5TX',
    '',
    'Description              Quantity     Unit price     Amount',
    'Copy paper A4 80 g          120           9.50       1140.00',
    'Delivery                      1          60.00         60.00',
    '',
    'Subtotal: EUR 1200.00',
    'VAT 19%: EUR 228.00',
    'Total: EUR 1428.00',
  ],
]);
