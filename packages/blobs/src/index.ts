export { loadEncryptionKey } from './encryption-key.ts';
export { createSealer, SealError, type Sealer } from './sealer.ts';
export { type BlobStore, openBlobStore } from './store.ts';
