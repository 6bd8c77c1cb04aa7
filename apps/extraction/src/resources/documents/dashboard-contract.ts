import { valueKinds } from '@millrace/document-model';
import { AskedDocTypeName, DocTypeName } from '@millrace/extraction-contract/document-types';
import { Document, exampleDocument, Value } from '@millrace/extraction-contract/documents';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  listOf,
  listQuery,
  Nothing,
  Time,
} from '../../http/dashboard-operation.ts';

const everyDocumentOperation = { ...everyDashboardOperation, tag: 'Documents' } as const;

const documentSources = ['dashboard', 'inbox', 'api'] as const;
export const Source = z.enum(documentSources).describe('How the document arrived.');
const documentStates = ['processing', 'done', 'error'] as const;
const Confidence = z.number().min(0).max(100);
export const documentParams = z.object({ id: z.string().describe('The `document_id` of the API.') });

/** Widths in pixels in which a page's picture is drawn; any other is answered by the next larger one. */
export const pictureWidths = [240, 480, 800, 1200, 1600, 2000] as const;

/** Field values that a list returns of each document. */
const mostValueColumns = 20;

/** A person who did something; null where the user is gone. */
const Person = z.object({ id: z.string(), name: z.string() }).nullable();

/** The position of a value: a field, or a row and column of the line items. */
export const ValuePath = z
  .union([
    z.object({ field: z.string() }),
    z.object({ row: z.int().min(0).describe('From 0, as the document shows its rows.'), column: z.string() }),
  ])
  .meta({ id: 'ValuePath' });

const ShownPlace = z.object({
  page: z.int().min(1),
  box: z
    .object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() })
    .describe('From the top left of the page, in its unit. Divide by its width and height to place it on the image.'),
  text: z.string().describe('As read.'),
});

const ShownValue = z
  .object({
    value: Value,
    confidence: Confidence.describe('100 if a person entered the value.'),
    flags: z.array(z.string()).describe('Reasons for the confidence.'),
    provenance: z.array(ShownPlace).describe('Empty if the value isn’t printed, or a person entered it.'),
    doubtful: z.boolean().describe("Below the account's threshold, and nobody has checked it."),
    correctedBy: Person.optional().describe('Present if a person entered the value.'),
    correctedAt: Time.optional(),
    original: z
      .object({ value: Value, confidence: Confidence })
      .nullable()
      .optional()
      .describe('The extracted value before it was corrected; null if there was none.'),
  })
  .meta({ id: 'ShownValue' });

export const ValueKindName = z.enum(valueKinds);

const ColumnDefinition = z.object({
  name: z.string(),
  kind: ValueKindName,
  label: z.string().describe('For people, such as `Invoice number`.'),
});

const FieldDefinition = ColumnDefinition.extend({
  description: z.string(),
  structured: z.boolean().describe('Its value is a list or an object, not a single text or number.'),
  required: z.boolean().describe('A document of this type without it needs review.'),
});

const Check = z
  .object({
    kind: z.enum(['sum', 'rows', 'dates', 'check_digit', 'tax_rate', 'required']),
    fields: z.array(z.string()).describe('The checked fields, or columns of its row.'),
    row: z.int().min(0).optional().describe('From 0; present if it checks one row.'),
    holds: z.boolean(),
    message: z.string().describe('For people.'),
  })
  .meta({ id: 'Check' });

const Correction = z
  .object({
    id: z.string(),
    at: Time,
    by: Person,
    kind: z.enum(['set', 'add_row', 'remove_row']),
    path: ValuePath.nullable().describe('The changed value; null if a whole row was added or removed.'),
    before: Value.describe('Null if there was no value.'),
    after: Value.describe('Null if the value was removed.'),
  })
  .meta({ id: 'Correction' });

const DocumentError = z.object({ code: z.string(), message: z.string() }).nullable();

const ListedDocument = z
  .object({
    id: z.string(),
    reference: z.string().describe('For people, such as `MR-000042`.'),
    fileName: z.string(),
    docType: DocTypeName,
    supplier: z.string().nullable().describe('The name of the issuer, for types that have such a field.'),
    state: z.enum(documentStates),
    source: Source,
    pageCount: z.int().nullable(),
    lowestConfidence: Confidence.nullable().describe('The lowest of its values; null if it has none.'),
    doubtfulCount: z.int().min(0).describe("Values below the account's threshold that nobody has confirmed."),
    confirmedAt: Time.nullable(),
    createdAt: Time,
    finishedAt: Time.nullable(),
    error: DocumentError,
    values: z.record(z.string(), Value).optional().describe('Of the requested fields, if it has them.'),
  })
  .meta({ id: 'ListedDocument' });

/** A document as lists show it. */
export type ListedDocument = z.input<typeof ListedDocument>;

export const DocumentDetail = ListedDocument.extend({
  mediaType: z.string(),
  sizeBytes: z.int(),
  version: z.int().min(0).describe('Sent with each correction; increases with every change of the values.'),
  reviewThreshold: Confidence.describe("The account's review threshold: values below it need review."),
  pages: z.array(
    z.object({ number: z.int(), width: z.number(), height: z.number(), unit: z.enum(['point', 'pixel']) }),
  ),
  fields: z.record(z.string(), ShownValue).describe('By name. Fields that are not in the document are absent.'),
  fieldDefinitions: z.array(FieldDefinition).describe('Every field of the type, in display order.'),
  rows: z
    .object({
      key: z.enum(['lines', 'items']).describe("Where the API's response has them."),
      columns: z.array(ColumnDefinition),
      rows: z.array(z.record(z.string(), ShownValue)),
    })
    .nullable()
    .describe('Line items; null if the type has none.'),
  doubtful: z.array(ValuePath).describe('The values to review, in page order, including missing required fields.'),
  checks: z.array(Check),
  corrections: z.array(Correction).describe('Newest first, at most 200.'),
  confirmedBy: Person,
  classification: z.object({ docType: DocTypeName, confidence: Confidence }).nullable(),
  sender: z
    .object({ id: z.string(), name: z.string(), certain: z.boolean() })
    .nullable()
    .describe('The supplier whose earlier documents helped with this one.'),
  ai: z
    .object({ provider: z.string(), model: z.string(), processTimeMs: z.int(), totalTokens: z.int() })
    .nullable()
    .describe('How it was processed; null until then.'),
  webhooks: z.object({ pending: z.int(), delivered: z.int(), failed: z.int() }),
  curl: z
    .object({ extract: z.string(), fetch: z.string() })
    .describe('Commands that send a document like this and fetch this one; the key comes from the environment.'),
}).meta({ id: 'DocumentDetail' });

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const percent = z.coerce.number().min(0).max(100);

/** Filters of a list of documents, as texts of an address. */
export const documentFilter = {
  q: z.string().trim().max(200).optional().describe('Part of the file name or the reference.'),
  type: DocTypeName.optional(),
  state: z.enum(documentStates).optional(),
  source: Source.optional(),
  supplier: z.string().trim().max(200).optional().describe("Part of the supplier's name."),
  from: z.iso.datetime({ offset: true }).optional().describe('Created at this time or later.'),
  to: z.iso.datetime({ offset: true }).optional().describe('Created before this time.'),
  minConfidence: percent.optional().describe('The lowest confidence of its values is at least this.'),
  maxConfidence: percent.optional().describe('The lowest confidence of its values is at most this.'),
  needsReview: flag.optional().describe('Whether it is waiting for review.'),
} as const;

const FilterQuery = z.object(documentFilter);
/** A validated filter. */
export type DocumentFilterQuery = z.output<typeof FilterQuery>;

const id = exampleDocument.meta.document_id;
const person = { id: 'usr_01kamy1c2d3e4f5g6h7j8k9m0n', name: 'Mara Lind' };

const listedExample = {
  id,
  reference: 'MR-000042',
  fileName: 'invoice.pdf',
  docType: 'invoice',
  supplier: 'Northwind Paper Ltd',
  state: 'done',
  source: 'dashboard',
  pageCount: 1,
  lowestConfidence: 64.2,
  doubtfulCount: 1,
  confirmedAt: null,
  createdAt: '2026-03-14T09:26:53.589Z',
  finishedAt: '2026-03-14T09:26:53.911Z',
  error: null,
} as const satisfies ListedDocument;

const place = { page: 1, box: { x0: 130.4, y0: 154.1, x1: 181.9, y1: 165.2 }, text: 'INV-2041' };

export const exampleDetail = {
  ...listedExample,
  mediaType: 'application/pdf',
  sizeBytes: 48_213,
  version: 1,
  reviewThreshold: 90,
  pages: [{ number: 1, width: 595, height: 842, unit: 'point' }],
  fields: {
    invoice_number: {
      value: 'INV-2041',
      confidence: 97,
      flags: [],
      provenance: [place],
      doubtful: false,
    },
    invoice_date: {
      value: '2026-03-14',
      confidence: 64.2,
      flags: ['ambiguous_date'],
      provenance: [{ page: 1, box: { x0: 118.2, y0: 170.1, x1: 172.4, y1: 181.2 }, text: '2026-03-14' }],
      doubtful: true,
    },
    total_amount: {
      value: 1428,
      confidence: 100,
      flags: ['by_person'],
      provenance: [],
      doubtful: false,
      correctedBy: person,
      correctedAt: '2026-03-14T10:02:11.120Z',
      original: { value: 142.8, confidence: 71.5 },
    },
  },
  fieldDefinitions: [
    {
      name: 'invoice_number',
      kind: 'identifier',
      label: 'Invoice number',
      description: "The document's number.",
      structured: false,
      required: true,
    },
    {
      name: 'invoice_date',
      kind: 'date',
      label: 'Invoice date',
      description: 'Date of issue.',
      structured: false,
      required: true,
    },
    {
      name: 'total_amount',
      kind: 'amount',
      label: 'Total amount',
      description: 'What is to be paid, tax included.',
      structured: false,
      required: true,
    },
  ],
  rows: {
    key: 'lines',
    columns: [
      { name: 'description', kind: 'text', label: 'Description' },
      { name: 'amount', kind: 'amount', label: 'Amount' },
    ],
    rows: [
      {
        description: {
          value: 'Copy paper A4, 80 g',
          confidence: 96,
          flags: [],
          provenance: [{ page: 1, box: { x0: 56, y0: 240, x1: 160, y1: 251 }, text: 'Copy paper A4, 80 g' }],
          doubtful: false,
        },
        amount: {
          value: 1140,
          confidence: 98,
          flags: ['arithmetic_holds'],
          provenance: [{ page: 1, box: { x0: 480, y0: 240, x1: 530, y1: 251 }, text: '1,140.00' }],
          doubtful: false,
        },
      },
    ],
  },
  doubtful: [{ field: 'invoice_date' }],
  checks: [
    {
      kind: 'sum',
      fields: ['subtotal', 'tax_amount', 'total_amount'],
      holds: true,
      message: 'Subtotal, tax amount add up to the total amount, 1,428.00.',
    },
  ],
  corrections: [
    {
      id: 'cor_01kamy6d7e8f9g0h1j2k3m4n5p',
      at: '2026-03-14T10:02:11.120Z',
      by: person,
      kind: 'set',
      path: { field: 'total_amount' },
      before: 142.8,
      after: 1428,
    },
  ],
  confirmedBy: null,
  classification: { docType: 'invoice', confidence: 99 },
  sender: null,
  ai: { provider: 'millrace', model: 'millrace-1', processTimeMs: 21, totalTokens: 0 },
  webhooks: { pending: 0, delivered: 1, failed: 0 },
  curl: {
    extract:
      'curl -H "X-API-Key: $MILLRACE_API_KEY" -F document=@invoice.pdf -F doc_type=invoice https://extraction.example.com/api/external/v1/extract',
    fetch: `curl -H "X-API-Key: $MILLRACE_API_KEY" https://extraction.example.com/api/external/v1/documents/${id}`,
  },
} as const satisfies z.input<typeof DocumentDetail>;

const uploadDocument = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'uploadDocument',
  method: 'POST',
  path: '/api/dashboard/v1/documents',
  summary: 'Upload a document',
  description: 'Stores the file and queues its extraction. Its state shows when extraction has finished.',
  request: {
    multipart: {
      file: {
        name: 'document',
        description: 'A PDF, PNG, JPG or TIFF file.',
        mediaTypes: ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff'],
      },
      fields: z.object({
        docType: AskedDocTypeName.default('detect').describe('The type to extract it as; `detect` detects it.'),
      }),
    },
  },
  responses: {
    202: {
      description: 'The extraction is queued.',
      body: z.object({ documentId: z.string(), reference: z.string(), state: z.literal('queued') }),
    },
  },
  errors: [
    'missing_document',
    'unsupported_file_type',
    'file_too_large',
    'too_many_pages',
    'request_timeout',
    'invalid_request',
    ...anyDashboardErrors,
  ],
  examples: [
    {
      summary: 'An invoice',
      request: { form: { docType: 'invoice' }, fileName: 'invoice.pdf' },
      answer: { status: 202, body: { documentId: id, reference: 'MR-000042', state: 'queued' } },
    },
  ],
});

const listDocuments = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'listDocuments',
  method: 'GET',
  path: '/api/dashboard/v1/documents',
  summary: 'List documents',
  description: 'Newest first. Filters are combined.',
  request: {
    query: z.object({
      ...listQuery,
      ...documentFilter,
      values: z
        .string()
        .max(1_000)
        .transform((text) => text.split(','))
        .pipe(z.array(z.string().max(64)).max(mostValueColumns))
        .optional()
        .describe('Names of fields whose values to return, separated by commas.'),
    }),
  },
  responses: {
    200: {
      description: 'A page of documents.',
      body: listOf(ListedDocument).extend({
        total: z.int().nullable().describe('Of all pages; null beyond 10,000.'),
      }),
    },
  },
  errors: ['invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'Documents waiting for review',
      request: { query: { needsReview: 'true' } },
      answer: { status: 200, body: { items: [listedExample], nextCursor: null, total: 1 } },
    },
  ],
});

const getDocumentDetail = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'getDocument',
  method: 'GET',
  path: '/api/dashboard/v1/documents/:id',
  summary: 'Get a document',
  description: 'Its values with their positions, its checks and its corrections.',
  request: { params: documentParams },
  responses: { 200: { description: 'The document.', body: DocumentDetail } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'An invoice', request: { params: { id } }, answer: { status: 200, body: exampleDetail } }],
});

const File = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const getDocumentPicture = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'getDocumentPicture',
  method: 'GET',
  path: '/api/dashboard/v1/documents/:id/pages/:page/picture',
  summary: 'Get the image of a page',
  description: "The page as a PDF viewer shows it, so that the values' boxes match its words.",
  request: {
    params: documentParams.extend({ page: z.coerce.number().int().min(1).max(10_000) }),
    query: z.object({
      width: z.coerce
        .number()
        .int()
        .min(1)
        .max(pictureWidths.at(-1)!)
        .default(1200)
        .describe(`In pixels: one of ${pictureWidths.join(', ')}; other widths are rounded up to the next one.`),
    }),
    headers: z.object({
      'if-none-match': z.string().max(1000).optional().describe('The ETag of the image that the caller has.'),
    }),
  },
  responses: {
    200: { description: 'The picture.', body: File, mediaType: 'image/webp' },
    304: { description: 'The caller has it.', body: z.literal(''), mediaType: 'image/webp' },
  },
  errors: [
    'not_found',
    'invalid_request',
    'corrupt_document',
    'document_too_complex',
    'extraction_failed',
    ...anyDashboardErrors,
  ],
  examples: [
    {
      summary: 'The first page',
      request: { params: { id, page: '1' } },
      answer: { status: 200, body: new Uint8Array() },
    },
  ],
});

const getDocumentOriginal = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'getDocumentOriginal',
  method: 'GET',
  path: '/api/dashboard/v1/documents/:id/original',
  summary: "Download a document's file",
  description: 'The original bytes under the original name.',
  request: { params: documentParams },
  responses: { 200: { description: 'The file.', body: File, mediaType: 'application/octet-stream' } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'An invoice', request: { params: { id } }, answer: { status: 200, body: new Uint8Array() } }],
});

const getDocumentResult = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'getDocumentResult',
  method: 'GET',
  path: '/api/dashboard/v1/documents/:id/result',
  summary: "Get a document's result as the API returns it",
  description: "What the API's `getDocument` returns with `include=provenance`.",
  request: { params: documentParams },
  responses: { 200: { description: 'The document, in state `done` or `error`.', body: Document } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'An invoice', request: { params: { id } }, answer: { status: 200, body: exampleDocument } }],
});

const deleteDocument = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'deleteDocument',
  method: 'DELETE',
  path: '/api/dashboard/v1/documents/:id',
  summary: 'Delete a document',
  description:
    'Deletes the original, the result, the corrections, the bodies of its webhooks and what it taught about its ' +
    'supplier. Its time and type are kept for the statistics.',
  request: { params: documentParams },
  responses: { 200: { description: 'Deleted.', body: Nothing } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'An invoice', request: { params: { id } }, answer: { status: 200, body: {} } }],
});

const retryDocument = defineDashboardOperation({
  ...everyDocumentOperation,
  id: 'retryDocument',
  method: 'POST',
  path: '/api/dashboard/v1/documents/:id/retry',
  summary: 'Extract a document again',
  description:
    'Queues the stored original again, optionally as another type. A corrected or confirmed document can’t be ' +
    'extracted again.',
  request: {
    params: documentParams,
    body: z.object({
      docType: AskedDocTypeName.optional().describe('The same as before by default.'),
    }),
  },
  responses: {
    202: {
      description: 'The extraction is queued.',
      body: z.object({ documentId: z.string(), state: z.literal('queued') }),
    },
  },
  errors: ['not_found', 'conflict', 'invalid_request', ...anyDashboardErrors],
  examples: [
    {
      summary: 'As a receipt',
      request: { params: { id }, body: { docType: 'receipt' } },
      answer: { status: 202, body: { documentId: id, state: 'queued' } },
    },
  ],
});

export const documentDashboardOperations = [
  uploadDocument,
  listDocuments,
  getDocumentDetail,
  getDocumentPicture,
  getDocumentOriginal,
  getDocumentResult,
  deleteDocument,
  retryDocument,
] as const;
