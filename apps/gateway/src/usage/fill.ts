import type { Exchange } from '../http-server/exchange.ts';
import type { RequestRecord } from './record.ts';

/** A record to be filled again and again. */
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
    country: 'ZZ',
    status: 0,
    error: null,
    limited: false,
    requestBytes: 0,
    responseBytes: 0,
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
  record.country = country;
  record.status = exchange.status;
  record.error = exchange.error;
  record.limited = exchange.status === 429 && exchange.error !== null;
  record.requestBytes = exchange.requestBytes;
  record.responseBytes = exchange.responseBytes;
  record.latencyUs = Math.round((nowMs - exchange.startedMs) * 1_000);
  const targetMs = exchange.sentMs === 0 ? 0 : (exchange.endedMs === 0 ? nowMs : exchange.endedMs) - exchange.sentMs;
  record.targetTimeUs = Math.round(targetMs * 1_000);
  record.gatewayTimeUs = Math.max(0, record.latencyUs - record.targetTimeUs);
  record.target = exchange.target;
  record.retries = exchange.retries;
}
