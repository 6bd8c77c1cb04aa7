import { createSealer, SealError, type Sealer } from '@millrace/encryption';

/** Encrypts the keys of an organization’s credentials so that they can be revealed. */
export type KeySealers = (organizationId: string) => Sealer;

/**
 * Makes a sealer for each organization with a key of its own: one organization's can't open another's. What the service’s
 * own sealer sealed opens with any of them.
 *
 * @param encryptionKey the service's, 32 bytes, from which each organization's is derived
 */
export function createKeySealers(encryptionKey: Uint8Array, service: Sealer): KeySealers {
  return (organizationId) => {
    const own = createSealer([encryptionKey], `control credentials of ${organizationId}`);
    return {
      seal: own.seal,
      open(sealed, context) {
        try {
          return own.open(sealed, context);
        } catch (error) {
          if (error instanceof SealError && error.code === 'unknown_key') return service.open(sealed, context);
          throw error;
        }
      },
    };
  };
}
