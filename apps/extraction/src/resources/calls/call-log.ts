import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallRecorder } from './recorder.ts';

/** Notes the calls of the API for the account's log. */
export interface CallLog {
  /** A call came with a valid key. */
  begin(request: FastifyRequest, key: { readonly accountId: string; readonly keyId: string }): void;
}

interface CallUnderWay {
  readonly accountId: string;
  readonly keyId: string;
  errorCode: string | null;
  documentId: string | null;
  jobId: string | null;
}

/** What of an answer the log keeps. */
interface Answered {
  readonly error?: { readonly code?: string };
  readonly meta?: { readonly document_id?: string };
  readonly document_id?: string;
  readonly job_id?: string;
}

const currentCall = Symbol('current call');

declare module 'fastify' {
  interface FastifyRequest {
    /** Kept here since a map of requests beside them costs every call a share of the garbage collection. */
    [currentCall]?: CallUnderWay | null;
  }
}

/** Has every call that began recorded once it was answered. */
export function addCallLog(server: FastifyInstance, recorder: Pick<CallRecorder, 'record'>): CallLog {
  server.decorateRequest(currentCall, null);

  server.addHook('preSerialization', (request, _reply, payload, done) => {
    const call = request[currentCall];
    if (call && typeof payload === 'object' && payload !== null) {
      const answered = payload as Answered;
      call.errorCode = answered.error?.code ?? null;
      call.documentId = answered.meta?.document_id ?? answered.document_id ?? null;
      call.jobId = answered.job_id ?? null;
    }
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const call = request[currentCall];
    if (call) {
      const { accountId, keyId, errorCode, documentId, jobId } = call;
      const latencyMs = Math.round(reply.elapsedTime);
      recorder.record({
        accountId,
        keyId,
        errorCode,
        documentId,
        jobId,
        atMs: Date.now() - latencyMs,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        latencyMs,
      });
    }
    done();
  });

  return {
    begin: (request, { accountId, keyId }) => {
      request[currentCall] = { accountId, keyId, errorCode: null, documentId: null, jobId: null };
    },
  };
}
