import { createSealer } from '@millrace/encryption';
import { type OneTimeCodes, oneTimeCodesIn } from '@millrace/sign-in/one-time-codes';

/** @param encryptionKeys 32 bytes each; the first encrypts, every one decrypts. */
export function createOneTimeCodes(encryptionKeys: readonly Uint8Array[]): OneTimeCodes {
  return oneTimeCodesIn({
    users: 'users',
    recoveryCodes: 'mfa_recovery_codes',
    tenantColumn: 'account_id',
    sealer: createSealer(encryptionKeys, 'one-time codes'),
  });
}
