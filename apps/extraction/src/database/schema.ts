import type { DocType, Extraction, JsonValue } from '@millrace/engine/document';
import type { Database, TenantTransaction as ScopedTransaction } from '@millrace/postgres';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables, as the migrations leave them. Times are `Date`, `bytea` is a Buffer, `jsonb` is written as JSON text. */
export interface Schema {
  accounts: AccountsTable;
  users: UsersTable;
  api_keys: ApiKeysTable;
  rate_windows: RateWindowsTable;
  documents: DocumentsTable;
  jobs: JobsTable;
  idempotency_keys: IdempotencyKeysTable;
  webhook_secrets: WebhookSecretsTable;
  webhook_endpoints: WebhookEndpointsTable;
  notifications: NotificationsTable;
  delivery_attempts: DeliveryAttemptsTable;
}

export type ExtractionDatabase = Database<Schema>;

/** The transaction that stores take: it sees one account's rows. */
export type TenantTransaction = ScopedTransaction<Schema>;

type CreatedAt = ColumnType<Date, Date | undefined, never>;
type Time = ColumnType<Date, Date | undefined, Date>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface AccountsTable {
  id: string;
  name: string;
  /** The number of the account's next document, for its reference. */
  next_reference: Generated<number>;
  created_at: CreatedAt;
}

interface UsersTable {
  id: string;
  account_id: string;
  /** Lower case; unique over all accounts. */
  email: string;
  /** argon2id, in its encoded form. */
  password_hash: string;
  role: 'administrator';
  created_at: CreatedAt;
}

interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  /** The first 12 characters of the key, for recognition. */
  prefix: string;
  /** SHA-256 of the key. */
  key_hash: Buffer;
  /** Null: the setting's default. */
  rate_limit_per_minute: number | null;
  created_at: CreatedAt;
  last_used_at: NullableTime;
  revoked_at: NullableTime;
}

/** Fixed windows of one minute. Unlogged: a crash of the database gives every caller a fresh window. */
interface RateWindowsTable {
  /** An API key's id, or what else calls are counted by. */
  key_id: string;
  window_start: Date;
  used: number;
}

/** A value's place, as `?include=provenance` shows it. */
export interface StoredResult {
  fields: Record<string, JsonValue>;
  lines: Record<string, JsonValue>[];
  /** 0 to 100 by field name. */
  confidence: Record<string, number>;
  /** The engine's whole finding, for provenance. */
  extraction: Extraction | null;
  ai: { provider: string; model: string; process_time_ms: number; total_tokens: number };
  classification: { doc_type: DocType; confidence: number } | null;
}

type DocumentState = 'processing' | 'done' | 'error';

interface DocumentsTable {
  id: string;
  account_id: string;
  /** For people; unique within the account. */
  reference: string;
  source: 'dashboard' | 'inbox' | 'api';
  file_name: string;
  media_type: string;
  size_bytes: number;
  /** SHA-256 of the original. */
  sha256: Buffer;
  page_count: number | null;
  doc_type: DocType;
  state: DocumentState;
  result: JSONColumnType<StoredResult, string, string> | null;
  error_code: string | null;
  error_message: string | null;
  blob_key: string;
  api_key_id: string | null;
  created_at: CreatedAt;
  finished_at: NullableTime;
}

/** What the caller asked for, kept with the job. */
export interface JobOptions {
  /** Null: the caller named none. */
  doc_type: DocType | null;
  /** Null: every field of the type. */
  fields: string[] | null;
  callback_url: string | null;
}

export type JobState = 'queued' | 'processing' | 'done' | 'error';

interface JobsTable {
  id: string;
  account_id: string;
  document_id: string;
  state: Generated<JobState>;
  options: JSONColumnType<JobOptions, string, string>;
  /** Times the job was claimed; the claim under way holds exactly this number. */
  attempts: Generated<number>;
  /** Due time while queued; end of the lease while processing. */
  run_at: Time;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  finished_at: NullableTime;
}

interface IdempotencyKeysTable {
  account_id: string;
  api_key_id: string;
  key: string;
  /** SHA-256 of what was asked. */
  request_hash: Buffer;
  document_id: string | null;
  job_id: string | null;
  state: 'started' | 'finished';
  status: number | null;
  created_at: Time;
}

interface WebhookSecretsTable {
  id: string;
  account_id: string;
  /** Null: the account's primary secret, which signs callbacks. */
  endpoint_id: string | null;
  secret_encrypted: Buffer;
  created_at: Time;
  /** Set at rotation: the end of the overlap. */
  expires_at: NullableTime;
}

interface WebhookEndpointsTable {
  id: string;
  account_id: string;
  url: string;
  events: string[];
  state: Generated<'active' | 'paused'>;
  created_at: CreatedAt;
  removed_at: NullableTime;
}

interface NotificationsTable {
  id: string;
  account_id: string;
  /** Null: a test event. */
  document_id: string | null;
  endpoint_id: string | null;
  callback_url: string | null;
  event: string;
  /** The bytes that every attempt posts. */
  body: Buffer;
  state: Generated<'pending' | 'delivered' | 'failed'>;
  attempt_count: Generated<number>;
  /** Due time, and the end of the lease while an attempt is under way. */
  run_at: Time;
  /** Receiver by which sending is kept fair. */
  lane: string;
  created_at: CreatedAt;
  finished_at: NullableTime;
}

interface DeliveryAttemptsTable {
  /** The delivery id in the request's header. */
  id: string;
  account_id: string;
  notification_id: string;
  endpoint_id: string | null;
  /** From 1. */
  attempt: number;
  url: string;
  requested_at: Date;
  response_status: number | null;
  latency_ms: number;
  request_headers: JSONColumnType<Record<string, string>, string, string>;
  /** At most 64 KB of the body; its whole length and SHA-256 stand beside it. */
  request_body: Buffer;
  request_body_length: number;
  request_body_sha256: Buffer;
  response_headers: JSONColumnType<Record<string, string>, string, string> | null;
  response_body: Buffer | null;
  response_body_length: number | null;
  response_body_sha256: Buffer | null;
  error_code: string | null;
  error_message: string | null;
  permanently_failed: boolean;
}
