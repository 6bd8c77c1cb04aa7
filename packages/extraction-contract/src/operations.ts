import { documentTypeOperations } from './document-types.ts';
import { documentOperations } from './documents.ts';
import { exportOperations } from './exports.ts';
import { extractOperations } from './extract.ts';
import { healthOperations } from './health.ts';
import { jobOperations } from './jobs.ts';

/** Every operation of the extraction API, in the order of the reference. Safe for browsers. */
export const operations = [
  ...extractOperations,
  ...jobOperations,
  ...documentOperations,
  ...exportOperations,
  ...documentTypeOperations,
  ...healthOperations,
] as const;
