import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import type { Settings } from '@millrace/settings/extraction';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { requireType } from '../document-types/store.ts';
import type { inboxOperations } from './contract.ts';
import { changeInbox, findInbox, type ListedMessage, listMessages, replaceToken, type StoredInbox } from './store.ts';

export type InboxSettings = Pick<
  Settings,
  | 'inboxPort'
  | 'inboxDomain'
  | 'inboxAuthenticationServer'
  | 'inboxRelays'
  | 'inboxMaxMessageSizeBytes'
  | 'inboxMaxFiles'
  | 'inboxMessagesPerHour'
  | 'maxFileSizeBytes'
>;

export interface InboxParts {
  readonly database: ExtractionDatabase;
  readonly settings: InboxSettings;
}

export function inboxDashboardHandlers({
  database,
  settings,
}: InboxParts): Handlers<typeof inboxOperations, DashboardCaller> {
  const shown = (inbox: StoredInbox) => ({
    isRunning: settings.inboxPort !== null,
    isActive: inbox.is_active,
    address: `${inbox.token}@${settings.inboxDomain}`,
    docType: inbox.doc_type,
    allowList: inbox.allow_list,
    requireAuthentication: inbox.require_authentication,
    hasTrustedRelay: settings.inboxAuthenticationServer !== null && settings.inboxRelays.rules.length > 0,
    limits: {
      messageSizeBytes: settings.inboxMaxMessageSizeBytes,
      fileSizeBytes: settings.maxFileSizeBytes,
      filesPerMessage: settings.inboxMaxFiles,
      messagesPerHour: settings.inboxMessagesPerHour,
    },
  });

  return {
    async getInbox(_request, { accountId }) {
      return { status: 200, body: shown(await tenantTransaction(database, accountId, findInbox)) };
    },

    async updateInbox({ body }, { accountId }) {
      const inbox = await tenantTransaction(database, accountId, async (transaction) => {
        await requireType(transaction, body.docType);
        return changeInbox(transaction, body);
      });
      return { status: 200, body: shown(inbox) };
    },

    async rotateInboxAddress(_request, { accountId }) {
      return { status: 200, body: shown(await tenantTransaction(database, accountId, replaceToken)) };
    },

    async listInboxMessages({ query: { cursor, limit } }, { accountId }) {
      const messages = await tenantTransaction(
        database,
        accountId,
        (transaction) => listMessages(transaction, { before: cursor, limit: limit + 1 }),
        { access: 'read only' },
      );
      const items = messages.slice(0, limit);
      const nextCursor = messages.length > limit ? (items.at(-1)?.id ?? null) : null;
      return { status: 200, body: { items: items.map(messageShown), nextCursor } };
    },
  };
}

function messageShown(message: ListedMessage) {
  return {
    id: message.id,
    receivedAt: message.received_at.toISOString(),
    from: message.from_address || message.envelope_from,
    subject: message.subject,
    sizeBytes: message.size_bytes,
    outcome: message.outcome,
    authentication: message.authentication,
    documents: message.documents.map(({ id, reference, file_name, state }) => ({
      id,
      reference,
      fileName: file_name,
      state,
    })),
    refusals: [...message.refusals],
    answeredAt: message.answered_at?.toISOString() ?? null,
  };
}
