export { type BlobDriver, type BlobStore, openBlobStore, openDriver } from './store.ts';
