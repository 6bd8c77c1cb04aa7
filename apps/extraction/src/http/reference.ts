import { referenceDocument } from '@millrace/extraction-contract/reference';
import { addReferencePages } from '@millrace/operations/reference';
import type { FastifyInstance } from 'fastify';

/** Serves `/api-docs.json` and the pages of `/api-docs`, which load nothing from other servers. */
export function addReference(server: FastifyInstance, baseUrl: string | null): void {
  addReferencePages(server, () => referenceDocument(baseUrl), 'Millrace API');
}
