import { createSealer } from '@millrace/encryption';
import type { Mail } from '@millrace/mail';
import type { QueryCreator } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { newId } from '../identifiers.ts';

/** Mail waiting for its commit and for the mail server. It is encrypted, since it contains links that grant access. */
export interface Outbox {
  /** Queues mail in the transaction of the write that it reports: it is sent after the commit, or not at all. */
  put(transaction: QueryCreator<Schema>, accountId: string, mail: Mail): Promise<void>;
  /** Reads the mail of a row. */
  open(row: { readonly id: string; readonly sealed_payload: Uint8Array }): Mail;
}

/** @param encryptionKeys 32 bytes each; the first encrypts, every one decrypts. */
export function createOutbox(encryptionKeys: readonly Uint8Array[]): Outbox {
  const sealer = createSealer(encryptionKeys, 'mails');
  return {
    put: async (transaction, accountId, mail) => {
      const id = newId('mail');
      const sealed = sealer.seal(Buffer.from(JSON.stringify(mail)), id);
      await transaction
        .insertInto('mails')
        .values({ id, account_id: accountId, sealed_payload: sealed, error: null })
        .execute();
    },
    open: ({ id, sealed_payload }) => JSON.parse(sealer.open(sealed_payload, id).toString()),
  };
}
