import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type * as z from 'zod';
import type { Answer, AnyOperation, ParsedRequest } from '../operation.ts';
import { type BodyReader, type Form, lingerThenClose } from './body.ts';
import { RequestFault } from './request-fault.ts';

export { type BodyLimits, type BodyReader, createBodyReader } from './body.ts';
export { RequestFault, type RequestFaultKind } from './request-fault.ts';

/** What an application puts around every operation. */
export interface Frame<Bound extends AnyOperation, Context> {
  /**
   * Runs before the body is read: authenticates, counts against the rate limit, sets the headers that every response
   * carries. What it throws is the answer.
   */
  enter(operation: Bound, request: FastifyRequest, reply: FastifyReply): Promise<Context>;
  readonly bodies: BodyReader;
}

type AnswerOf<Bound extends AnyOperation> = Answer<Bound['responses']> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** Answers one operation: a few lines that load, decide, write and return. Errors are thrown. */
export type Handler<Bound extends AnyOperation, Context> = (
  input: ParsedRequest<Bound['request']>,
  context: Context,
) => Promise<AnswerOf<Bound>>;

/** A handler for each operation of a list, by its id: a missing or surplus one does not compile. */
export type Handlers<Operations extends readonly AnyOperation[], Context> = {
  readonly [Id in Operations[number]['id']]: Handler<Extract<Operations[number], { readonly id: Id }>, Context>;
};

/**
 * Makes each operation a route of the server: enter the frame → read and parse the request → handle → answer.
 *
 * Every failure goes to the server's error handler: a `RequestFault` for what was refused on the way in, otherwise what
 * the frame or the handler threw.
 */
export function bindOperations<const Operations extends readonly AnyOperation[], Context>(
  server: FastifyInstance,
  operations: Operations,
  handlers: NoInfer<Handlers<Operations, Context>>,
  frame: Frame<Operations[number], Context>,
): void {
  server.register(async (routes) => {
    // The frame reads bodies itself, after it has let their sender in.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const operation of operations) {
      const handle = handlers[operation.id as keyof typeof handlers] as unknown as UntypedHandler<Context>;
      routes.route({
        method: operation.method as HTTPMethods,
        url: operation.path,
        handler: (request, reply) => serve(operation, handle, frame, request, reply),
      });
    }
  });
}

/** A handler as the binding calls it, its input validated by the schemas it was typed from. */
type UntypedHandler<Context> = (
  input: object,
  context: Context,
) => Promise<{ status: number; body: unknown; headers?: Readonly<Record<string, string>> }>;

async function serve<Bound extends AnyOperation, Context>(
  operation: Bound,
  handle: UntypedHandler<Context>,
  frame: Frame<Bound, Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let form: Form | null = null;
  try {
    const context = await frame.enter(operation, request, reply);
    const { params, query, headers, body, multipart } = operation.request;
    const input: Record<string, unknown> = {};
    if (params) input.params = parse('path parameter', params, request.params);
    if (query) input.query = parse('query parameter', query, request.query);
    if (headers) input.headers = parse('header', headers, request.headers);
    if (body) input.body = parse('field', body, await frame.bodies.json(request.raw));
    if (multipart) {
      form = await frame.bodies.multipart(request.raw, multipart.file);
      input.form = parse('form field', multipart.fields, form.fields);
      input.file = form.file;
    }
    const answer = await handle(input, context);
    if (answer.headers) reply.headers(answer.headers);
    return reply.code(answer.status).send(answer.body);
  } catch (error) {
    lingerThenClose(request.raw);
    throw error;
  } finally {
    form?.release();
  }
}

function parse(kind: string, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${kind} ${issue.path.length > 0 ? `"${issue.path.join('.')}"` : ''}: ${issue.message}`);
  throw new RequestFault('invalid', `Correct the request. ${problems.join('; ').slice(0, 800)}`);
}
