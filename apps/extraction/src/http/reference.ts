import { referenceDocument } from '@millrace/extraction-contract/reference';
import { addReferencePages } from '@millrace/operations/reference';
import type { FastifyInstance } from 'fastify';

/** Serves `/api-docs.json` and, from this server alone, the pages of `/api-docs`. */
export function addReference(server: FastifyInstance, baseUrl: string | null): void {
  addReferencePages(server, () => referenceDocument(baseUrl), 'Millrace API');
}
