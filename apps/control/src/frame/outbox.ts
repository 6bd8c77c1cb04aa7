import type { Sealer } from '@millrace/encryption';
import { newId } from '@millrace/identifiers';
import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Call } from './execute.ts';
import type { Mail } from './handler.ts';

/** Mail that waits for its commit and for its server. It is kept encrypted: it carries links that let somebody in. */
export interface Outbox {
  readonly sealer: Sealer;
  /** Called when something may be waiting. */
  wake(): void;
}

/** Stores an e-mail in the transaction of the write that it reports. */
export async function putMail(outbox: Outbox, transaction: Kysely<Schema>, call: Call, mail: Mail): Promise<void> {
  call.pending.mail = true;
  await insertMail(outbox, transaction, mail.organizationId ?? call.organizationId, mail);
}

/** Stores an e-mail in the transaction of a write that the service makes on its own; wake the outbox after the commit. */
export async function putMailOf(
  outbox: Outbox,
  transaction: Kysely<Schema>,
  organizationId: string,
  mail: Mail,
): Promise<void> {
  await insertMail(outbox, transaction, organizationId, mail);
}

/** Sends mail that belongs to no write, such as a warning of what was refused. */
export async function sendMail(
  outbox: Outbox,
  system: Kysely<Schema>,
  mail: Mail & { readonly organizationId: string },
): Promise<void> {
  await insertMail(outbox, system, mail.organizationId, mail);
  outbox.wake();
}

async function insertMail(
  outbox: Outbox,
  transaction: Kysely<Schema>,
  organizationId: string,
  mail: Mail,
): Promise<void> {
  const id = newId('out');
  await transaction
    .insertInto('outbox')
    .values({
      id,
      organization_id: organizationId,
      kind: 'mail',
      sealed_payload: outbox.sealer.seal(Buffer.from(JSON.stringify(mail)), id),
    })
    .execute();
}

/** The mail of a row of the outbox. */
export function openMail(sealer: Sealer, row: { readonly id: string; readonly sealed_payload: Uint8Array }): Mail {
  return JSON.parse(sealer.open(row.sealed_payload, row.id).toString());
}
