import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EncryptionKeySettings {
  /** 32 bytes, or null if the key is in the data folder. */
  readonly encryptionKey: Buffer | null;
  readonly dataDirectory: string;
}

/**
 * The key that originals and secrets are encrypted with, 32 bytes: from the setting, or from the file `encryption.key`
 * in the data folder, which is created if it is missing.
 *
 * @throws Error with the file's path, if it doesn't contain a key
 */
export function loadEncryptionKey({ encryptionKey, dataDirectory }: EncryptionKeySettings): Buffer {
  if (encryptionKey !== null) return encryptionKey;
  const path = join(dataDirectory, 'encryption.key');
  const read = (): Buffer => {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
    if (key.length !== 32) throw new Error(`${path} does not contain an encryption key of 64 hexadecimal digits.`);
    return key;
  };
  try {
    return read();
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
  mkdirSync(dataDirectory, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    // Of several processes that start at the same time, one creates the key, complete, and the others read it.
    linkSync(unfinished, path);
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    rmSync(unfinished);
  }
  return read();
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
