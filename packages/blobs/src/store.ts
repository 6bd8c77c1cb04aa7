import { createSealer } from '@millrace/encryption';
import { openFolder } from './folder.ts';

/** Stores documents encrypted, each as one byte string under a name. */
export interface BlobStore {
  /** Stores the bytes, replacing the key's previous content. When it returns, they survive a crash of the machine. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * The bytes under the key, or null if there are none.
   *
   * @throws SealError if they were changed since, or encrypted with a key that is not configured.
   */
  get(key: string): Promise<Uint8Array | null>;
  /** Deletes the key's content, if any. */
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Where encrypted bytes are kept. The keys have been checked. */
export interface BlobDriver {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
  /** Whether nothing is stored, under any key. */
  isEmpty(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the store at a URL:
 *
 * - `file:///var/lib/millrace/blobs` stores one file per blob in that folder;
 * - `s3://bucket/prefix?region=eu-central-1` stores one object per blob in S3. `endpoint=https://…` sets another
 *   S3-compatible server, and `pathStyle=true` puts the bucket into the path for it.
 *   `encryption=AES256`, or `encryption=aws:kms` with a `kmsKey`, asks the server to encrypt each object too. Credentials come from the URL
 *   (`s3://id:secret@bucket`, percent-encoded) or else from where the AWS SDK looks for them.
 *
 * @param encryptionKeys 32 bytes each; the first encrypts, all decrypt.
 * @throws Error that describes the problem with the URL, without its credentials.
 */
export async function openBlobStore(url: string, encryptionKeys: readonly Uint8Array[]): Promise<BlobStore> {
  const sealer = createSealer(encryptionKeys, 'blobs');
  const driver = await openDriver(url);
  return {
    put: async (key, bytes) => driver.put(checkKey(key), sealer.seal(bytes, key)),
    get: async (key) => {
      const sealed = await driver.get(checkKey(key));
      return sealed && sealer.open(sealed, key);
    },
    delete: async (key) => driver.delete(checkKey(key)),
    close: () => driver.close(),
  };
}

/** Opens the place at a URL, as {@link openBlobStore} takes it, for bytes as they are stored. */
export async function openDriver(address: string): Promise<BlobDriver> {
  const url = URL.parse(address);
  if (url?.protocol === 'file:') return openFolder(url);
  if (url?.protocol === 's3:') {
    // Loading the AWS SDK takes a good part of a second; only its users should wait for it.
    const { openBucket } = await import('./s3.ts');
    return openBucket(url);
  }
  throw new Error('The blob store must be a file:///… or s3://… URL.');
}

/** Segments of letters, digits, `.`, `_` and `-` that do not begin with a dot, joined by `/`. */
function checkKey(key: string): string {
  const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}';
  if (!new RegExp(`^${segment}(/${segment}){0,7}$`).test(key)) {
    throw new Error(`${JSON.stringify(key.slice(0, 200))} is not a valid blob key.`);
  }
  return key;
}
