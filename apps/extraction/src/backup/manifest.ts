import { createHash } from 'node:crypto';
import type { BlobDriver } from '@millrace/blobs';
import { createSealer, SealError } from '@millrace/encryption';
import * as z from 'zod';

/** Sealed bytes of a backup: the key is also the context that they are sealed with, after the backup's id. */
const Part = z.strictObject({
  key: z.string().regex(/^[a-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/),
  sizeBytes: z.int().min(0),
  /** SHA-256 of the stored bytes. */
  sha256: z.hex().length(64),
});
export type Part = z.infer<typeof Part>;

const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

const Table = z.strictObject({
  name: Name,
  columns: z.array(Name).min(1),
  rows: z.int().min(0),
  parts: z.array(Part),
});
export type Table = z.infer<typeof Table>;

const Partition = z.strictObject({
  parent: Name,
  name: Name,
  /** As PostgreSQL shows it, with times in UTC. */
  bound: z.string().regex(/^FOR VALUES FROM \('[0-9 :+-]+'\) TO \('[0-9 :+-]+'\)$/),
});
export type Partition = z.infer<typeof Partition>;

const SchemaContent = z.strictObject({
  name: Name,
  /** Names of the migrations that had run, in their order. */
  migrations: z.array(z.string()),
  partitions: z.array(Partition),
  tables: z.array(Table),
  sequences: z.array(z.strictObject({ name: Name, lastValue: z.string().regex(/^\d+$/), isCalled: z.boolean() })),
});
export type SchemaContent = z.infer<typeof SchemaContent>;

const Manifest = z.strictObject({
  format: z.literal(1),
  id: z.uuid(),
  /** When the databases' snapshot was taken. */
  takenAt: z.iso.datetime(),
  /** Of Millrace, and of the PostgreSQL server. */
  version: z.string(),
  postgresVersion: z.string(),
  schemas: z.array(SchemaContent),
  originals: z.strictObject({
    count: z.int().min(0),
    sizeBytes: z.int().min(0),
    /** Lists of originals, each a JSON object a line: `blobKey`, `sizeBytes`, `sha256`. */
    lists: z.array(Part),
    /** How many documents had no original when the backup was taken. */
    missing: z.int().min(0),
  }),
  /** The ends of the audit trails, if there was a file of them. */
  auditAnchors: z.array(Part),
});
export type Manifest = z.infer<typeof Manifest>;

/** The manifest's text and its hash, sealed: it opens only with the key of the backup, and only if nothing was changed. */
const Stored = z.strictObject({ manifest: z.string(), seal: z.base64() });

const manifestKey = 'manifest.json';

/** Encrypts and authenticates everything in a backup but the originals, which are encrypted already. */
export function backupSealer(encryptionKey: Uint8Array) {
  return createSealer([encryptionKey], 'backups');
}

/** Completes a backup: without its manifest, nobody restores it. */
export async function writeManifest(place: BlobDriver, encryptionKey: Uint8Array, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest);
  const seal = backupSealer(encryptionKey).seal(digestOf(text), manifestKey).toString('base64');
  await place.put(manifestKey, Buffer.from(JSON.stringify({ manifest: text, seal })));
}

/** @throws Error that says why this is not a backup to restore */
export async function readManifest(place: BlobDriver, encryptionKey: Uint8Array): Promise<Manifest> {
  const bytes = await place.get(manifestKey);
  if (bytes === null) {
    throw new Error(
      (await place.isEmpty())
        ? 'There is no backup at this place.'
        : 'This backup was interrupted: it has no manifest and can’t be restored. Choose another one.',
    );
  }
  const { manifest, seal } = Stored.parse(JSON.parse(Buffer.from(bytes).toString()));
  try {
    const sealed = backupSealer(encryptionKey).open(Buffer.from(seal, 'base64'), manifestKey);
    if (!sealed.equals(digestOf(manifest))) throw new SealError('tampered', 'The manifest was changed.');
  } catch (cause) {
    if (cause instanceof SealError && cause.code === 'unknown_key') {
      throw new Error(
        'The encryption key is not the one of this backup. Set MILLRACE_ENCRYPTION_KEY to the key that was in use then.',
        { cause },
      );
    }
    throw new Error('The backup’s manifest was changed after it was written. Choose another backup.', { cause });
  }
  const content: unknown = JSON.parse(manifest);
  const parsed = Manifest.safeParse(content);
  if (!parsed.success)
    throw new Error('This backup was made by another version of Millrace. Restore it with that one.');
  return parsed.data;
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
