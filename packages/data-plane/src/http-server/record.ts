import type { Exchange } from './exchange.ts';
import type { UnitsState } from './units.ts';

/**
 * One request as counted, logged and traced, once its response has ended or was cut off. The gateway fills one object
 * again and again: whoever keeps something copies it.
 */
export interface RequestRecord {
  requestId: string;
  /** When the head of the request was complete, in Unix milliseconds. */
  startedAtMs: number;
  method: string;
  /** As received, without the query. */
  path: string;
  clientAddress: string;
  /** Empty if no proxy matched: such a request is logged, and counted for no proxy. */
  proxyId: string;
  deploymentId: string;
  revision: number;
  routeId: string;
  /** Null if no policy identified the caller. */
  appId: string | null;
  productId: string | null;
  /** The term that the call is billed by; null if it isn't. */
  termId: string | null;
  /** ISO 3166-1 alpha-2; `ZZ` where it is unknown. */
  country: string;
  /** Of the response; 499 if the caller disconnected before. */
  status: number;
  /** Of a call of gRPC, whose status above is the one that this one stands for; null: it is none, or ended without one. */
  grpcStatus: number | null;
  /** Code of the gateway's own error; null if the target responded. */
  error: string | null;
  /** Rejected by the gateway before anything was sent to a target: it is not billed. */
  refused: boolean;
  /** Rejected with 429. */
  limited: boolean;
  requestBytes: number;
  responseBytes: number;
  /** In millionths of a unit; 0 unless `counted`. */
  microUnits: number;
  unitsState: UnitsState;
  /** From the head of the request to the end of the response. */
  latencyUs: number;
  /** From the first byte to the target to the end of its response; 0 if it was not called. */
  targetTimeUs: number;
  /** The latency without the target's time. */
  gatewayTimeUs: number;
  /** Such as `10.0.0.7:8080`; null if none was called. */
  target: string | null;
  retries: number;
}

/** The trace of one request in flight. */
export interface RequestTrace {
  /** Called once, with the request's record. */
  end(record: RequestRecord): void;
}

/** A reusable record. */
export function newRecord(): RequestRecord {
  return {
    requestId: '',
    startedAtMs: 0,
    method: '',
    path: '',
    clientAddress: '',
    proxyId: '',
    deploymentId: '',
    revision: 0,
    routeId: '',
    appId: null,
    productId: null,
    termId: null,
    country: 'ZZ',
    status: 0,
    grpcStatus: null,
    error: null,
    refused: false,
    limited: false,
    requestBytes: 0,
    responseBytes: 0,
    microUnits: 0,
    unitsState: 'uncounted',
    latencyUs: 0,
    targetTimeUs: 0,
    gatewayTimeUs: 0,
    target: null,
    retries: 0,
  };
}

/** @param nowMs of the monotonic clock */
export function fillRecord(record: RequestRecord, exchange: Exchange, nowMs: number, country: string): void {
  const { request, deployment, matched, caller } = exchange;
  record.requestId = exchange.id;
  record.startedAtMs = exchange.startedAtMs;
  record.method = request.method;
  record.path = request.path;
  record.clientAddress = exchange.forwardedAddress;
  record.proxyId = deployment?.proxy.id ?? '';
  record.deploymentId = deployment?.deploymentId ?? '';
  record.revision = deployment?.revision ?? 0;
  record.routeId = matched?.id ?? '';
  record.appId = caller?.kind === 'key' ? caller.app.id : null;
  record.productId = caller?.kind === 'key' ? caller.product.id : null;
  record.termId = caller?.kind === 'key' ? caller.termId : null;
  record.country = country;
  record.status = exchange.status;
  record.grpcStatus = exchange.grpc === null ? null : exchange.grpc.status;
  record.error = exchange.error;
  record.refused = exchange.error !== null && exchange.sentMs === 0;
  record.limited = exchange.status === 429 && exchange.error !== null;
  record.requestBytes = exchange.requestBytes;
  record.responseBytes = exchange.responseBytes;
  record.microUnits = exchange.microUnits;
  record.unitsState = exchange.unitsState;
  record.latencyUs = Math.round((nowMs - exchange.startedMs) * 1_000);
  const targetMs = exchange.sentMs === 0 ? 0 : (exchange.endedMs === 0 ? nowMs : exchange.endedMs) - exchange.sentMs;
  record.targetTimeUs = Math.round(targetMs * 1_000);
  record.gatewayTimeUs = Math.max(0, record.latencyUs - record.targetTimeUs);
  record.target = exchange.target;
  record.retries = exchange.retries;
}
