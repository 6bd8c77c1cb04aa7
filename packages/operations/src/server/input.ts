import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { type AnyOperation, isOptional } from '../operation.ts';
import { problemsOf } from '../problems.ts';
import type { BodyReader } from './body.ts';
import { RequestFault } from './request-fault.ts';

/** What a handler receives, under the names of `ParsedRequest`; disposing of it releases the memory of its file. */
export type Input = Readonly<Record<string, unknown>> & Disposable;

/** Names of the parts of a request in error messages. */
const partNames = {
  params: 'path parameter',
  query: 'query parameter',
  headers: 'header',
  body: 'field',
  form: 'form field',
} as const;

/** A request may have more errors than anyone reads. */
const mostErrors = 50;

/**
 * Reads and parses the declared parts of a request: parameters, headers, and then the body. An undeclared body is not
 * read.
 *
 * @throws RequestFault of the kind `invalid` with the errors of one part, by field path; or of another kind
 */
export async function readInput(operation: AnyOperation, request: FastifyRequest, bodies: BodyReader): Promise<Input> {
  const { params, query, headers, body, multipart } = operation.request;
  const input: Record<string, unknown> = {};
  if (params) input.params = parse('params', params, request.params);
  if (query) input.query = parse('query', query, request.query);
  if (headers) input.headers = parse('headers', headers, request.headers);
  if (body) input.body = parse('body', body, await bodies.json(request.raw, isOptional(body)));
  if (!multipart) return { ...input, [Symbol.dispose]: () => undefined };
  const form = await bodies.multipart(request.raw, multipart.file);
  try {
    input.form = parse('form', multipart.fields, form.fields);
    input.file = form.file;
    return { ...input, [Symbol.dispose]: () => form.release() };
  } catch (error) {
    form.release();
    throw error;
  }
}

function parse(part: keyof typeof partNames, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const name = partNames[part];
  const errors = new Map<string, string>();
  for (const { path, message } of problemsOf(parsed.error.issues, name)) {
    if (errors.size === mostErrors) break;
    const field = path.length === 0 ? part : path.join('.').slice(0, 200);
    if (!errors.has(field)) errors.set(field, message.slice(0, 300));
  }
  const shown = [...errors].slice(0, 5).map(([field, message]) => `${name} "${field}": ${message}`);
  throw new RequestFault('invalid', `Correct the request. ${shown.join('; ').slice(0, 800)}`, {
    errors: Object.fromEntries(errors),
  });
}
