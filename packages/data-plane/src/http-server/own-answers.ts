/** Responses of the gateway itself. */
import { HeaderList } from '@millrace/policies/headers';
import { type AnswerHead, gatewayErrors, type OwnAnswer, type Refusal } from '@millrace/policies/run';
import { grpcStatusOf } from '../http2/grpc.ts';
import type { Exchange } from './exchange.ts';
import type { AnswerBody } from './front.ts';

/** Sends one of the gateway's errors: as `{code, status, data: {message, error, requestId, errors?}}`, or as trailers of gRPC. */
export function sendRefusal(exchange: Exchange, { error, message, errors, headers = [] }: Refusal): void {
  const { status, message: text } = gatewayErrors[error];
  if (exchange.grpc !== null) {
    exchange.status = status;
    exchange.grpc.end(grpcStatusOf(status), message ?? text, headers);
    return;
  }
  const data = { message: message ?? text, error, requestId: exchange.id, ...(errors === undefined ? {} : { errors }) };
  const body = Buffer.from(JSON.stringify({ code: status, status: false, data }));
  const head: AnswerHead = {
    status,
    headers: new HeaderList(['Content-Type', 'application/json', ...headers, 'Date', date()]),
    contentLength: body.length,
    bodiless: exchange.request.method === 'HEAD',
  };
  const to = sendHead(exchange, head);
  to.piece(body, 0, body.length);
  to.end();
}

/** Begins a response whose length is framed by the gateway. */
export function sendHead(exchange: Exchange, { status, headers, contentLength, bodiless }: AnswerHead): AnswerBody {
  const framing = bodiless ? 'none' : 'as stated';
  const stated = status === 204 || status === 304 ? null : contentLength;
  exchange.connection.beginAnswer(exchange, status, headers, framing, stated);
  return exchange.connection;
}

export function ownHeaders({ headers }: OwnAnswer): HeaderList {
  const list = new HeaderList(headers);
  if (!list.has('date')) list.append('Date', date());
  return list;
}

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

let dateMs = 0;
let dateText = '';

function date(): string {
  const nowMs = Date.now();
  if (nowMs - dateMs >= 1_000) {
    dateMs = nowMs - (nowMs % 1_000);
    dateText = new Date(nowMs).toUTCString();
  }
  return dateText;
}
