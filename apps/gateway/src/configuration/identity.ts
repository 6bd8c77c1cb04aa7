import { createHash, createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson } from '@millrace/revision/hash';
import * as z from 'zod';
import { type Files, replaceFileNow } from './files.ts';

/** The node's identity, and the newest state that it has loaded: anything older is rejected. */
const Identity = z.strictObject({
  format: z.literal(1),
  nodeId: z.string().min(1).max(64),
  /** Bearer token of every call to the control plane. */
  token: z.string().min(1).max(200),
  organizationId: z.string().min(1).max(64),
  environmentId: z.string().min(1).max(64),
  environmentName: z.string().min(1).max(100),
  /** X25519, PKCS #8, Base64: decrypts secrets for this node. */
  privateKey: z.string().max(200),
  /** Ed25519, PEM: verifies signatures of the platform. */
  verificationKey: z.string().max(1_000).refine(isEd25519, 'The verification key is not an Ed25519 key.'),
  /** SHA-256 of the registration token that was used, so that a start with the same one does not register again. */
  registrationTokenHash: z.string(),
  newestSequence: z.int().min(0),
  /** Null until the consumers are complete for the first time. */
  consumersSequence: z.int().min(0).nullable(),
});
export type Identity = z.infer<typeof Identity>;

const IdentityFile = z.strictObject({ identity: Identity, checksum: z.string() });

/** The identity on disk is unusable; says what to do. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}

/** The file of a node's identity in its folder. */
export const identityFile = (directory: string) => join(directory, 'identity.json');

/**
 * The identity in the folder; null if there is none.
 *
 * @throws IdentityError if it was changed or is incomplete
 */
export async function readIdentity(files: Files, directory: string): Promise<Identity | null> {
  const bytes = await files.read(identityFile(directory));
  if (bytes === null) return null;
  try {
    const { identity, checksum } = IdentityFile.parse(JSON.parse(bytes.toString('utf8')));
    if (checksum === checksumOf(identity)) return identity;
  } catch {
    // The message below says what to do; the parser's could reveal a secret.
  }
  throw new IdentityError(
    `The file ${identityFile(directory)} is damaged. Make a new registration token for the node and start it with MILLRACE_GATEWAY_TOKEN.`,
  );
}

/** Stores the identity, readable by this user only. */
export function writeIdentity(files: Files, directory: string, identity: Identity): Promise<void> {
  const text = JSON.stringify({ identity, checksum: checksumOf(identity) });
  return replaceFileNow(files, identityFile(directory), text);
}

function checksumOf(identity: Identity): string {
  return createHash('sha256').update(canonicalJson(identity)).digest('hex');
}

function isEd25519(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
