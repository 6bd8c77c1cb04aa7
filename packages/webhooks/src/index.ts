export { addressProblem, type DestinationPolicy } from './address.ts';
export { checkDestination, type Destination } from './destination.ts';
export { type SendError, type SendErrorCode, SendFailure } from './failure.ts';
export { type GuardedFetch, type GuardedFetchOptions, openGuardedFetch } from './guarded-fetch.ts';
export type { Resolve } from './resolve.ts';
export { attemptDelaysMs, retryDelayMs } from './schedule.ts';
export {
  keptBodyBytes,
  openSender,
  type ReceivedResponse,
  type Sender,
  type SenderOptions,
  type SendRequest,
  type SendResult,
} from './sender.ts';
export {
  newSigningSecret,
  type SignatureProblem,
  signatureHeader,
  signatureToleranceSeconds,
  verifySignature,
} from './signature.ts';
