import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import * as z from 'zod';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError } from '../../http/errors.ts';
import type { senderOperations } from './contract.ts';
import { deleteSender, type ListedSender, listSenders } from './store.ts';

export interface SenderParts {
  readonly database: ExtractionDatabase;
}

export function senderHandlers({ database }: SenderParts): Handlers<typeof senderOperations, DashboardCaller> {
  return {
    async getSenders({ query }, { accountId }) {
      const after = query.cursor === undefined ? null : positionOf(query.cursor);
      const found = await tenantTransaction(
        database,
        accountId,
        (transaction) => listSenders(transaction, query.limit, after),
        { access: 'read only' },
      );
      const shown = found.slice(0, query.limit);
      const last = shown.at(-1);
      return {
        status: 200,
        body: {
          items: shown.map(senderAnswer),
          nextCursor: found.length > shown.length && last ? cursorOf(last) : null,
        },
      };
    },

    async forgetSender({ params }, { accountId }) {
      const known = await tenantTransaction(database, accountId, (transaction) => deleteSender(transaction, params.id));
      if (!known) throw new ApiError('not_found');
      return { status: 200, body: {} };
    },
  };
}

function senderAnswer({ id, name, doc_type, document_count, last_confirmed_at, lessons }: ListedSender) {
  const fields = new Set(
    lessons.flatMap((lesson) => [...lesson.fields.map(({ field }) => field), ...Object.keys(lesson.constants)]),
  );
  return {
    id,
    name,
    docType: doc_type,
    documentCount: document_count,
    lastConfirmedAt: last_confirmed_at.toISOString(),
    recognisedBy: [
      ...(lessons.some(({ taxIds }) => taxIds.length > 0) ? ['tax_id' as const] : []),
      ...(lessons.some(({ ibans }) => ibans.length > 0) ? ['iban' as const] : []),
      'name' as const,
    ],
    fields: [...fields],
  };
}

const Position = z.tuple([z.iso.datetime(), z.string().max(40)]);

function cursorOf({ id, last_confirmed_at }: ListedSender): string {
  return Buffer.from(JSON.stringify([last_confirmed_at.toISOString(), id])).toString('base64url');
}

/** @throws ApiError `invalid_request` where it is no cursor that the list gave. */
function positionOf(cursor: string): { at: Date; id: string } {
  try {
    const [at, id] = Position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { at: new Date(at), id };
  } catch {
    throw new ApiError('invalid_request', { message: 'Use the nextCursor of the previous page as cursor.' });
  }
}
