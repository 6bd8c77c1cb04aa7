import type { IncomingMessage } from 'node:http';

// An import would have the platform load its WebSocket client and fetch, which node:http exports: a tenth of a start.
const { ServerResponse } = process.getBuiltinModule('node:http');

/** How much of the rest of a request is read and discarded after an early response. */
export const restLimits = { sizeBytes: 256 * 1024 * 1024, timeMs: 30_000, idleMs: 5_000 };

/**
 * A response that may be sent before the request has arrived completely, such as a rejection. Many clients send
 * everything before they read; closing the connection meanwhile shows them a broken pipe instead of the response. So
 * the response is written immediately but ended only when the rest of the request has been read and discarded. A caller
 * that continues for too long is cut off.
 *
 * For the option `ServerResponse` of `node:http`'s servers, which Fastify takes as `http.ServerResponse`.
 */
export class LingeringResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override end(...values: unknown[]): this {
    const [chunk, encoding] = values.filter((value) => typeof value !== 'function');
    const callback = values.find((value) => typeof value === 'function') as (() => void) | undefined;
    const end = (...last: unknown[]) => super.end(...(last as Parameters<typeof ServerResponse.prototype.end>));
    if (this.writableEnded || !isArriving(this.req)) return end(chunk, encoding, callback);
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) {
      if (!this.headersSent && !this.hasHeader('content-length'))
        this.setHeader('content-length', Buffer.byteLength(chunk));
      this.write(chunk, (encoding ?? 'utf8') as BufferEncoding);
    } else {
      this.flushHeaders();
    }
    takeInRest(this.req, (ended) => {
      end(callback);
      if (!ended) this.req.destroy();
    });
    return this;
  }
}

function isArriving(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return !request.complete && !request.destroyed && (encoding !== undefined || Number(length ?? 0) > 0);
}

/** Discards what still arrives of a request, and reports whether that was all of it. */
function takeInRest(request: IncomingMessage, done: (ended: boolean) => void): void {
  let leftBytes = restLimits.sizeBytes;
  const settle = (ended: boolean) => {
    clearTimeout(timer);
    clearTimeout(idleTimer);
    request.off('data', onData).off('end', onEnd).off('close', onClose);
    done(ended);
  };
  const onData = (chunk: Buffer) => {
    leftBytes -= chunk.length;
    idleTimer.refresh();
    if (leftBytes < 0) settle(false);
  };
  const onEnd = () => settle(true);
  const onClose = () => settle(request.complete);
  const timer = setTimeout(settle, restLimits.timeMs, false).unref();
  const idleTimer = setTimeout(settle, restLimits.idleMs, false).unref();
  // A caller that disconnects meanwhile has read enough.
  request.on('error', () => undefined);
  request.on('data', onData).on('end', onEnd).on('close', onClose);
  request.resume();
}
