export { type BlobStore, openBlobStore } from './store.ts';
