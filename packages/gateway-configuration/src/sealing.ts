import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { canonicalJson } from '@millrace/revision/hash';
import * as z from 'zod';
import type { SealedSecrets } from './manifest.ts';

const Secrets = z.record(z.string().max(300), z.string());
/** The ASN.1 frame of a raw X25519 public key (RFC 8410, section 4). */
const spkiPrefix = Buffer.from('302a300506032b656e032100', 'hex');

/** Says why sealed secrets do not open; never what is in them. */
export class SealingError extends Error {
  override readonly name = 'SealingError';
}

/** A pair of X25519 keys: the public one raw, the private one as PKCS #8, both in Base64. */
export function newSealingKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: rawOf(publicKey).toString('base64'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** SHA-256 of the secrets' canonical JSON, as hex digits: the manifest's `secretsHash`. */
export function hashSecrets(secrets: Readonly<Record<string, string>>): string {
  return createHash('sha256').update(canonicalJson(secrets)).digest('hex');
}

/** Size of the secrets' canonical JSON, in UTF-8. */
export function secretsSizeBytes(secrets: Readonly<Record<string, string>>): number {
  return Buffer.byteLength(canonicalJson(secrets));
}

/**
 * Seals secrets so that the node alone opens them: AES-256-GCM under HKDF-SHA-256 of the X25519 agreement of a key that is
 * made for this and the node's; the salt is both public keys, so that the key is bound to them.
 *
 * @param publicKey the node's, raw, in Base64
 * @throws SealingError where it is no X25519 key
 */
export function sealSecrets(secrets: Readonly<Record<string, string>>, publicKey: string): SealedSecrets {
  const own = generateKeyPairSync('x25519');
  const receiver = Buffer.from(publicKey, 'base64');
  const ownPublic = rawOf(own.publicKey);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', agree(own.privateKey, receiver, ownPublic, receiver), nonce);
  const ciphertext = Buffer.concat([cipher.update(canonicalJson(secrets), 'utf8'), cipher.final()]);
  return {
    ephemeralPublicKey: ownPublic.toString('base64'),
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  };
}

/** Whether secrets can be sealed for the key: with one of low order nobody can agree on a secret (RFC 7748, section 6.1). */
export function canSealFor(publicKey: string): boolean {
  try {
    sealSecrets({}, publicKey);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens what {@link sealSecrets} sealed.
 *
 * @param privateKey the node's, PKCS #8, in Base64
 * @throws SealingError
 */
export function openSecrets(sealed: SealedSecrets, privateKey: string): Record<string, string> {
  try {
    const own = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
    const sender = bytesOf(sealed.ephemeralPublicKey);
    const key = agree(own, sender, sender, rawOf(createPublicKey(own)));
    const decipher = createDecipheriv('aes-256-gcm', key, bytesOf(sealed.nonce), { authTagLength: 16 });
    decipher.setAuthTag(bytesOf(sealed.tag));
    const text = Buffer.concat([decipher.update(bytesOf(sealed.ciphertext)), decipher.final()]);
    return Secrets.parse(JSON.parse(text.toString('utf8')));
  } catch {
    throw new SealingError('The secrets were not encrypted for this node, or were changed in transit.');
  }
}

function agree(privateKey: KeyObject, other: Buffer, sender: Buffer, receiver: Buffer): Buffer {
  if (other.length !== 32) throw new SealingError('The public key is not an X25519 key.');
  const publicKey = createPublicKey({ key: Buffer.concat([spkiPrefix, other]), format: 'der', type: 'spki' });
  const agreed = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync('sha256', agreed, Buffer.concat([sender, receiver]), 'millrace gateway secrets', 32));
}

/** One text for the same bytes: Base64 has several for some. */
function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw new SealingError('This is not valid Base64.');
  return bytes;
}

function rawOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(spkiPrefix.length);
}
