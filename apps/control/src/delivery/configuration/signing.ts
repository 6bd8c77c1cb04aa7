import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';

/** Signs configuration snapshots with Ed25519. */
export interface SnapshotSigner {
  sign(content: Uint8Array): Buffer;
  /** By which a gateway node checks them, as PEM. */
  readonly publicKey: string;
  /** By which gateway nodes of an organization mask equal values alike: 32 bytes in Base64. */
  maskingKeyOf(organizationId: string): string;
}

/** The PKCS #8 frame of a raw Ed25519 seed (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The signing key is derived from the service's encryption key, so that every process signs alike. */
export function createSnapshotSigner(encryptionKey: Uint8Array): SnapshotSigner {
  const seed = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'millrace snapshot signing', 32));
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  return {
    sign: (content) => sign(null, content, key),
    publicKey: createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(),
    maskingKeyOf: (organizationId) =>
      Buffer.from(hkdfSync('sha256', encryptionKey, organizationId, 'millrace masking', 32)).toString('base64'),
  };
}
