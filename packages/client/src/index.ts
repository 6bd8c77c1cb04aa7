export { ResponseError } from '@millrace/operations/client';
export {
  type CreatedJob,
  createMillraceClient,
  type ExtractedDocument,
  ExtractionError,
  type ExtractOptions,
  type FileInput,
  type Job,
  type MillraceClient,
  type MillraceClientOptions,
  suggestedPollDelayMs,
  type WaitOptions,
} from './client.ts';
export {
  type ExtractionCompletedEvent,
  isExtractionCompleted,
  verifyWebhook,
  type WebhookEvent,
  WebhookSignatureError,
} from './webhook.ts';
