import { createSealer, type Sealer } from '@millrace/encryption';

/**
 * Encrypts and decrypts signing secrets with the service's key; each only opens under its own id.
 *
 * @param encryptionKeys 32 bytes each; the first encrypts, every one decrypts.
 */
export function webhookSecretSealer(encryptionKeys: readonly Uint8Array[]): Sealer {
  return createSealer(encryptionKeys, 'webhook secrets');
}

/** A signing secret as it is stored. */
export interface StoredSecret {
  readonly id: string;
  readonly secret_encrypted: Uint8Array;
}

export function sealSecret(sealer: Sealer, id: string, secret: string): Buffer {
  return sealer.seal(Buffer.from(secret), id);
}

export function openSecret(sealer: Sealer, stored: StoredSecret): string {
  return sealer.open(stored.secret_encrypted, stored.id).toString();
}
