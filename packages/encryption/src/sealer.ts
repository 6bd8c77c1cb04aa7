import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const magic = Buffer.from('MRS1');
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = magic.length + keyIdBytes + nonceBytes;
const masterKeyBytes = 32;

/** Encrypts stored bytes so that they can't be read, changed or swapped without the key. */
export interface Sealer {
  /**
   * Encrypts with AES-256-GCM and a random nonce. The result only opens with the same `context`, the name it is stored
   * under; it is 36 bytes longer than the plain bytes.
   *
   * Layout: `MRS1`, key id (4 bytes), nonce (12 bytes), ciphertext, tag (16 bytes).
   */
  seal(plain: Uint8Array, context: string): Buffer;
  /** @throws SealError if the bytes were not sealed with one of the keys and this context, or were changed since. */
  open(sealed: Uint8Array, context: string): Buffer;
}

export class SealError extends Error {
  readonly code: 'not_sealed' | 'unknown_key' | 'tampered';

  constructor(code: SealError['code'], message: string) {
    super(message);
    this.name = 'SealError';
    this.code = code;
  }
}

/**
 * Creates a sealer for one purpose. Bytes sealed for one purpose don't open for another, so one configured key serves
 * all.
 *
 * @param keys 32 bytes each. The first one seals, all open: to rotate, put the new key in front.
 */
export function createSealer(keys: readonly Uint8Array[], purpose: string): Sealer {
  const derived = keys.map((key) => deriveKey(key, purpose));
  const [current] = derived;
  if (!current) throw new Error('An encryption key is needed.');

  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const header = Buffer.concat([magic, current.id, nonce]);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce);
      cipher.setAAD(additionalData(header, context));
      return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },

    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes.length < headerBytes + tagBytes || !bytes.subarray(0, magic.length).equals(magic)) {
        throw new SealError('not_sealed', 'The stored bytes do not have the encrypted form.');
      }
      const id = bytes.subarray(magic.length, magic.length + keyIdBytes);
      const match = derived.find((candidate) => candidate.id.equals(id));
      if (!match)
        throw new SealError('unknown_key', 'The stored bytes are encrypted with a key that is not configured.');
      const header = bytes.subarray(0, headerBytes);
      const decipher = createDecipheriv('aes-256-gcm', match.key, header.subarray(-nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(additionalData(header, context));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const plain = decipher.update(bytes.subarray(headerBytes, -tagBytes));
      try {
        return Buffer.concat([plain, decipher.final()]);
      } catch {
        throw new SealError('tampered', 'The stored bytes were changed or exchanged after they were encrypted.');
      }
    },
  };
}

/** HKDF-SHA256 (RFC 5869) of the configured key: 32 bytes for encryption, 4 for the key id. */
function deriveKey(masterKey: Uint8Array, purpose: string): { key: Buffer; id: Buffer } {
  if (masterKey.length !== masterKeyBytes) throw new Error(`An encryption key must have ${masterKeyBytes} bytes.`);
  const derived = Buffer.from(hkdfSync('sha256', masterKey, '', `millrace ${purpose}`, masterKeyBytes + keyIdBytes));
  return { key: derived.subarray(0, masterKeyBytes), id: derived.subarray(masterKeyBytes) };
}

function additionalData(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)]);
}
