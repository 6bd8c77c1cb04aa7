import { openApiDocument } from '@millrace/operations/openapi';
import { errors } from './errors.ts';
import { ExtractionCompleted, exampleExtractionCompleted } from './events.ts';
import { ErrorBody } from './operation.ts';
import { operations } from './operations.ts';

/** The reference as an OpenAPI 3.1 document. `baseUrl` is null where clients reach the service at its own address. */
export function referenceDocument(baseUrl: string | null) {
  return openApiDocument(operations, {
    title: 'Millrace document extraction',
    version: '1',
    description:
      'Send a PDF, PNG, JPG or TIFF; get its fields, line items and confidence. Every call takes an API key and counts ' +
      'against its rate limit. Every error has the body `{"error": {"code", "message"}}`.',
    ...(baseUrl === null ? {} : { servers: [{ url: baseUrl }] }),
    tags: [
      { name: 'Extraction', description: 'Send a document.' },
      { name: 'Jobs', description: 'Follow a queued extraction.' },
      { name: 'Documents', description: 'Fetch an extracted document again.' },
      { name: 'Document types', description: 'Define types of one’s own.' },
      { name: 'Health', description: 'Check the connection and the key.' },
    ],
    securitySchemes: {
      apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
    describe: ({ description, scopes: needed }) => ({
      description:
        needed.length === 0
          ? description
          : `${description}\n\nScope: ${needed.map((scope) => `\`${scope}\``).join(' or ')}.`,
    }),
    auth: { api_key: ['apiKeyHeader', 'bearer'] },
    errors,
    errorBody: ErrorBody,
    webhooks: {
      'extraction.completed': {
        summary: 'An extraction finished',
        description:
          'Posted to every endpoint of the account that is subscribed to it, and to the `callback_url` of the request. ' +
          'A delivery that is not answered in time is repeated after 30 seconds, 2 minutes, 10 minutes, 30 minutes ' +
          'and 2 hours. New kinds of events may be added.',
        headers: {
          'X-Svc-Signature':
            '`t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.` and the raw body, keyed by the signing secret. ' +
            'Refuse a time more than 5 minutes from now.',
          'X-Svc-Delivery': 'Unique to this attempt.',
        },
        body: ExtractionCompleted,
        example: exampleExtractionCompleted,
        answer: 'Any status 2xx, within 15 seconds.',
      },
    },
    responseHeaders: {
      'X-RateLimit-Limit': { description: 'Calls a minute.', schema: { type: 'integer' } },
      'X-RateLimit-Remaining': { description: 'Calls left in this window.', schema: { type: 'integer' } },
      'X-RateLimit-Reset': { description: 'End of this window, in Unix seconds.', schema: { type: 'integer' } },
    },
  });
}
