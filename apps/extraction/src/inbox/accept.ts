import { createHash, hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BlobStore } from '@millrace/blobs';
import { defaultDocType } from '@millrace/document-model';
import { tenantTransaction } from '@millrace/postgres';
import type { Logger } from 'pino';
import type { ExtractionDatabase, StoredRefusal, TenantTransaction } from '../database/schema.ts';
import { newId } from '../identifiers.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Metrics } from '../metrics.ts';
import { insertDocument, type NewDocument } from '../resources/documents/store.ts';
import type { InboxSettings } from '../resources/inbox/handlers.ts';
import { answerLimits, isAllowed } from '../resources/inbox/rules.ts';
import {
  countAnswers,
  deleteOldMessages,
  insertMessage,
  type NewMessage,
  type StoredInbox,
} from '../resources/inbox/store.ts';
import { insertJob } from '../resources/jobs/store.ts';
import { answerTo } from './answer.ts';
import { authenticationOf, type SenderAuthentication } from './authentication-results.ts';
import { DotLines } from './dot-lines.ts';
import { MessageError, type MessageHead, readMessage } from './message.ts';

export interface AcceptParts {
  readonly database: ExtractionDatabase;
  readonly blobs: BlobStore;
  readonly settings: InboxSettings;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'inboxMessages'>;
  readonly outbox: Outbox;
  /** Called after a commit that queued mail. */
  readonly onMail: () => void;
  /** Called after a commit that queued a job. */
  readonly onJob: () => void;
}

/** Whom a message goes to and where it comes from, as its transfer says. */
export interface Envelope {
  readonly inbox: StoredInbox;
  /** The type that the address names; null without one. */
  readonly docType: string | null;
  /** Empty for a message that nobody may answer, such as a bounce. */
  readonly from: string;
  /** It comes from a relay whose word on the sender is taken. */
  readonly isFromRelay: boolean;
}

/** A message that is not taken, with the reply that says so for good. */
export class Refused extends Error {
  readonly code: string;
  readonly responseCode: number;

  constructor(code: string, message: string, responseCode = 550) {
    super(message);
    this.code = code;
    this.responseCode = responseCode;
  }
}

/** What has come in of a message so far. */
interface Received {
  head: MessageHead | null;
  authentication: SenderAuthentication;
  sizeBytes: number;
  /** In the blob store, or on the way there. */
  readonly files: NewDocument[];
}

/** Of messages, this share is followed by a clean-up of the account's log. */
const cleanUpShare = 1 / 50;

/**
 * Takes a message: each document into the blob store as it comes in, then all of them with their jobs and the message's
 * record in one transaction. The same message sent again is taken once. Where it is not taken, nothing of it is left.
 *
 * @param onChunk sees every piece of the message first; what it throws ends the reading
 * @returns the reply that acknowledges the message
 * @throws Refused, which is logged for the account; anything else is a failure of this side
 */
export async function acceptMessage(
  parts: AcceptParts,
  envelope: Envelope,
  source: Readable,
  onChunk: (chunk: Buffer) => void,
): Promise<string> {
  const received: Received = { head: null, authentication: 'unknown', sizeBytes: 0, files: [] };
  let outcome: 'taken' | 'empty' | 'known' | 'refused' | 'failed' = 'failed';
  let code: string | undefined;
  try {
    const refusals = await receive(parts, envelope, source, received, onChunk);
    outcome = await store(parts, envelope, received, refusals);
  } catch (error) {
    if (error instanceof Refused) {
      outcome = 'refused';
      ({ code } = error);
      await recordRefused(parts, envelope, received, error);
    }
    throw error;
  } finally {
    if (outcome !== 'taken') await discard(parts, received.files);
    parts.metrics.inboxMessages.inc({ outcome });
    const { sizeBytes, files, authentication } = received;
    const about = { account: envelope.inbox.account_id, outcome, code, sizeBytes, files: files.length, authentication };
    parts.logger.info(about, 'a message came in');
  }
  if (outcome === 'taken') parts.onJob();
  return `OK: ${received.files.length} document${received.files.length === 1 ? '' : 's'} taken`;
}

/** Reads the message, and stores the originals of its documents. Returns what was refused of it. */
async function receive(
  { blobs, settings }: AcceptParts,
  envelope: Envelope,
  source: Readable,
  received: Received,
  onChunk: (chunk: Buffer) => void,
): Promise<readonly StoredRefusal[]> {
  const dotLines = new DotLines();
  const limits = {
    messageSizeBytes: settings.inboxMaxMessageSizeBytes,
    fileSizeBytes: settings.maxFileSizeBytes,
    files: settings.inboxMaxFiles,
  };
  try {
    const { refusals } = await readMessage(source, limits, {
      onChunk(chunk) {
        received.sizeBytes += chunk.length;
        onChunk(chunk);
        if (dotLines.isSmuggling(chunk)) {
          throw new Refused('malformed_message', 'End lines with CR LF: a line of a dot ends otherwise', 554);
        }
      },
      onHead(head) {
        received.head = head;
        received.authentication = authenticate(settings, envelope, head);
        checkSender(envelope.inbox, head, received.authentication);
      },
      async onFile({ name, mediaType, bytes }) {
        const id = newId('doc');
        const blobKey = `${envelope.inbox.account_id}/${id}`;
        received.files.push({
          id,
          fileName: name,
          mediaType,
          sizeBytes: bytes.length,
          sha256: hash('sha256', bytes, 'buffer'),
          docType: docTypeOf(envelope) ?? defaultDocType,
          blobKey,
          apiKeyId: null,
          source: 'inbox',
          receivedAt: new Date(),
        });
        await blobs.put(blobKey, bytes);
      },
    });
    return refusals;
  } catch (error) {
    throw error instanceof MessageError ? new Refused('malformed_message', error.message, 554) : error;
  }
}

/** What the address asks for, else the inbox; null: as the document looks. */
function docTypeOf({ docType, inbox }: Envelope): string | null {
  return docType ?? inbox.doc_type;
}

function authenticate(settings: InboxSettings, envelope: Envelope, { lines, from }: MessageHead): SenderAuthentication {
  if (!envelope.isFromRelay || settings.inboxAuthenticationServer === null || from === '') return 'unknown';
  return authenticationOf(lines, settings.inboxAuthenticationServer, from.slice(from.lastIndexOf('@') + 1));
}

/** @throws Refused if the account doesn't accept mail from this sender */
function checkSender(inbox: StoredInbox, { from }: MessageHead, authentication: SenderAuthentication): void {
  if (!isAllowed(from, inbox.allow_list)) {
    throw new Refused('sender_not_allowed', 'This inbox does not accept mail from the address in From');
  }
  if (inbox.require_authentication && authentication !== 'passed') {
    throw new Refused('sender_not_authenticated', 'This inbox only accepts mail from authenticated senders');
  }
}

/**
 * Stores what was received, all or nothing: `known` if the message was accepted before, `empty` if it has no document.
 *
 * @throws Refused if it contains no document and no reply says so
 */
async function store(
  parts: AcceptParts,
  envelope: Envelope,
  received: Received,
  refusals: readonly StoredRefusal[],
): Promise<'taken' | 'empty' | 'known'> {
  const { inbox } = envelope;
  const { head, files } = received;
  const none = {
    fileName: null,
    code: 'no_document',
    message: 'The message has no PDF, PNG, JPG or TIFF file attached.',
  };
  const reported = files.length === 0 && refusals.length === 0 ? [none] : refusals;
  const stored = await tenantTransaction(parts.database, inbox.account_id, async (transaction) => {
    const mayAnswer =
      head !== null &&
      reported.length > 0 &&
      (await isAnswerable(transaction, parts.settings, envelope, received, head));
    // A machine would forward a rejection to whoever its message pretended to come from.
    if (files.length === 0 && !mayAnswer && envelope.from !== '' && !head?.isAutomatic) return 'refused';
    const message = messageOf(envelope, received, reported, mayAnswer);
    if (!(await insertMessage(transaction, message))) return 'known';
    for (const file of files) {
      await insertDocument(transaction, file);
      const options = { doc_type: docTypeOf(envelope) ?? ('detect' as const), fields: null, callback_url: null };
      await insertJob(transaction, { id: newId('job'), documentId: file.id, options });
    }
    if (mayAnswer) await parts.outbox.put(transaction, inbox.account_id, answerTo(head, files, reported));
    if (Math.random() < cleanUpShare) await deleteOldMessages(transaction);
    return mayAnswer ? 'answered' : 'stored';
  });
  if (stored === 'refused') throw new Refused('no_document', reported[0]?.message ?? none.message, 554);
  if (stored === 'answered') parts.onMail();
  if (stored === 'known') return stored;
  return files.length > 0 ? 'taken' : 'empty';
}

/** Whether a person is behind the address in `From`, has been found to be no forgery, and was not answered too often. */
async function isAnswerable(
  transaction: TenantTransaction,
  { inboxDomain }: InboxSettings,
  envelope: Envelope,
  { authentication }: Received,
  { from, isAutomatic }: MessageHead,
): Promise<boolean> {
  if (authentication !== 'passed' || envelope.from === '' || isAutomatic) return false;
  const [name = '', domain] = from.split('@');
  if (domain === inboxDomain || /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply)\b/.test(name)) return false;
  const { toSender, toAll } = await countAnswers(transaction, from);
  return toSender < answerLimits.perSender && toAll < answerLimits.perAccount;
}

function messageOf(
  envelope: Envelope,
  { head, authentication, sizeBytes, files }: Received,
  refusals: readonly StoredRefusal[],
  isAnswered: boolean,
): NewMessage {
  const { messageId = null, date = '', from = '', subject = '' } = head ?? {};
  // Relays add to the header of what they send again, so that not all of it makes the message.
  const digest = createHash('sha256').update(JSON.stringify(messageId === null ? [date, from, subject] : [messageId]));
  for (const { fileName, sha256 } of files) digest.update(JSON.stringify(fileName)).update(sha256);
  return {
    id: newId('inb'),
    digest: digest.digest(),
    messageId,
    envelopeFrom: envelope.from,
    from,
    subject,
    sizeBytes,
    outcome: files.length === 0 ? 'refused' : refusals.length > 0 ? 'partly_accepted' : 'accepted',
    authentication,
    documentIds: files.map(({ id }) => id),
    refusals,
    isAnswered,
  };
}

async function recordRefused(
  { database, logger }: AcceptParts,
  envelope: Envelope,
  received: Received,
  { code, message }: Refused,
): Promise<void> {
  const refused = messageOf(envelope, { ...received, files: [] }, [{ fileName: null, code, message }], false);
  try {
    await tenantTransaction(database, envelope.inbox.account_id, (transaction) => insertMessage(transaction, refused));
  } catch (error) {
    logger.warn({ error, account: envelope.inbox.account_id, code }, 'a refused message could not be logged');
  }
}

/** Removes the originals of a message that was not taken; what is left of them belongs to no document. */
async function discard({ blobs, logger }: AcceptParts, files: readonly NewDocument[]): Promise<void> {
  for (const { blobKey } of files) {
    await blobs.delete(blobKey).catch((error: unknown) => logger.warn({ error, blobKey }, 'an original stays behind'));
  }
}
