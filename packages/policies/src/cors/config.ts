import * as z from 'zod';
import { HeaderName } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const Origin = z
  .string()
  .max(300)
  .regex(
    /^(?:\*|https?:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::[0-9]{1,5})?)$/,
    'Use an origin such as https://app.example.com, https://*.example.com, or * for any.',
  );

const configuration = z
  .strictObject({
    allowedOrigins: z.array(Origin).min(1).max(100).describe('Origins that may call; *. stands for any subdomain.'),
    allowedMethods: z
      .array(z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']))
      .min(1)
      .max(6)
      .default(['GET', 'HEAD', 'POST'])
      .describe('Methods that pages may use.'),
    allowedHeaders: z.array(HeaderName).max(100).default([]).describe('Request headers that pages may send.'),
    exposedHeaders: z.array(HeaderName).max(100).default([]).describe('Response headers that pages may read.'),
    allowCredentials: z.boolean().default(false).describe('Let pages send cookies and read the response.'),
    maxAgeSeconds: z.int().min(0).max(86_400).default(600).describe('How long a browser caches a preflight response.'),
  })
  .refine(({ allowedOrigins, allowCredentials }) => !(allowCredentials && allowedOrigins.includes('*')), {
    path: ['allowCredentials'],
    error: 'List the origins one by one to allow credentials: browsers reject them with *.',
  });
type Configuration = z.output<typeof configuration>;

/** What pages of other origins may do (the CORS protocol of the Fetch standard). */
export const cors = {
  kind: 'cors',
  title: 'CORS',
  description: 'Answers preflight requests and sets which origins may read responses.',
  flows: ['request'],
  rank: { request: 10 },
  maxPerFlow: 1,
  configuration,
  defaultConfiguration: {
    allowedOrigins: [],
    allowedMethods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: [],
    exposedHeaders: [],
    allowCredentials: false,
    maxAgeSeconds: 600,
  },
  example: {
    allowedOrigins: ['https://app.example.com'],
    allowedMethods: ['GET', 'POST'],
    allowedHeaders: ['content-type', 'x-api-key'],
    exposedHeaders: ['x-ratelimit-remaining'],
    allowCredentials: false,
    maxAgeSeconds: 600,
  },
  secretFields: [],
  impact: {
    added: { breaking: false, reason: 'Pages of the listed origins may call.' },
    removed: { breaking: true, reason: 'Pages of other origins can no longer call.' },
    changed(before: Configuration, after: Configuration) {
      const lists = ['allowedOrigins', 'allowedMethods', 'allowedHeaders', 'exposedHeaders'] as const;
      for (const list of lists) {
        const kept: readonly string[] = after[list];
        const gone = before[list].find((item) => !kept.includes(item));
        if (gone !== undefined && !kept.includes('*')) return `Pages that rely on ${gone} now fail.`;
      }
      if (before.allowCredentials && !after.allowCredentials) return 'Pages can no longer send cookies.';
      return null;
    },
  },
} as const satisfies PolicyKind;
