export { ResponseError } from '@millrace/operations/client';
export {
  type CreatedJob,
  createMillraceClient,
  type DocumentType,
  type DocumentTypeChange,
  type DocumentTypeFigures,
  type DocumentTypeFile,
  type DocumentTypes,
  type ExtractedDocument,
  ExtractionError,
  type ExtractOptions,
  type FileInput,
  type Job,
  type ListedDocumentType,
  type MillraceClient,
  type MillraceClientOptions,
  type NewDocumentType,
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
