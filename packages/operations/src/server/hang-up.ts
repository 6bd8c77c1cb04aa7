import type { FastifyReply } from 'fastify';

/** Aborted when the caller hangs up, or has hung up, before the answer has gone. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abortUnlessAnswered = () => {
    if (!reply.raw.writableFinished) controller.abort();
  };
  if (reply.raw.destroyed) abortUnlessAnswered();
  else reply.raw.once('close', abortUnlessAnswered);
  return controller.signal;
}
