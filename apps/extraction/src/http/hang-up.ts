import type { FastifyReply } from 'fastify';

/** Aborted when the caller hangs up before the answer has gone. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
