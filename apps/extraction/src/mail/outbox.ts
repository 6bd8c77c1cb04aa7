import { createSealer } from '@millrace/encryption';
import type { Mail } from '@millrace/mail';
import type { QueryCreator } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { newId } from '../identifiers.ts';

/** Mail that waits for its commit and for its server. It is kept encrypted: it carries links that let somebody in. */
export interface Outbox {
  /** Puts mail beside the write that it tells of: it is sent after the commit, or not at all. */
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
