/**
 * One request as it is counted, logged and traced, once its answer has ended or was cut. The gateway fills one object
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
  /** Empty where no proxy was matched: such a request is logged, and counted for no proxy. */
  proxyId: string;
  deploymentId: string;
  revision: number;
  routeId: string;
  /** Null where no policy found the caller. */
  appId: string | null;
  productId: string | null;
  /** ISO 3166-1 alpha-2; `ZZ` where it is unknown. */
  country: string;
  /** Of the answer that the caller got; 499 where the caller left before. */
  status: number;
  /** Code of the gateway's own refusal; null where the target answered. */
  error: string | null;
  /** Refused with 429. */
  limited: boolean;
  requestBytes: number;
  responseBytes: number;
  /** From the head of the request to the end of the answer. */
  latencyUs: number;
  /** From the first byte to the target to the end of its answer; 0 where it was not asked. */
  targetTimeUs: number;
  /** The latency without the target's time. */
  gatewayTimeUs: number;
  /** Such as `10.0.0.7:8080`; null where none was asked. */
  target: string | null;
  retries: number;
}
