import * as z from 'zod';
import { defineOperation, Id } from '../../frame/operation.ts';

const HeaderName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'Give the name of a header.');
const HeaderValue = z
  .string()
  .max(8_192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'Remove line breaks and control characters.');
const SentHeader = z.object({ name: z.string(), value: z.string() });
const Text = z.string().max(1_048_576);
const Base64 = z
  .string()
  .max(1_398_104)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Must be Base64.');
const MediaType = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(?:\s*;\s*[A-Za-z0-9!#$&^_.+-]+=(?:[A-Za-z0-9!#$&^_.+-]+|"[^"\r\n\\]*"))*$/,
    'Must be a media type, such as application/json.',
  );
const PartName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'Remove line breaks and control characters.');
const Parameter = z.strictObject({ name: z.string().min(1).max(200), value: z.string().max(4_096) });

/** The body that is sent; 1 MiB at most. */
const TryBody = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('text'), mediaType: MediaType, text: Text }),
    z.strictObject({ kind: z.literal('base64'), mediaType: MediaType, base64: Base64 }),
    z.strictObject({
      kind: z.literal('multipart'),
      parts: z
        .array(
          z.union([
            z.strictObject({ name: PartName, text: Text }),
            z.strictObject({ name: PartName, fileName: PartName, mediaType: MediaType, base64: Base64 }),
          ]),
        )
        .min(1)
        .max(50),
    }),
  ])
  .meta({ id: 'PortalTryBody' });
export type TryBody = z.infer<typeof TryBody>;

export const TryRequest = z
  .strictObject({
    productId: Id,
    proxyId: Id.describe('An API of the product.'),
    method: z.enum(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']).describe('Of the operation.'),
    path: z
      .string()
      .max(1_000)
      .describe('Path of the operation exactly as the published specification has it, such as `/{orderId}`.'),
    credentialId: Id.nullable()
      .default(null)
      .describe('A key of one of your apps; null: the organization’s own, for a sandbox product.'),
    pathParameters: z.record(z.string().max(200), z.string().max(1_000)).default({}),
    query: z.array(Parameter).max(100).default([]),
    headers: z
      .array(z.strictObject({ name: HeaderName, value: HeaderValue }))
      .max(50)
      .default([])
      .describe('Host, authorization, cookie, forwarding and hop-by-hop headers, and those of the key, are left out.'),
    body: TryBody.nullable().default(null),
  })
  .meta({ id: 'PortalTryRequest' });
export type TryRequest = z.output<typeof TryRequest>;

export const TryResult = z
  .object({
    request: z
      .object({
        method: z.string(),
        url: z.string().describe('Where callers reach the API.'),
        headers: z.array(SentHeader).describe('Without the key.'),
        keyHeader: z
          .string()
          .nullable()
          .describe('The header that carries the key, or null: a parameter of the query.'),
        keyParameter: z.string().nullable(),
        bodyBytes: z.int(),
      })
      .describe('As it was sent, without the key.'),
    response: z
      .object({
        status: z.int(),
        headers: z.array(SentHeader).describe('Without cookies.'),
        mediaType: z.string().nullable(),
        text: z.string().nullable().describe('The body, if it is text.'),
        base64: z.string().nullable().describe('The body otherwise.'),
        bodyBytes: z.int().describe('That are shown.'),
        truncated: z.boolean().describe('Only the first MiB is shown.'),
      })
      .nullable()
      .describe('Null: the gateway didn’t respond; `problem` says why.'),
    problem: z.string().nullable(),
    durationMs: z.number(),
    limits: z.array(SentHeader).describe('The response’s headers about limits.'),
    units: z.string().nullable().describe('What the call counted, if the product’s response says so.'),
  })
  .meta({ id: 'PortalTryResult' });
export type TryResult = z.infer<typeof TryResult>;

export const portalTryOperations = [
  defineOperation({
    id: 'sendPortalTry',
    method: 'POST',
    path: '/portal/try',
    tag: 'Portal',
    summary: 'Send a request through the gateway',
    description:
      'Sends a real request to an operation of a published product, with a key of your own app; it counts and costs as any other. Sandbox products can be tried without signing in. Redirects are shown and not followed. Limits: 60 a minute for each user; without signing in 10 a minute and 100 a day for each address.',
    access: 'portal_visitor',
    audit: null,
    request: { body: TryRequest },
    data: TryResult,
    errors: ['not_signed_in', 'forbidden', 'conflict', 'too_many_requests'],
    example: {
      request: {
        body: {
          productId: 'prd_00000000000000000000000001',
          proxyId: 'prx_00000000000000000000000001',
          method: 'get',
          path: '/{orderId}',
          pathParameters: { orderId: 'ord_1' },
        },
      },
      data: {
        request: {
          method: 'GET',
          url: 'https://api.example.com/v1/orders/ord_1',
          headers: [{ name: 'accept', value: '*/*' }],
          keyHeader: 'x-api-key',
          keyParameter: null,
          bodyBytes: 0,
        },
        response: {
          status: 200,
          headers: [{ name: 'content-type', value: 'application/json' }],
          mediaType: 'application/json',
          text: '{"id":"ord_1"}',
          base64: null,
          bodyBytes: 14,
          truncated: false,
        },
        problem: null,
        durationMs: 12.4,
        limits: [{ name: 'ratelimit-remaining', value: '99' }],
        units: null,
      },
    },
  }),
] as const;
