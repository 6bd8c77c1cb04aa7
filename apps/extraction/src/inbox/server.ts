import { readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tenantTransaction } from '@millrace/postgres';
import { isUnavailable } from '@millrace/postgres/unavailable';
import { listen } from '@millrace/processes/listen';
import { isListed } from '@millrace/settings';
import type { Settings } from '@millrace/settings/extraction';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { ExtractionDatabase } from '../database/schema.ts';
import { isType } from '../resources/document-types/store.ts';
import type { InboxSettings } from '../resources/inbox/handlers.ts';
import { readAddress } from '../resources/inbox/rules.ts';
import { findInboxByToken } from '../resources/inbox/store.ts';
import { type AcceptParts, acceptMessage, type Envelope, Refused } from './accept.ts';

export interface InboxServerParts extends AcceptParts {
  readonly settings: InboxSettings & Pick<Settings, 'inboxHost' | 'inboxCertificateFile' | 'inboxKeyFile'>;
  /** How long a client may be silent, and how long a message and a whole connection may take; for tests. */
  readonly timeouts?: { readonly idleMs: number; readonly messageMs: number; readonly connectionMs: number };
}

export interface InboxServer {
  readonly port: number;
  /** Accepts no more connections and messages, and waits up to `graceMs` for those in progress. */
  stop(graceMs: number): Promise<void>;
}

const defaultTimeouts = { idleMs: 60_000, messageMs: 300_000, connectionMs: 1_800_000 };
/** Connections at once, and those of one address that is no trusted relay. */
const connectionLimits = { total: 200, perAddress: 20 };
/** Unknown recipients that a connection may try. */
const unknownRecipientLimit = 10;
/** Memory for messages in progress, in messages of the largest size. */
const messagesInMemory = 8;
/** How often the certificate's file is looked at. */
const certificateCheckMs = 60_000;

/** What the server remembers of a connection. */
interface Client {
  readonly isRelay: boolean;
  /** Ends the connection of who keeps it without end. */
  readonly timer: NodeJS.Timeout;
  unknownRecipients: number;
  /** Of the current message. */
  recipient: Pick<Envelope, 'inbox' | 'docType'> | null;
}

/**
 * Starts to accept mail for the accounts' inboxes; it relays nothing. A message is acknowledged once all its documents
 * are stored. While the database or the blob store is unavailable, senders are asked to retry.
 */
export async function startInboxServer(parts: InboxServerParts): Promise<InboxServer> {
  const { settings, logger, timeouts = defaultTimeouts } = parts;
  const clients = new Map<string, Client>();
  const byAddress = new Map<string, number>();
  const inProgress = new Set<Promise<void>>();
  let freeBytes = settings.inboxMaxMessageSizeBytes * messagesInMemory;
  let isStopping = false;

  const server = new SMTPServer({
    ...readCertificate(settings),
    name: settings.inboxDomain,
    banner: 'Millrace',
    size: settings.inboxMaxMessageSizeBytes,
    logger: false,
    authOptional: true,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', ...(settings.inboxCertificateFile === null ? ['STARTTLS'] : [])],
    disableReverseLookup: true,
    maxClients: connectionLimits.total,
    socketTimeout: timeouts.idleMs,
    closeTimeout: 1_000,

    onConnect(session, done) {
      const { remoteAddress } = session;
      const isRelay = isListed(settings.inboxRelays, remoteAddress);
      const count = (byAddress.get(remoteAddress) ?? 0) + 1;
      if (!isRelay && count > connectionLimits.perAddress) return done(reply(421, 'Too many connections from here'));
      byAddress.set(remoteAddress, count);
      const timer = setTimeout(() => cutOff(session.id, 'This connection lasts too long'), timeouts.connectionMs);
      clients.set(session.id, { isRelay, timer, unknownRecipients: 0, recipient: null });
      done();
    },

    onClose({ id, remoteAddress }) {
      clearTimeout(clients.get(id)?.timer);
      if (!clients.delete(id)) return;
      const count = (byAddress.get(remoteAddress) ?? 1) - 1;
      if (count > 0) byAddress.set(remoteAddress, count);
      else byAddress.delete(remoteAddress);
    },

    onMailFrom(_address, session, done) {
      const client = clients.get(session.id);
      if (client) client.recipient = null;
      done(isStopping ? reply(421, 'The service is stopping, try again soon') : null);
    },

    onRcptTo(address, session, done) {
      findRecipient(address, session).then(() => done(), done);
    },

    onData(stream, session, done) {
      const message = take(stream, session).then(
        (text) => done(null, text),
        (error: unknown) => done(replyTo(error)),
      );
      inProgress.add(message);
      void message.finally(() => inProgress.delete(message));
    },
  });

  /** @throws an error with the reply to a recipient that is not taken */
  async function findRecipient({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    const client = clientOf(session);
    const named = readAddress(address, settings.inboxDomain);
    let inbox: Awaited<ReturnType<typeof findInboxByToken>> = null;
    try {
      inbox = named && (await findInboxByToken(parts.database.system, named.token));
      if (inbox && named?.docType && !(await hasType(parts.database, inbox.account_id, named.docType))) inbox = null;
    } catch (error) {
      logger.error({ error }, 'an inbox could not be looked up');
      throw reply(451, 'The service cannot check this address now, try again soon');
    }
    if (!named || !inbox?.is_active) {
      client.unknownRecipients++;
      if (client.unknownRecipients >= unknownRecipientLimit) throw reply(421, 'Too many unknown recipients');
      throw reply(550, 'No such inbox');
    }
    if (client.recipient !== null && client.recipient.inbox.account_id !== inbox.account_id) {
      // One account's documents are committed on their own; the sender sends the message again for the other one.
      throw reply(452, 'One inbox at a time');
    }
    if (inbox.messages_last_hour >= settings.inboxMessagesPerHour) {
      throw reply(451, 'This inbox got too many messages within the hour, try again later');
    }
    client.recipient = { inbox, docType: named.docType };
  }

  /** Takes the message of a transfer; returns the reply that acknowledges it. */
  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const client = clientOf(session);
    const { recipient } = client;
    client.recipient = null;
    if (recipient === null) throw reply(503, 'Name a recipient first');
    const { mailFrom } = session.envelope;
    const envelope: Envelope = {
      ...recipient,
      from: mailFrom === false ? '' : mailFrom.address.slice(0, 254),
      isFromRelay: client.isRelay,
    };
    let heldBytes = 0;
    const timer = setTimeout(() => cutOff(session.id, 'This message takes too long'), timeouts.messageMs);
    let sizeBytes = 0;
    stream.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      // It is refused once it has ended, which it may never do.
      if (sizeBytes > settings.inboxMaxMessageSizeBytes * 2) cutOff(session.id, 'This message is far too large');
    });
    try {
      return await acceptMessage(parts, envelope, stream, (chunk) => {
        if (stream.sizeExceeded) {
          throw new Refused(
            'message_too_large',
            `A message has ${settings.inboxMaxMessageSizeBytes} bytes at most`,
            552,
          );
        }
        if (chunk.length > freeBytes) throw reply(451, 'The service is busy, try again soon');
        freeBytes -= chunk.length;
        heldBytes += chunk.length;
      });
    } finally {
      clearTimeout(timer);
      freeBytes += heldBytes;
    }
  }

  function cutOff(sessionId: string, reason: string): void {
    for (const connection of server.connections) if (connection.id === sessionId) connection.send(421, reason);
  }

  function clientOf(session: SMTPServerSession): Client {
    const client = clients.get(session.id);
    if (!client) throw reply(421, 'The connection is closed');
    return client;
  }

  /** Nothing but a refusal is for good: whatever else went wrong may succeed when the message is sent again. */
  function replyTo(error: unknown): Error {
    if (error instanceof Refused || isReply(error)) return error;
    if (isClosed(error)) logger.info('a sender hung up within a message');
    else logger[isUnavailable(error) ? 'warn' : 'error']({ error }, 'a message could not be stored');
    return reply(451, 'The message could not be stored, try again');
  }

  server.on('error', (error) => logger.debug({ error }, 'a connection to the inbox broke'));
  const certificateTimer = followCertificate(server, settings, logger);
  await listen(
    {
      listen: ({ host, port }) =>
        new Promise((resolve, reject) => {
          server.server.once('error', reject);
          server.listen(port, host, () => resolve(server.server.off('error', reject)));
        }),
      server: server.server,
    },
    {
      host: settings.inboxHost,
      port: settings.inboxPort ?? 0,
      hostSetting: 'MILLRACE_INBOX_HOST',
      portSetting: 'MILLRACE_INBOX_PORT',
    },
  );

  return {
    port: (server.server.address() as AddressInfo).port,
    stop: async (graceMs) => {
      isStopping = true;
      clearInterval(certificateTimer);
      const grace = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
      await Promise.race([Promise.allSettled(inProgress), grace]);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const connection of [...server.connections])
          connection.send(421, 'The service is stopping, try again soon');
      });
    },
  };
}

/** An error that the server turns into the reply of this code. */
function reply(responseCode: number, message: string): Error & { readonly responseCode: number } {
  return Object.assign(new Error(message), { responseCode });
}

function isReply(error: unknown): error is Error {
  return error instanceof Error && 'responseCode' in error;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNECTION';
}

function readCertificate({ inboxCertificateFile: cert, inboxKeyFile: key }: InboxServerParts['settings']) {
  if (cert === null && key === null) return {};
  if (cert === null || key === null) {
    throw new Error('MILLRACE_INBOX_CERTIFICATE_FILE and MILLRACE_INBOX_KEY_FILE must be set together.');
  }
  try {
    return { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' as const };
  } catch (cause) {
    throw new Error('The certificate in MILLRACE_INBOX_CERTIFICATE_FILE, or its key, can’t be read.', { cause });
  }
}

/** Takes up a certificate that was renewed. */
function followCertificate(
  server: SMTPServer,
  settings: InboxServerParts['settings'],
  logger: Logger,
): NodeJS.Timeout | undefined {
  const { inboxCertificateFile: file } = settings;
  if (file === null) return undefined;
  let knownMs = statSync(file).mtimeMs;
  return setInterval(() => {
    try {
      const { mtimeMs } = statSync(file);
      if (mtimeMs === knownMs) return;
      server.updateSecureContext(readCertificate(settings));
      knownMs = mtimeMs;
    } catch (error) {
      logger.error({ error }, 'the renewed certificate of the inbox cannot be used');
    }
  }, certificateCheckMs).unref();
}

/** Whether an account has a type that an address names. */
function hasType(database: ExtractionDatabase, accountId: string, name: string): Promise<boolean> {
  return tenantTransaction(database, accountId, (transaction) => isType(transaction, name), { access: 'read only' });
}
