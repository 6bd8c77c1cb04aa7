import { documentOperations } from './resources/documents/contract.ts';
import { extractOperations } from './resources/extract/contract.ts';
import { healthOperations } from './resources/health/contract.ts';
import { jobOperations } from './resources/jobs/contract.ts';

export { ExtractionCompleted } from './resources/webhooks/contract.ts';

/** Every operation of the extraction API, in the order of the reference. Safe for browsers. */
export const operations = [...extractOperations, ...jobOperations, ...documentOperations, ...healthOperations] as const;
