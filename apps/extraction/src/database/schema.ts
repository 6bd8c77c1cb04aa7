import type { Extraction, JsonValue, MediaType } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import type { Lesson } from '@millrace/engine/supplier-memory';
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
  sessions: SessionsTable;
  identity_providers: IdentityProvidersTable;
  invitations: InvitationsTable;
  password_resets: PasswordResetsTable;
  mfa_recovery_codes: MfaRecoveryCodesTable;
  sign_in_windows: SignInWindowsTable;
  mails: MailsTable;
  api_calls: ApiCallsTable;
  document_counts: DocumentCountsTable;
  document_durations: DocumentDurationsTable;
  document_count_marks: DocumentCountMarksTable;
  inboxes: InboxesTable;
  inbox_messages: InboxMessagesTable;
  corrections: CorrectionsTable;
  senders: SendersTable;
  sender_lessons: SenderLessonsTable;
  provider_choices: ProviderChoicesTable;
  bulk_actions: BulkActionsTable;
  document_types: DocumentTypesTable;
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
  /** 0 to 100: values of a lower confidence are to be reviewed. */
  review_threshold: Generated<number>;
  /** Documents are deleted after this many days; null for never. */
  retention_days: Generated<number | null>;
  created_at: CreatedAt;
}

export type UserRole = 'administrator' | 'member';

interface UsersTable {
  id: string;
  account_id: string;
  /** Lower case; unique over all accounts, those who were removed apart. */
  email: string;
  /** Empty until it is given. */
  name: Generated<string>;
  /** argon2id, in its encoded form; null for a user whom an identity provider created. */
  password_hash: string | null;
  role: UserRole;
  /** Since when the user cannot sign in. */
  disabled_at: NullableTime;
  /** A removed user stays, for what they did. */
  removed_at: NullableTime;
  last_sign_in_at: NullableTime;
  /** Of one-time codes, encrypted; null where none is asked for. */
  mfa_secret: Buffer | null;
  /** A secret that was not confirmed yet. */
  mfa_pending_secret: Buffer | null;
  /** The last time step whose code was taken. */
  mfa_last_step: string | null;
  /** Of the list of documents, in their order; null: the default ones. */
  document_columns: string[] | null;
  created_at: CreatedAt;
}

/** Codes that sign a user in without the app, once each. */
interface MfaRecoveryCodesTable {
  account_id: string;
  user_id: string;
  code_hash: Buffer;
  used_at: NullableTime;
}

/** The identity provider by which an account’s members sign in. */
interface IdentityProvidersTable {
  account_id: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret_encrypted: Buffer | null;
  scopes: string[];
  groups_claim: string | null;
  administrator_groups: string[];
  member_groups: string[];
  email_domains: string[];
  creates_users: boolean;
  recheck_seconds: number;
  enforced: Generated<boolean>;
  break_glass_user_id: Generated<string | null>;
}

interface SessionsTable {
  id: string;
  account_id: string;
  user_id: string;
  /** SHA-256 of the cookie's value. */
  token_hash: Buffer;
  /** Of the previous value, which is accepted for a short time after a rotation. */
  previous_token_hash: Buffer | null;
  previous_valid_until: NullableTime;
  rotated_at: Time;
  address: string;
  user_agent: string;
  created_at: CreatedAt;
  last_seen_at: Time;
  /** However much it is used. */
  expires_at: Time;
}

interface InvitationsTable {
  id: string;
  account_id: string;
  /** Lower case. */
  email: string;
  role: UserRole;
  token_hash: Buffer;
  invited_by: string;
  created_at: CreatedAt;
  expires_at: Time;
}

interface PasswordResetsTable {
  id: string;
  account_id: string;
  user_id: string;
  token_hash: Buffer;
  created_at: CreatedAt;
  expires_at: Time;
}

/** Attempts that may be guesses, over all accounts. */
interface SignInWindowsTable {
  key: string;
  window_start: Time;
  failures: number;
  blocked_until: Time;
}

/** Mail that waits for its server, and that it went. */
interface MailsTable {
  id: string;
  account_id: string;
  state: Generated<'queued' | 'processing' | 'done' | 'failed'>;
  attempts: Generated<number>;
  run_at: Time;
  /** Encrypted JSON of the mail; empty once it went. */
  sealed_payload: Buffer;
  error: string | null;
  created_at: CreatedAt;
}

interface ApiCallsTable {
  id: string;
  account_id: string;
  api_key_id: string;
  at: Date;
  method: string;
  /** The path with parameters such as `:name`. */
  route: string;
  status: number;
  latency_ms: number;
  error_code: string | null;
  document_id: string | null;
}

/** Finished documents by the day that they arrived; an account's mark says until when. */
interface DocumentCountsTable {
  account_id: string;
  day: string;
  doc_type: string;
  state: string;
  count: number;
}

interface DocumentDurationsTable {
  account_id: string;
  day: string;
  /** See `bucketsPerFactor` of the home page. */
  bucket: number;
  count: number;
}

interface DocumentCountMarksTable {
  account_id: string;
  /** The counts hold what was finished before. */
  counted_until: Date;
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
  /** What the key may do. */
  scopes: ColumnType<string[], readonly string[] | undefined, readonly string[]>;
  /** Null: never. */
  expires_at: NullableTime;
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
  classification: { doc_type: string; confidence: number } | null;
}

type DocumentState = 'processing' | 'done' | 'error';

interface DocumentsTable {
  id: string;
  account_id: string;
  /** For people; unique within the account. */
  reference: string;
  source: 'dashboard' | 'inbox' | 'api';
  file_name: string;
  media_type: MediaType;
  size_bytes: number;
  /** SHA-256 of the original. */
  sha256: Buffer;
  page_count: number | null;
  doc_type: string;
  state: DocumentState;
  result: JSONColumnType<StoredResult, string, string> | null;
  error_code: string | null;
  error_message: string | null;
  blob_key: string;
  api_key_id: string | null;
  /** When the file arrived. */
  created_at: CreatedAt;
  finished_at: NullableTime;
  /** When it was last extracted again; null where it never was. */
  restarted_at: NullableTime;
  /** The least of the values' confidences, 0 where a required field is missing; null while there are none. */
  lowest_confidence: number | null;
  /** Of fields and cells, the least first, 100 at most, and a 0 for each required field that is missing. */
  confidences: Generated<number[]>;
  /** Goes up with every change of the values. */
  version: Generated<number>;
  /** What people have entered; null where nobody has. */
  entered: JSONColumnType<EnteredByPeople, string | null, string | null> | null;
  /** What was extracted, where `result` has people's values in it. */
  extracted_result: JSONColumnType<StoredResult, string | null, string | null> | null;
  confirmed_at: NullableTime;
  confirmed_by: string | null;
  /** The document's supplier, for types that have such a field. */
  supplier: string | null;
  /** The known sender whose lessons helped with the extraction. */
  sender_id: string | null;
  sender_certain: Generated<boolean>;
  /** From then on the row is a tombstone: its values are gone. */
  deleted_at: NullableTime;
  /** When the original was deleted after that. */
  purged_at: NullableTime;
  /** Reference and file name in lower case. */
  search_text: ColumnType<string, never, never>;
}

/** A value that a person has entered; null removes the extracted one. */
export interface PersonsValue {
  value: JsonValue;
  /** The user's id. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** What people have entered into a document. `rows` is null where they left the rows as they were extracted. */
export interface EnteredByPeople {
  fields: Record<string, PersonsValue>;
  /** `from` is the number of the extracted row, null for one that was added. */
  rows: { from: number | null; cells: Record<string, PersonsValue> }[] | null;
}

interface CorrectionsTable {
  id: string;
  account_id: string;
  document_id: string;
  user_id: string;
  /** Of the document, after it. */
  version: number;
  kind: 'set' | 'add_row' | 'remove_row';
  path: JSONColumnType<ValuePath, string | null, never> | null;
  /** Null within, where there was or is no value. */
  before: JSONColumnType<{ value: JsonValue }, string, never>;
  after: JSONColumnType<{ value: JsonValue }, string, never>;
  created_at: CreatedAt;
}

/** A value's place among the fields, or in a row and column. */
export type ValuePath = { field: string } | { row: number; column: string };

interface SendersTable {
  id: string;
  account_id: string;
  doc_type: string;
  name: string;
  created_at: CreatedAt;
  last_confirmed_at: Time;
}

/** What one confirmed document taught of its sender. */
interface SenderLessonsTable {
  account_id: string;
  document_id: string;
  sender_id: string;
  lesson: JSONColumnType<Lesson, string, string>;
  created_at: Time;
}

/** What the caller asked for, kept with the job. */
export interface JobOptions {
  /** Null: the caller named none, which is `general`; `detect` takes the type that the document looks like. */
  doc_type: string | null;
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
  /** Times the job was claimed; the current claim has exactly this number. */
  attempts: Generated<number>;
  /** Due time while queued; end of the lease while processing. */
  run_at: Time;
  error_code: string | null;
  error_message: string | null;
  /** Of the request that queued it; null where nothing was traced. */
  traceparent: Generated<string | null>;
  created_at: CreatedAt;
  finished_at: NullableTime;
}

/** Why an action left one of its documents as it was. */
export interface StoredBulkFailure {
  readonly documentId: string;
  /** Empty where there is no such document. */
  readonly reference: string;
  readonly fileName: string;
  readonly code: string;
  readonly message: string;
}

interface BulkActionsTable {
  id: string;
  account_id: string;
  /** Who started it. */
  user_id: string;
  action: 'delete' | 'retry' | 'confirm';
  /** What to extract the documents as; null: the same type as before. */
  doc_type: string | null;
  /** In the order in which it goes through them. */
  document_ids: string[];
  /** Documents of which the outcome is known. */
  finished_count: Generated<number>;
  failures: JSONColumnType<readonly StoredBulkFailure[], string | undefined, string>;
  state: Generated<'queued' | 'processing' | 'done'>;
  attempts: Generated<number>;
  /** Due time while queued; end of the lease while processing. */
  run_at: Time;
  created_at: CreatedAt;
  finished_at: NullableTime;
}

/** A document type that an account defined. */
interface DocumentTypesTable {
  account_id: string;
  name: string;
  definition: JSONColumnType<Omit<OwnType, 'name'>, string, string>;
  /** Rises with every change. */
  version: ColumnType<number, number | undefined, number>;
  created_at: CreatedAt;
  updated_at: Time;
  /** A deleted type stays, for the documents that were extracted as it. */
  deleted_at: NullableTime;
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
  /** The request that has the key, and until when it has it unless it renews that. */
  holder: string | null;
  held_until: Time | null;
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
  paused_by: 'person' | 'failures' | null;
  paused_at: NullableTime;
  /** The first failed attempt since the last success, and the last one. */
  failing_since: NullableTime;
  last_failure_at: NullableTime;
  last_success_at: NullableTime;
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
  /** Due time; during an attempt, the end of its lease. */
  run_at: Time;
  /** Receiver by which sending is kept fair. */
  lane: string;
  /** Of what finished the document; null where nothing was traced. */
  traceparent: Generated<string | null>;
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

interface InboxesTable {
  account_id: string;
  /** The local part of the inbox's address. */
  token: string;
  is_active: Generated<boolean>;
  /** Type of its documents; null to detect it. */
  doc_type: string | null;
  /** Addresses, and domains behind an `@`; everybody may send where it is empty. */
  allow_list: Generated<string[]>;
  require_authentication: Generated<boolean>;
  created_at: CreatedAt;
}

/** What of a message was refused: one of its files, or with null all of it. */
export interface StoredRefusal {
  readonly fileName: string | null;
  readonly code: string;
  readonly message: string;
}

interface InboxMessagesTable {
  id: string;
  account_id: string;
  /** SHA-256 of what makes a message the same when it is sent again. */
  digest: Buffer;
  message_id: string | null;
  envelope_from: string;
  from_address: string;
  subject: string;
  size_bytes: number;
  outcome: 'accepted' | 'partly_accepted' | 'refused';
  authentication: 'passed' | 'failed' | 'unknown';
  document_ids: string[];
  refusals: JSONColumnType<readonly StoredRefusal[], string, string>;
  /** When an answer to the sender was queued. */
  answered_at: NullableTime;
  received_at: CreatedAt;
}

interface ProviderChoicesTable {
  account_id: string;
  mode: 'engine' | 'provider' | 'escalate';
  kind: 'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'ollama' | null;
  model: string | null;
  base_url: string | null;
  api_key_encrypted: Buffer | null;
  sends_pictures: boolean;
  on_failure: 'engine' | 'error';
  /** The user's id. */
  changed_by: string;
  changed_at: Time;
}
