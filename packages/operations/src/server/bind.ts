import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Answer, AnyOperation, ParsedRequest } from '../operation.ts';
import type { BodyReader } from './body.ts';
import { readInput } from './input.ts';

export { type BodyLimits, type BodyReader, createBodyReader } from './body.ts';
export { readInput } from './input.ts';
export { RequestFault, type RequestFaultKind } from './request-fault.ts';

/** What an application wraps around every operation. */
export interface Frame<Bound extends AnyOperation, Context> {
  /**
   * Runs before the body is read: authenticates, counts against the rate limit, sets the headers of every response.
   * What it throws becomes the response.
   */
  enter(operation: Bound, request: FastifyRequest, reply: FastifyReply): Promise<Context>;
  readonly bodies: BodyReader;
}

type AnswerOf<Bound extends AnyOperation> = Answer<Bound['responses']> & {
  readonly headers?: Readonly<Record<string, string | string[]>>;
};

/** Handles one operation: a few lines that load, decide, write and return. Errors are thrown. */
export type Handler<Bound extends AnyOperation, Context> = (
  input: ParsedRequest<Bound['request']>,
  context: Context,
) => Promise<AnswerOf<Bound>>;

/** A handler for each operation of a list, by id: a missing or surplus one doesn't compile. */
export type Handlers<Operations extends readonly AnyOperation[], Context> = {
  readonly [Id in Operations[number]['id']]: Handler<Extract<Operations[number], { readonly id: Id }>, Context>;
};

/**
 * Makes each operation a route of the server: enter the frame → read and parse the request → handle → respond.
 *
 * Every failure goes to the server's error handler: a `RequestFault` for an invalid request, otherwise what the frame
 * or the handler threw.
 */
export function bindOperations<const Operations extends readonly AnyOperation[], Context>(
  server: FastifyInstance,
  operations: Operations,
  handlers: NoInfer<Handlers<Operations, Context>>,
  frame: Frame<Operations[number], Context>,
): void {
  addRoutes<Operations[number]>(server, operations, async (operation, request, reply) => {
    const handle = handlers[operation.id as keyof typeof handlers] as unknown as UntypedHandler<Context>;
    const context = await frame.enter(operation, request, reply);
    using input = await readInput(operation, request, frame.bodies);
    const answer = await handle(input, context);
    if (answer.headers) reply.headers(answer.headers);
    return reply.code(answer.status).send(answer.body);
  });
}

/** A handler as the binding calls it, its input validated by the schemas it was typed from. */
type UntypedHandler<Context> = (
  input: object,
  context: Context,
) => Promise<{ status: number; body: unknown; headers?: Readonly<Record<string, string | string[]>> }>;

/**
 * Makes each operation a route of the server, handled by `serve`. Only `serve` reads bodies, with {@link readInput}.
 * What it throws goes to the server's error handler. A server that responds with {@link LingeringResponse} doesn't cut
 * off a caller that is still sending.
 */
export function addRoutes<Bound extends AnyOperation>(
  server: FastifyInstance,
  operations: readonly Bound[],
  serve: (operation: Bound, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  // Bodies are read only after the caller is admitted, so not by the server; nor is the body of a request for an
  // unknown path.
  server.removeAllContentTypeParsers();
  // Listed explicitly, since Fastify looks up the parser for `*` again for each request.
  server.addContentTypeParser(['application/json', '*'], (_request, _payload, done) => done(null));
  server.register(async (routes) => {
    for (const operation of operations) {
      routes.route({
        method: operation.method as HTTPMethods,
        url: operation.path,
        handler: (request, reply) => serve(operation, request, reply),
      });
    }
  });
}
