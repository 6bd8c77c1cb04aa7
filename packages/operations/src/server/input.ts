import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { AnyOperation } from '../operation.ts';
import type { BodyReader } from './body.ts';
import { RequestFault } from './request-fault.ts';

/** What a handler receives, under the names of `ParsedRequest`; disposing of it gives the memory of its file back. */
export type Input = Readonly<Record<string, unknown>> & Disposable;

/** What is wrong in a part of a request is called by these names. */
const partNames = {
  params: 'path parameter',
  query: 'query parameter',
  headers: 'header',
  body: 'field',
  form: 'form field',
} as const;

/** A request may be wrong in more ways than its sender reads. */
const mostErrors = 50;

/**
 * Reads and parses what the operation declares of a request: parameters, headers, and then its body. A body that it does
 * not declare is not read.
 *
 * @throws RequestFault of the kind `invalid` with the errors of one part, by the paths of their fields; or of another kind
 */
export async function readInput(operation: AnyOperation, request: FastifyRequest, bodies: BodyReader): Promise<Input> {
  const { params, query, headers, body, multipart } = operation.request;
  const input: Record<string, unknown> = {};
  if (params) input.params = parse('params', params, request.params);
  if (query) input.query = parse('query', query, request.query);
  if (headers) input.headers = parse('headers', headers, request.headers);
  if (body) input.body = parse('body', body, await bodies.json(request.raw));
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
  for (const { path, message } of problemsOf(parsed.error.issues, [], name)) {
    if (errors.size === mostErrors) break;
    const field = path.length === 0 ? part : path.join('.').slice(0, 200);
    if (!errors.has(field)) errors.set(field, message.slice(0, 300));
  }
  const told = [...errors].slice(0, 5).map(([field, message]) => `${name} "${field}": ${message}`);
  throw new RequestFault('invalid', `Correct the request. ${told.join('; ').slice(0, 800)}`, {
    errors: Object.fromEntries(errors),
  });
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Every issue by the field it is about: a key that is unknown by its own path, a union's by what its sender meant. */
function* problemsOf(
  issues: readonly z.core.$ZodIssue[],
  above: readonly PropertyKey[],
  name: string,
): Generator<Problem> {
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) yield { path: [...path, key], message: `There is no such ${name}.` };
    } else if (issue.code === 'invalid_key') {
      yield { path, message: issue.issues[0]?.message ?? issue.message };
    } else {
      const meant = issue.code === 'invalid_union' ? meantOption(issue.errors) : null;
      if (meant) yield* problemsOf(meant, path, name);
      else yield { path, message: sentenceOf(issue) };
    }
  }
}

/** What to do about an issue: the schema's own words, or, where it has none, ours in place of the library's. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (!/^(?:Too small|Too big|Invalid input|Invalid option)\b/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'Fill this in.'
        : `Give at least ${issue.minimum}${unitOf(issue.origin)}.`;
    case 'too_big':
      return `Give at most ${issue.maximum}${unitOf(issue.origin)}.`;
    case 'invalid_value':
      return `Give ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}.`;
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'This is needed.' : issue.message;
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  return { string: ' characters', array: ' entries' }[origin] ?? '';
}

/** The option of a union that a value comes nearest to: of its own kind, with the fewest fields wrong. */
function meantOption(options: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | null {
  const ofKind = options.filter((issues) => issues.every(isInside));
  return ofKind.toSorted((first, second) => first.length - second.length)[0] ?? null;
}

/** Whether an issue is about a part of the value. */
function isInside(issue: z.core.$ZodIssue): boolean {
  return issue.path.length > 0 || issue.code === 'unrecognized_keys';
}
