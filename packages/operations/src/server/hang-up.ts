import type { FastifyReply } from 'fastify';

/** Aborted when the caller disconnects, or has disconnected, before the response is sent. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abortUnlessAnswered = () => {
    if (!reply.raw.writableFinished) controller.abort();
  };
  if (reply.raw.destroyed) abortUnlessAnswered();
  else reply.raw.once('close', abortUnlessAnswered);
  return controller.signal;
}
