import * as z from 'zod';
import { DocTypeName } from './document-types.ts';
import { Document, exampleDocument } from './documents.ts';

/** The body that is posted when an extraction finishes. */
export const ExtractionCompleted = z
  .object({
    event: z.literal('extraction.completed'),
    timestamp: z.iso
      .datetime()
      .describe('When the event was created, in UTC. Deliveries may arrive out of order: sort by this.'),
    data: z.object({
      document_id: z.string(),
      reference: z.string(),
      doc_type: DocTypeName,
      state: z.enum(['done', 'error']).describe('Check it before using the rest.'),
      fields: Document.shape.fields,
      lines: Document.shape.lines,
      confidence: Document.shape.confidence,
      source: z.enum(['dashboard', 'inbox', 'api']).describe('Where the document came from.'),
    }),
  })
  .meta({ id: 'ExtractionCompleted' });

export const exampleExtractionCompleted = {
  event: 'extraction.completed',
  timestamp: '2026-03-14T09:26:53.589Z',
  data: {
    document_id: exampleDocument.meta.document_id,
    reference: exampleDocument.meta.reference,
    doc_type: exampleDocument.meta.doc_type,
    state: exampleDocument.meta.state,
    fields: exampleDocument.fields,
    lines: exampleDocument.lines,
    confidence: exampleDocument.confidence,
    source: 'api',
  },
} as const satisfies z.input<typeof ExtractionCompleted>;
