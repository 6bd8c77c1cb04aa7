import { docTypes } from '@millrace/document-model';
import * as z from 'zod';
import { Document, exampleDocument, includeQuery } from './documents.ts';
import { CreatedJob, exampleCreatedJob } from './jobs.ts';
import { anyScopedCallErrors, defineOperation, everyOperation } from './operation.ts';

const flag = z.stringbool({ truthy: ['true', '1', 'yes'], falsy: ['false', '0', 'no', ''] });
/** Form text without control characters, which neither the database nor a log should meet. */
const text = z.string().regex(/^\P{Cc}*$/u, 'must not contain control characters');
const fieldNames = text.max(4_000);

const async_ = flag.optional().describe('`true`, `1` or `yes` queue a job and answer at once.');
const strict = flag
  .optional()
  .describe('`true`, `1` or `yes` refuse an unknown `doc_type` instead of falling back to `general`.');

/**
 * The header of a response to an extraction that states the pages which it is charged by. A gateway that sells the API
 * counts them as units.
 */
export const pagesHeader = 'x-millrace-pages';

const pages = (description: string) => ({ [pagesHeader]: { description, schema: z.int().min(0) } });

const extractDocument = defineOperation({
  ...everyOperation,
  scopes: ['extract'],
  id: 'extractDocument',
  method: 'POST',
  path: '/api/external/v1/extract',
  tag: 'Extraction',
  summary: 'Extract a document',
  description:
    'Answers with the extracted document, or, with `async`, with a job to poll. A request with an `Idempotency-Key` is ' +
    'extracted once: the same request with the same key gets the same answer for 24 hours.',
  request: {
    query: z.object({ async: async_, strict, include: includeQuery }),
    headers: z.object({
      'idempotency-key': z
        .string()
        .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces')
        .optional()
        .describe('Any text that is unique to this extraction, such as a UUID.'),
    }),
    multipart: {
      file: {
        name: 'document',
        description: 'A PDF, PNG, JPG or TIFF file.',
        mediaTypes: ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff'],
      },
      fields: z.object({
        doc_type: text
          .optional()
          .describe(
            `One of ${docTypes.map((type) => `\`${type}\``).join(', ')}, or one of the account’s own types; \`general\` when omitted or unknown.`,
          ),
        fields: fieldNames.optional().describe('Comma-separated field names to which the extraction is restricted.'),
        custom_fields: fieldNames.optional().describe('The same as `fields`; both may be given.'),
        async: async_,
        strict,
        callback_url: text
          .optional()
          .describe('A public HTTPS URL to which the completed document is posted. Intended with `async`.'),
      }),
    },
  },
  responses: {
    200: {
      description: 'The extracted document.',
      headers: pages('Pages that were read; 0 if the response is repeated for its `Idempotency-Key`.'),
      body: Document,
    },
    202: {
      description: 'The extraction is queued.',
      headers: pages(
        'Pages that will be read; 0 if the file can’t be opened, or the response is repeated for its `Idempotency-Key`.',
      ),
      body: CreatedJob,
    },
  },
  errors: [
    'missing_document',
    'unsupported_file_type',
    'invalid_doc_type',
    'too_many_pages',
    'encrypted_document',
    'corrupt_document',
    'empty_document',
    'document_too_complex',
    'invalid_callback_url',
    'invalid_request',
    'request_timeout',
    'idempotency_in_progress',
    'file_too_large',
    'idempotency_conflict',
    'extraction_failed',
    'provider_error',
    ...anyScopedCallErrors,
  ],
  examples: [
    {
      summary: 'An invoice',
      request: { form: { doc_type: 'invoice' }, fileName: 'invoice.pdf' },
      answer: { status: 200, body: exampleDocument },
    },
    {
      summary: 'A queued invoice',
      request: { query: { async: 'true' }, form: { doc_type: 'invoice' }, fileName: 'invoice.pdf' },
      answer: { status: 202, body: exampleCreatedJob },
    },
  ],
});

export const extractOperations = [extractDocument] as const;
