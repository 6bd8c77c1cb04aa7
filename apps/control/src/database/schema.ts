import type { Condition, Matcher, Severity, SilenceSchedule } from '@millrace/alerting';
import type { Heartbeat } from '@millrace/gateway-configuration/reports';
import type { Database, TenantTransaction as ScopedTransaction } from '@millrace/postgres';
import type { CreditExpiry, PlanTerms } from '@millrace/pricing';
import type { RevisionContent } from '@millrace/revision/content';
import type { ContentDiff } from '@millrace/revision/diff';
import type { ColumnType, Generated } from 'kysely';

type PortalRole = 'owner' | 'developer' | 'billing' | 'viewer';

/** A JSON object as it is stored and sent. */
export type JsonObject = { readonly [key: string]: JsonValue };
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** The tables, as the migrations leave them. Times are `Date`, `bytea` is a Buffer, `jsonb` is written as JSON text. */
export interface Schema {
  organizations: OrganizationsTable;
  users: UsersTable;
  account_makers: AccountMakersTable;
  account_addresses: AccountAddressesTable;
  roles: RolesTable;
  user_roles: UserRolesTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  mfa_recovery_codes: MfaRecoveryCodesTable;
  invitations: InvitationsTable;
  service_accounts: ServiceAccountsTable;
  service_account_tokens: ServiceAccountTokensTable;
  sign_in_windows: SignInWindowsTable;
  environments: EnvironmentsTable;
  environment_variables: EnvironmentVariablesTable;
  target_servers: TargetServersTable;
  proxies: ProxiesTable;
  proxy_authors: ProxyAuthorsTable;
  routes: RoutesTable;
  policy_templates: PolicyTemplatesTable;
  policy_attachments: PolicyAttachmentsTable;
  revisions: RevisionsTable;
  specifications: SpecificationsTable;
  governance_standards: GovernanceStandardsTable;
  governance_evaluations: GovernanceEvaluationsTable;
  governance_findings: GovernanceFindingsTable;
  governance_waivers: GovernanceWaiversTable;
  lifecycle_requests: LifecycleRequestsTable;
  lifecycle_comments: LifecycleCommentsTable;
  lifecycle_moves: LifecycleMovesTable;
  production_changes: ProductionChangesTable;
  deployments: DeploymentsTable;
  configuration_snapshots: ConfigurationSnapshotsTable;
  notifications: NotificationsTable;
  idempotency_keys: IdempotencyKeysTable;
  outbox: OutboxTable;
  rate_plans: RatePlansTable;
  rate_plan_versions: RatePlanVersionsTable;
  products: ProductsTable;
  product_proxies: ProductProxiesTable;
  developers: DevelopersTable;
  apps: AppsTable;
  credentials: CredentialsTable;
  subscriptions: SubscriptionsTable;
  subscription_terms: SubscriptionTermsTable;
  prepaid_accounts: PrepaidAccountsTable;
  prepaid_movements: PrepaidMovementsTable;
  top_ups: TopUpsTable;
  consumer_changes: ConsumerChangesTable;
  gateway_heads: GatewayHeadsTable;
  gateway_nodes: GatewayNodesTable;
  gateway_node_metrics: GatewayNodeMetricsTable;
  deployment_nodes: DeploymentNodesTable;
  usage_streams: UsageStreamsTable;
  usage_closings: UsageClosingsTable;
  metered_usage: MeteredUsageTable;
  traffic_aggregates: TrafficAggregatesTable;
  deployment_traffic: DeploymentTrafficTable;
  route_traffic: RouteTrafficTable;
  route_failures: RouteFailuresTable;
  traffic_reports: TrafficReportsTable;
  traffic_slots: TrafficSlotsTable;
  alert_rules: AlertRulesTable;
  alert_rule_status: AlertRuleStatusTable;
  alerts: AlertsTable;
  alert_endings: AlertEndingsTable;
  alert_rule_evaluations: AlertRuleEvaluationsTable;
  alert_clocks: AlertClocksTable;
  alert_traffic_sums: AlertTrafficSumsTable;
  silences: SilencesTable;
  evaluator_lease: EvaluatorLeaseTable;
  node_traffic: NodeTrafficTable;
  traffic_hour_sums: TrafficHourSumsTable;
  traffic_day_sums: TrafficDaySumsTable;
  traffic_days: TrafficDaysTable;
  traffic_heads: TrafficHeadsTable;
  traffic_marks: TrafficMarksTable;
  analytics_views: AnalyticsViewsTable;
  billing_settings: BillingSettingsTable;
  billing_periods: BillingPeriodsTable;
  billed_terms: BilledTermsTable;
  usage_sums: UsageSumsTable;
  invoices: InvoicesTable;
  invoice_lines: InvoiceLinesTable;
  payments: PaymentsTable;
  portal_budgets: PortalBudgetsTable;
  top_up_requests: TopUpRequestsTable;
  recent_requests: RecentRequestsTable;
  credit_notes: CreditNotesTable;
  incidents: IncidentsTable;
  incident_members: IncidentMembersTable;
  incident_entries: IncidentEntriesTable;
  credit_note_lines: CreditNoteLinesTable;
  portal_settings: PortalSettingsTable;
  portal_users: PortalUsersTable;
  portal_sessions: PortalSessionsTable;
  portal_recovery_codes: PortalRecoveryCodesTable;
  portal_password_resets: PasswordResetsTable;
  portal_invitations: PortalInvitationsTable;
  portal_registrations: PortalRegistrationsTable;
  portal_stamps: PortalStampsTable;
  portal_guides: PortalGuidesTable;
  portal_guide_versions: PortalGuideVersionsTable;
  portal_changes: PortalChangesTable;
  portal_domains: PortalDomainsTable;
  identity_providers: IdentityProvidersTable;
  portal_identity_providers: PortalIdentityProvidersTable;
  provider_sign_ins: ProviderSignInsTable;
  provider_logouts: ProviderLogoutsTable;
  provider_links: ProviderLinksTable;
  provider_sessions: ProviderSessionsTable;
  portal_provider_links: ProviderLinksTable;
  portal_provider_sessions: ProviderSessionsTable;
  scim_tokens: ScimTokensTable;
  scim_users: ScimUsersTable;
  scim_groups: ScimGroupsTable;
  scim_group_members: ScimGroupMembersTable;
  integrations: IntegrationsTable;
  integration_states: IntegrationStatesTable;
  integration_deliveries: IntegrationDeliveriesTable;
  telemetry_reports: TelemetryReportsTable;
  audit_heads: AuditHeadsTable;
  audit_entries: AuditEntriesTable;
}

export type ControlDatabase = Database<Schema>;

/** The transaction that stores take: it sees one organization's rows. */
export type TenantTransaction = ScopedTransaction<Schema>;

type CreatedAt = ColumnType<Date, Date | undefined, never>;
type Time = ColumnType<Date, Date | undefined, Date>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface OrganizationsTable {
  id: string;
  name: string;
  display_name: string;
  platform: Generated<boolean>;
  state: Generated<'active' | 'suspended'>;
  settings: ColumnType<JsonObject, string | undefined, string>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface UsersTable {
  id: string;
  organization_id: string;
  email: string;
  name: string;
  time_zone: Generated<string>;
  locale: Generated<string>;
  password_hash: Generated<string | null>;
  state: Generated<'active' | 'suspended'>;
  mfa_secret: Generated<Buffer | null>;
  mfa_pending_secret: Generated<Buffer | null>;
  mfa_last_step: Generated<string | null>;
  last_sign_in_at: NullableTime;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface AccountMakersTable {
  user_id: string;
  /** A user who created the account, invited its owner or changed its address. */
  maker_id: string;
  /** In the organization's first day. */
  founding: boolean;
  at: Time;
}

/** Written by the database alone, whenever a user's address is. */
interface AccountAddressesTable {
  address_digest: Buffer;
  user_id: string;
}

interface RolesTable {
  id: string;
  organization_id: string;
  name: string;
  description: Generated<string>;
  permissions: string[];
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface UserRolesTable {
  organization_id: string;
  user_id: string;
  role_id: string;
}

interface SessionsTable {
  id: string;
  organization_id: string;
  user_id: string;
  token_hash: Buffer;
  previous_token_hash: Generated<Buffer | null>;
  previous_valid_until: NullableTime;
  rotate: Generated<boolean>;
  ip: string;
  user_agent: string;
  created_at: CreatedAt;
  last_seen_at: Time;
  absolute_expires_at: Date;
}

interface PasswordResetsTable {
  id: string;
  organization_id: string;
  user_id: string;
  token_hash: Buffer;
  expires_at: Date;
  used_at: NullableTime;
  created_at: CreatedAt;
}

interface MfaRecoveryCodesTable {
  organization_id: string;
  user_id: string;
  code_hash: Buffer;
  used_at: NullableTime;
}

interface InvitationsTable {
  id: string;
  organization_id: string;
  email: string;
  name: string;
  role_ids: string[];
  token_hash: Buffer;
  state: Generated<'pending' | 'accepted' | 'withdrawn'>;
  invited_by: string;
  /** Who sent it or sent it again: users, a service account's owners among them. */
  sender_ids: Generated<string[]>;
  expires_at: Date;
  mailed_at: Generated<Date[]>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface ServiceAccountsTable {
  id: string;
  organization_id: string;
  name: string;
  description: Generated<string>;
  permissions: string[];
  state: Generated<'active' | 'suspended'>;
  /** Who may be behind its calls: the users that made it or issued a token of it. */
  owner_ids: string[];
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface ServiceAccountTokensTable {
  id: string;
  organization_id: string;
  service_account_id: string;
  name: string;
  prefix: string;
  token_hash: Buffer;
  expires_at: NullableTime;
  last_used_at: NullableTime;
  revoked_at: NullableTime;
  created_at: CreatedAt;
}

/** The portal of an organization; without a row it has the defaults and is not open to the public. */
interface PortalSettingsTable {
  organization_id: string;
  open: Generated<boolean>;
  registration: Generated<'open' | 'approval' | 'closed'>;
  settings: ColumnType<JsonObject, string | undefined, string>;
  logo: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  logo_dark: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

/** Counts the changes of what public pages of the portal show. */
interface PortalStampsTable {
  organization_id: string;
  stamp: Generated<string>;
}

/** A guide of the portal, in one language; its texts are its versions. */
interface PortalGuidesTable {
  id: string;
  organization_id: string;
  slug: string;
  language: 'en' | 'de';
  position: Generated<number>;
  product_ids: Generated<string[]>;
  guide_version: Generated<number>;
  /** Null: the portal doesn't show it. */
  published_version: Generated<number | null>;
  published_at: NullableTime;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

/** Never changed. */
interface PortalGuideVersionsTable {
  organization_id: string;
  guide_id: string;
  guide_version: number;
  title: string;
  summary: string;
  source: string;
  created_by: string;
  created_by_name: string;
  created_at: CreatedAt;
}

/** What the publication of a specification changed for callers. */
interface PortalChangesTable {
  id: string;
  organization_id: string;
  proxy_id: string;
  kind: 'published' | 'changed' | 'withdrawn';
  api_version: string;
  breaking: boolean;
  changes: ColumnType<readonly StoredPortalChange[], string, never>;
  total: number;
  created_at: CreatedAt;
}

interface StoredPortalChange {
  /** Without the base path; null: not about one operation. */
  readonly operation: string | null;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly breaking: boolean;
  readonly text: string;
}

/** A host name of the portal; the portal answers at verified ones. */
interface PortalDomainsTable {
  id: string;
  organization_id: string;
  host_name: string;
  is_primary: Generated<boolean>;
  token: string;
  verified_at: NullableTime;
  checked_at: NullableTime;
  problem: Generated<string | null>;
  missing_since: NullableTime;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

/** The identity provider by which an organization’s users sign in to the console or to the developer portal. */
interface IdentityProvidersTable {
  organization_id: string;
  realm: 'console' | 'portal';
  name: string;
  issuer: string;
  client_id: string;
  sealed_client_secret: Buffer | null;
  scopes: string[];
  groups_claim: string | null;
  group_roles: ColumnType<readonly { readonly group: string; readonly roleIds: readonly string[] }[], string, string>;
  default_role_ids: string[];
  email_domains: string[];
  creates_users: boolean;
  recheck_seconds: number;
  enforced: Generated<boolean>;
  break_glass_user_id: Generated<string | null>;
  configured_by: string[];
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface PortalIdentityProvidersTable {
  organization_id: string;
  developer_id: string;
  name: string;
  issuer: string;
  client_id: string;
  sealed_client_secret: Buffer | null;
  scopes: string[];
  groups_claim: string | null;
  group_roles: ColumnType<readonly { readonly group: string; readonly role: PortalRole }[], string, string>;
  role: PortalRole;
  email_domains: string[];
  creates_users: boolean;
  enforced: boolean;
  recheck_seconds: number;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface ProviderSignInsTable {
  state_hash: Buffer;
  browser_hash: Buffer;
  organization_id: string;
  realm: string;
  return_path: string;
  linked_user_id: string | null;
  developer_id: string | null;
  expires_at: Date;
}

interface ProviderLogoutsTable {
  organization_id: string;
  realm: string;
  token_hash: Buffer;
  expires_at: Date;
}

/** Which user a provider’s user is. */
interface ProviderLinksTable {
  organization_id: string;
  issuer: string;
  subject: string;
  user_id: string;
  created_at: CreatedAt;
  last_sign_in_at: NullableTime;
}

interface ProviderSessionsTable {
  organization_id: string;
  session_id: string;
  user_id: string;
  issuer: string;
  subject: string;
  provider_session_id: string | null;
  sealed_id_token: Buffer;
  sealed_refresh_token: Buffer | null;
  check_at: NullableTime;
  failing_since: NullableTime;
}

/** Tokens of the clients that provision users and groups. */
interface ScimTokensTable {
  id: string;
  organization_id: string;
  name: string;
  prefix: string;
  token_hash: Buffer;
  created_by: string[];
  expires_at: NullableTime;
  last_used_at: NullableTime;
  created_at: CreatedAt;
}

interface ScimUsersTable {
  organization_id: string;
  user_id: string;
  user_name: string;
  external_id: string | null;
  attributes: ColumnType<JsonObject, string, string>;
}

interface ScimGroupsTable {
  id: string;
  organization_id: string;
  display_name: string;
  external_id: string | null;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface ScimGroupMembersTable {
  organization_id: string;
  group_id: string;
  user_id: string;
}

/** Who signs in to the developer portal, for one developer account. */
interface PortalUsersTable {
  id: string;
  organization_id: string;
  developer_id: string;
  email: string;
  name: string;
  role: PortalRole;
  state: Generated<'active' | 'suspended'>;
  /** BCP 47; null: the browser's. */
  locale: Generated<string | null>;
  password_hash: Generated<string | null>;
  mfa_secret: Generated<Buffer | null>;
  mfa_pending_secret: Generated<Buffer | null>;
  mfa_last_step: Generated<string | null>;
  last_sign_in_at: NullableTime;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

/** Somebody who was asked to join a developer account; the row goes once they did, or it was withdrawn. */
interface PortalInvitationsTable {
  id: string;
  organization_id: string;
  developer_id: string;
  email: string;
  role: PortalRole;
  token_hash: Buffer;
  /** A portal user, user or service account. */
  invited_by: string;
  invited_by_kind: 'portal_user' | 'user' | 'service_account';
  invited_by_name: string;
  expires_at: Time;
  created_at: CreatedAt;
}

/** A registration in the developer portal; one that nobody confirmed in time is deleted. */
interface PortalRegistrationsTable {
  id: string;
  organization_id: string;
  email: string;
  name: string;
  company: string;
  locale: string;
  state: Generated<'unconfirmed' | 'pending' | 'approved' | 'rejected'>;
  /** Of the link in the e-mail. */
  token_hash: Buffer | null;
  /** Of the cookie in the browser that registered. */
  browser_hash: Buffer | null;
  /** Null once the portal user exists or the registration was rejected. */
  password_hash: string | null;
  terms_accepted_at: Time;
  expires_at: Time;
  confirmed_at: NullableTime;
  decided_by: Generated<string | null>;
  decided_by_name: Generated<string | null>;
  decided_at: NullableTime;
  reason: Generated<string | null>;
  developer_id: Generated<string | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface PortalBudgetsTable extends Versioned {
  organization_id: string;
  developer_id: string;
  currency: string;
  amount_minor: Count;
  alerted_percent: Generated<80 | 100 | null>;
  alerted_period_id: Generated<string | null>;
  checked_at: Time;
}

interface TopUpRequestsTable {
  id: string;
  organization_id: string;
  developer_id: string;
  subscription_id: string;
  amount_minor: Count;
  currency: string;
  note: string;
  requested_by: string;
  requested_by_name: string;
  declined_by: Generated<string | null>;
  declined_by_name: Generated<string | null>;
  declined_at: NullableTime;
  decline_reason: Generated<string | null>;
  created_at: CreatedAt;
}

interface RecentRequestsTable {
  organization_id: string;
  app_id: string;
  at: Date;
  request_id: string;
  method: string;
  proxy_id: string;
  product_id: string | null;
  route: string | null;
  status: number;
  duration_us: Count;
}

type PortalSessionsTable = SessionsTable;
type PortalRecoveryCodesTable = MfaRecoveryCodesTable;

interface SignInWindowsTable {
  key: string;
  window_start: Date;
  failures: number;
  blocked_until: Date;
}

interface EnvironmentsTable {
  id: string;
  organization_id: string;
  name: string;
  display_name: string;
  description: Generated<string>;
  production: boolean;
  host_names: Generated<string[]>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface EnvironmentVariablesTable {
  organization_id: string;
  environment_id: string;
  name: string;
  secret: boolean;
  value: Generated<string | null>;
  sealed_value: Generated<Buffer | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface TargetServersTable {
  id: string;
  organization_id: string;
  environment_id: string;
  name: string;
  description: Generated<string>;
  scheme: 'http' | 'https';
  protocol: Generated<'http1' | 'http2' | 'auto'>;
  host: string;
  port: number;
  weight: Generated<number>;
  enabled: Generated<boolean>;
  health_path: Generated<string | null>;
  endpoints: ColumnType<
    readonly { readonly host: string; readonly port: number; readonly weight: number }[],
    string | undefined,
    string
  >;
  tls_server_name: Generated<string | null>;
  tls_certificate_authorities: Generated<string | null>;
  tls_client_certificate: Generated<string | null>;
  sealed_tls_client_key: Generated<Buffer | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface ProxiesTable {
  id: string;
  organization_id: string;
  name: string;
  display_name: string;
  description: Generated<string>;
  base_path: string;
  protocol: string;
  auth_scheme: string;
  tags: Generated<string[]>;
  stage: Generated<'draft' | 'review' | 'approved' | 'published' | 'deprecated' | 'retired'>;
  /** Of the working copy, kept by every write of it. */
  content_hash: string;
  /** What was approved; null where nothing is. */
  approved_hash: Generated<string | null>;
  approved_revision: Generated<number | null>;
  latest_revision: Generated<number>;
  created_by: string;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
  /** What a list's search looks at; the database makes it. */
  search_text: ColumnType<string, never, never>;
  /** A proxy that was deployed stays, with its revisions, and gives its name and base path free. */
  deleted_at: NullableTime;
}

interface ProxyAuthorsTable {
  organization_id: string;
  proxy_id: string;
  user_id: string;
}

interface RoutesTable {
  id: string;
  organization_id: string;
  proxy_id: string;
  position: number;
  method: string;
  path_pattern: string;
  target_server: string;
  target_path: Generated<string | null>;
  timeout_ms: Generated<number | null>;
  summary: Generated<string>;
  description: Generated<string>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface PolicyTemplatesTable {
  id: string;
  organization_id: string;
  name: string;
  description: Generated<string>;
  kind: string;
  configuration: ColumnType<JsonObject, string, string>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface PolicyAttachmentsTable {
  id: string;
  organization_id: string;
  proxy_id: string;
  flow: 'request' | 'response';
  position: number;
  kind: string;
  name: string;
  enabled: Generated<boolean>;
  route_ids: Generated<string[] | null>;
  configuration: ColumnType<JsonObject, string, string>;
  template_id: Generated<string | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface RevisionsTable {
  organization_id: string;
  proxy_id: string;
  revision: number;
  content: ColumnType<RevisionContent, string, string>;
  content_hash: string;
  note: Generated<string>;
  created_by: string;
  /** Users who wrote its content. */
  author_ids: string[];
  /** Cut by an edit of a deployed proxy; the next edit puts another in its place until somebody uses it. */
  automatic: Generated<boolean>;
  approved_by: Generated<string | null>;
  approved_at: NullableTime;
  first_deployed_at: NullableTime;
  created_at: CreatedAt;
}

interface SpecificationsTable {
  id: string;
  organization_id: string;
  proxy_id: Generated<string | null>;
  title: string;
  description: Generated<string>;
  api_version: string;
  source: 'generated' | 'imported' | 'uploaded';
  state: Generated<'draft' | 'published'>;
  document: ColumnType<JsonObject, string, string>;
  /** Of the working copy that it was generated from, itself included; another hash there: it is out of date. */
  content_hash: Generated<string | null>;
  published_document: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  published_at: NullableTime;
  published_api_version: Generated<string | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface GovernanceStandardsTable {
  organization_id: string;
  code: string;
  name: string;
  description: Generated<string>;
  severity: 'error' | 'warning' | 'information';
  blocking: boolean;
  enabled: boolean;
  /** A Spectral ruleset; null for a built-in rule. */
  ruleset: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface GovernanceEvaluationsTable {
  organization_id: string;
  proxy_id: string;
  content_hash: string;
  score: number;
  evaluated_at: Date;
}

interface GovernanceFindingsTable {
  id: string;
  organization_id: string;
  proxy_id: string;
  code: string;
  location: string;
  message: string;
  remedy: string;
  /** What has to be changed, for a link: its kind and id. */
  fix: ColumnType<JsonObject, string, string>;
  severity: string;
  blocking: boolean;
  waiver_id: Generated<string | null>;
  first_seen_at: Time;
}

interface GovernanceWaiversTable {
  id: string;
  organization_id: string;
  proxy_id: string;
  code: string;
  /** Null: every finding of the rule in the proxy. */
  location: Generated<string | null>;
  reason: string;
  ends_at: Date;
  ended_at: NullableTime;
  created_by: string;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface LifecycleRequestsTable {
  id: string;
  organization_id: string;
  proxy_id: string;
  from_stage: string;
  to_stage: string;
  state: Generated<'pending' | 'approved' | 'rejected' | 'withdrawn' | 'void'>;
  note: Generated<string>;
  revision: number;
  content_hash: string;
  requested_by: string;
  requested_by_name: string;
  /** Users that may not approve it: the requester, and who wrote the content. */
  author_ids: string[];
  findings: ColumnType<readonly JsonObject[], string, string>;
  diff: ColumnType<ContentDiff, string, string>;
  decided_by: Generated<string | null>;
  decided_by_name: Generated<string | null>;
  decided_at: NullableTime;
  reason: Generated<string | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface LifecycleCommentsTable {
  id: string;
  organization_id: string;
  request_id: string;
  author_id: string;
  author_name: string;
  text: string;
  created_at: CreatedAt;
}

interface LifecycleMovesTable {
  id: string;
  organization_id: string;
  proxy_id: string;
  from_stage: string;
  to_stage: string;
  request_id: Generated<string | null>;
  moved_by: string;
  moved_by_name: string;
  reason: Generated<string>;
  created_at: CreatedAt;
}

interface ProductionChangesTable {
  id: string;
  organization_id: string;
  operation: string;
  /** Parameters and body of the call, encrypted; empty once it is decided. */
  sealed_input: Buffer;
  /** The same for people, with secrets redacted. */
  shown_input: ColumnType<JsonObject, string, never>;
  entity_id: string | null;
  entity_name: string;
  entity_version: number | null;
  /** Identifies the state of the entity to be changed; null if the change creates it. */
  entity_state: string | null;
  changes: ColumnType<readonly JsonObject[], string, never>;
  state: Generated<'pending' | 'approved' | 'rejected' | 'withdrawn' | 'void'>;
  note: Generated<string>;
  requested_by: string;
  requested_by_kind: 'user' | 'service_account';
  requested_by_name: string;
  /** Of those who may not approve it: the requester, and whoever may be behind them. */
  author_keys: string[];
  decided_by: Generated<string | null>;
  decided_by_name: Generated<string | null>;
  decided_at: NullableTime;
  reason: Generated<string | null>;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface DeploymentsTable {
  id: string;
  organization_id: string;
  environment_id: string;
  proxy_id: string;
  revision: number;
  strategy: 'direct' | 'canary';
  weight: number;
  /** What the weights of a canary and of what stands beside it are shares of. */
  split: Generated<'requests' | 'callers'>;
  /** Since when weight and split are so. */
  split_since: Generated<Date>;
  state: 'pending' | 'rolling_out' | 'live' | 'superseded' | 'rolled_back' | 'undeployed' | 'failed';
  content_hash: string;
  /** The deployment that served before, and, after a rollback, what was rolled back from. */
  previous_id: Generated<string | null>;
  rolled_back_from: ColumnType<
    { deploymentId: string; revision: number } | null,
    string | null | undefined,
    string | null
  >;
  diff: ColumnType<ContentDiff, string, string>;
  note: Generated<string>;
  failure: Generated<string | null>;
  budget: ColumnType<
    { maxErrorRateIncrease: number; maxLatencyIncreasePercent: number | null; minimumRequests: number } | null,
    string | null | undefined,
    string | null
  >;
  snapshot_sequence: Generated<number | null>;
  replaces_id: Generated<string | null>;
  rollout_since: NullableTime;
  live_at: NullableTime;
  base_path: string;
  target_servers: string[];
  variables: string[];
  created_by: string;
  created_by_name: string;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
  ended_at: NullableTime;
}

interface ConfigurationSnapshotsTable {
  organization_id: string;
  environment_id: string;
  sequence: number;
  content: string;
  hash: string;
  signature: Buffer;
  secret_names: string[];
  secrets_hash: string;
  created_at: CreatedAt;
}

interface NotificationsTable {
  id: string;
  organization_id: string;
  user_id: string;
  kind: string;
  title: string;
  link: Generated<string | null>;
  read_at: NullableTime;
  created_at: CreatedAt;
}

interface IdempotencyKeysTable {
  organization_id: string;
  caller_id: string;
  key: string;
  operation: string;
  request_hash: Buffer;
  status: Generated<number | null>;
  sealed_answer: Generated<Buffer | null>;
  created_at: CreatedAt;
}

interface OutboxTable {
  id: string;
  organization_id: string;
  kind: string;
  sealed_payload: Buffer;
  state: Generated<'queued' | 'processing' | 'done' | 'failed'>;
  attempts: Generated<number>;
  run_at: Time;
  error: Generated<string | null>;
  created_at: CreatedAt;
}

interface AuditHeadsTable {
  organization_id: string;
  sequence: string;
  hash: Buffer;
  seal: Buffer;
}

interface AuditEntriesTable {
  organization_id: string;
  sequence: string;
  id: string;
  at: Date;
  actor_kind: 'user' | 'service_account' | 'gateway_node' | 'portal_user' | 'anonymous' | 'system';
  actor_id: Generated<string | null>;
  actor_name: string;
  operation: string;
  entity_type: string;
  entity_id: Generated<string | null>;
  category: 'configuration' | 'deployment' | 'security' | 'governance';
  severity: 'low' | 'medium' | 'high';
  outcome: 'done' | 'denied' | 'failed';
  ip: string;
  user_agent: string;
  request_id: string;
  note: Generated<string>;
  /** json, not jsonb: the text that was hashed is the text that is kept. */
  changes: ColumnType<unknown, string, never>;
  hash: Buffer;
}

/** A limit per window, as a product, a subscription and the Quota policy state it. */
interface StoredQuota {
  readonly limit: number;
  readonly window: { readonly unit: 'minute' | 'hour' | 'day' | 'month'; readonly count: number };
}
type QuotaColumn = ColumnType<StoredQuota | null, string | null | undefined, string | null>;

interface Versioned {
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface ProductsTable extends Versioned {
  id: string;
  organization_id: string;
  name: string;
  display_name: string;
  description: Generated<string>;
  public: Generated<boolean>;
  auto_approve: Generated<boolean>;
  published: Generated<boolean>;
  state: Generated<'active' | 'suspended'>;
  quota: QuotaColumn;
  units_header: Generated<string | null>;
  pass_units_header: Generated<boolean>;
}

interface ProductProxiesTable {
  organization_id: string;
  product_id: string;
  proxy_id: string;
  route_ids: Generated<string[] | null>;
  created_at: CreatedAt;
}

interface DevelopersTable extends Versioned {
  id: string;
  organization_id: string;
  email: string;
  name: string;
  company: Generated<string>;
  user_id: Generated<string | null>;
  state: Generated<'active' | 'suspended'>;
  billing: ColumnType<JsonObject | null, string | null | undefined, string | null>;
}

interface AppsTable extends Versioned {
  id: string;
  organization_id: string;
  developer_id: string;
  name: string;
  display_name: string;
  description: Generated<string>;
  callback_url: Generated<string | null>;
  state: Generated<'active' | 'suspended'>;
}

interface CredentialsTable extends Versioned {
  id: string;
  organization_id: string;
  app_id: string;
  name: string;
  prefix: string;
  key_hash: Buffer;
  sealed_key: Buffer;
  previous_key_hash: Generated<Buffer | null>;
  previous_valid_until: NullableTime;
  expires_at: NullableTime;
  revoked_at: NullableTime;
}

/** What an edit of a published plan will make of it. */
interface StoredRatePlanDraft {
  readonly displayName: string;
  readonly description: string;
  readonly terms: PlanTerms;
}

interface RatePlansTable extends Versioned {
  id: string;
  organization_id: string;
  product_id: string;
  name: string;
  display_name: string;
  description: Generated<string>;
  state: Generated<'draft' | 'published' | 'retired'>;
  terms: ColumnType<PlanTerms, string, string>;
  draft: ColumnType<StoredRatePlanDraft | null, string | null | undefined, string | null>;
  published_version: Generated<number>;
  /** These two are read from the terms. */
  type: ColumnType<PlanTerms['type'], never, never>;
  currency: ColumnType<string, never, never>;
}

/** A published version of a rate plan. */
interface RatePlanVersionsTable {
  organization_id: string;
  rate_plan_id: string;
  plan_version: number;
  display_name: string;
  description: string;
  terms: ColumnType<PlanTerms, string, never>;
  published_at: CreatedAt;
  published_by: string | null;
  published_by_name: string | null;
  applies_from: ColumnType<Date | null, Date | null | undefined, never>;
  applied_at: NullableTime;
}

interface SubscriptionsTable extends Versioned {
  id: string;
  organization_id: string;
  app_id: string;
  product_id: string;
  rate_plan_id: Generated<string | null>;
  state: 'pending' | 'approved' | 'rejected' | 'revoked' | 'cancelled';
  quota: QuotaColumn;
  reason: Generated<string | null>;
  requested_by: string;
  requested_by_name: string;
  author_ids: string[];
  decided_by: Generated<string | null>;
  decided_by_name: Generated<string | null>;
  decided_at: NullableTime;
  /** The open one; null: it isn't approved, or has no plan. */
  term_id: Generated<string | null>;
}

/** A subscription on one version of one plan. */
interface SubscriptionTermsTable {
  id: string;
  organization_id: string;
  subscription_id: string;
  developer_id: string;
  app_id: string;
  app_name: string;
  product_id: string;
  rate_plan_id: string;
  plan_version: number;
  starts_at: Date;
  ends_at: NullableTime;
  /** What calls cost; null: the plan is not prepaid. */
  prepaid: ColumnType<readonly JsonObject[] | null, string | null | undefined, never>;
}

/** Money in millionths of a minor unit where the column says micro; numeric and bigint arrive as strings. */
interface PrepaidAccountsTable extends Versioned {
  organization_id: string;
  subscription_id: string;
  currency: string;
  counting: Generated<'strict' | 'fast'>;
  credit_micro: ColumnType<string, string | undefined, string>;
  used_micro: ColumnType<string, string | undefined, string>;
  sent_micro: ColumnType<string, string | undefined, string>;
  low_balance_minor: ColumnType<string | null, number | null | undefined, number | null>;
  last_top_up_minor: ColumnType<string, number | undefined, number>;
  is_low: Generated<boolean>;
  /** What has expired of the credit, whether it is in the movements yet or not. */
  expired_micro: ColumnType<string, string | undefined, string>;
  /** The latest expiry so far. */
  expired_until: NullableTime;
}

interface PrepaidMovementsTable {
  id: string;
  organization_id: string;
  developer_id: string;
  /** Null: assigned to no subscription yet. */
  subscription_id: string | null;
  kind: 'top_up' | 'correction' | 'assignment' | 'expiry';
  amount_minor: ColumnType<string, number, never>;
  currency: string;
  note: Generated<string>;
  /** Of which top-up this is what was left when it expired, or a correction of that. */
  top_up_id: Generated<string | null>;
  /** Null: the service itself. */
  created_by: string | null;
  created_by_name: string;
  created_at: CreatedAt;
}

interface TopUpsTable extends Versioned {
  id: string;
  organization_id: string;
  subscription_id: string;
  developer_id: string;
  currency: string;
  amount_minor: ColumnType<string, number, never>;
  source: 'payment' | 'unassigned';
  note: string;
  state: 'pending' | 'credited' | 'rejected';
  request_id: Generated<string | null>;
  requested_by: string;
  requested_by_name: string;
  author_keys: string[];
  decided_by: Generated<string | null>;
  decided_by_name: Generated<string | null>;
  decided_at: NullableTime;
  decision_reason: Generated<string | null>;
  /** How long it is good for; null: it never expires. */
  credit_expiry: ColumnType<CreditExpiry | null, string | null | undefined, never>;
  /** From when it is no longer good; null while it isn't credited. */
  expires_at: NullableTime;
  /** When a notice of that is due; null once it was sent. */
  expiry_notice_at: NullableTime;
  /** Price of all usage before `expires_at`, in millionths of a minor unit; null while that hasn't come. */
  used_before_micro: ColumnType<string | null, string | null | undefined, string>;
  /** What was left of it then, once that is in the movements. */
  expired_minor: ColumnType<string | null, number | null | undefined, number>;
  /** Whether usage of before the expiry was reported after that was entered. */
  correction_due: Generated<boolean>;
}

interface IncidentsTable extends Versioned {
  id: string;
  organization_id: string;
  fingerprint: string;
  rule_id: string;
  rule: ColumnType<JsonObject, string, string>;
  environment_id: string | null;
  environment_name: string | null;
  environment_production: boolean;
  title: string;
  state: 'open' | 'acknowledged' | 'monitoring' | 'resolved';
  severity: 'critical' | 'warning' | 'info';
  value: number | null;
  peak_value: number | null;
  members: number;
  firing_members: number;
  suppressed: boolean;
  owner_id: Generated<string | null>;
  owner_name: Generated<string | null>;
  opened_at: ColumnType<Date, Date, never>;
  acknowledged_at: NullableTime;
  monitoring_at: NullableTime;
  reopened_at: NullableTime;
  reopenings: Generated<number>;
  recovered_at: NullableTime;
  resolved_at: NullableTime;
  resolved_by: Generated<string | null>;
  resolved_by_name: Generated<string | null>;
  summary: Generated<string | null>;
  previous_id: string | null;
  notified: Generated<string[]>;
  escalation: ColumnType<
    readonly { readonly integrationId: string; readonly at: string }[],
    string | undefined,
    string
  >;
  notifications: Generated<number>;
  visibility: Generated<'automatic' | 'public' | 'private'>;
  measured_at: Date;
  measured_value: number | null;
}

interface IncidentMembersTable {
  organization_id: string;
  incident_id: string;
  fingerprint: string;
  labels: ColumnType<Readonly<Record<string, string>>, string, string>;
  proxy_id: string | null;
  proxy_name: string | null;
  state: 'firing' | 'recovered';
  value: number | null;
  peak_value: number | null;
  threshold: number;
  since: Date;
  recovered_at: Date | null;
  suppressed_by: string | null;
  inhibited_by: string | null;
}

interface IncidentEntriesTable {
  id: string;
  organization_id: string;
  incident_id: string;
  at: Date;
  kind: string;
  by_id: string | null;
  by_name: string | null;
  text: string;
  fingerprint: string | null;
  value: number | null;
  threshold: number | null;
}

interface ConsumerChangesTable {
  organization_id: string;
  kind: 'product' | 'developer' | 'app' | 'credential' | 'subscription';
  id: string;
  sequence: ColumnType<string, string, string>;
  value: ColumnType<JsonObject | null, string | null, string | null>;
  changed_at: Time;
}

interface GatewayHeadsTable {
  organization_id: string;
  sequence: ColumnType<string, string | number, string | number>;
}

interface GatewayNodesTable extends Versioned {
  id: string;
  organization_id: string;
  environment_id: string;
  name: string;
  description: Generated<string>;
  registration_hash: Generated<Buffer | null>;
  registration_expires_at: NullableTime;
  token_hash: Generated<Buffer | null>;
  public_key: Generated<string | null>;
  registered_at: NullableTime;
  drain: Generated<'none' | 'draining' | 'drained'>;
  last_heartbeat_at: NullableTime;
  reporting_since: NullableTime;
  heartbeat: ColumnType<Heartbeat | null, string | null | undefined, string | null>;
  held_sequence: Generated<number | null>;
  refused_since: NullableTime;
  usage_complete_until: NullableTime;
}

interface GatewayNodeMetricsTable {
  organization_id: string;
  node_id: string;
  slot: number;
  at: Date;
  metrics: ColumnType<Heartbeat['metrics'], string, string>;
}

interface DeploymentNodesTable {
  organization_id: string;
  deployment_id: string;
  node_id: string;
  serving_since: Date;
}

interface UsageStreamsTable {
  organization_id: string;
  id: string;
  node_id: string;
  /** Numbers of batches, as the text of an int8multirange. */
  applied: string;
}

interface UsageClosingsTable {
  organization_id: string;
  closed_until: Generated<Date>;
}

/** bigint arrives as a string. */
type Count = ColumnType<string, number | string, number | string>;
type HistogramColumn = ColumnType<string[], readonly number[], readonly number[]>;

interface StatusCounts {
  requests: Count;
  status_2xx: Count;
  status_3xx: Count;
  status_4xx: Count;
  status_5xx: Count;
}

interface MeteredUsageTable {
  organization_id: string;
  term_id: string;
  quarter: Date;
  environment_id: string;
  proxy_id: string;
  /** First digit of the status; 0: the gateway itself answered with an error. */
  status_class: number;
  /** What usage was closed up to when it arrived, if its quarter was closed by then; else `-infinity`. */
  late_after: Generated<Date>;
  requests: Count;
  request_bytes: Count;
  response_bytes: Count;
  /** numeric arrives as a string. */
  units: ColumnType<string, string, string>;
  without_units: Count;
  unreadable_units: Count;
}

interface TrafficAggregatesTable extends StatusCounts {
  organization_id: string;
  hour: Date;
  environment_id: string;
  proxy_id: string;
  app_id: string;
  product_id: string;
  country: string;
  limited: Count;
  request_bytes: Count;
  response_bytes: Count;
  gateway_time: HistogramColumn;
  target_time: HistogramColumn;
}

interface TrafficReportsTable {
  /** bigint arrives as a string. */
  id: Generated<string>;
  organization_id: string;
  environment_id: string;
  first_slot: Date;
  last_slot: Date;
  rows: Buffer;
}

/** Histograms are packed. */
interface TrafficSlotsTable extends StatusCounts {
  organization_id: string;
  slot: Date;
  environment_id: string;
  proxy_id: string;
  limited: Count;
  request_bytes: Count;
  response_bytes: Count;
  gateway_time: Buffer;
  target_time: Buffer;
  latency: Buffer;
}

interface AlertRulesTable extends Versioned {
  id: string;
  organization_id: string;
  name: string;
  description: string;
  environment_id: string | null;
  proxy_id: string | null;
  app_id: string | null;
  product_id: string | null;
  condition: ColumnType<Condition, string, string>;
  severity: Severity;
  integration_ids: string[];
  escalate_after_minutes: number | null;
  enabled: boolean;
}

interface AlertRuleStatusTable {
  organization_id: string;
  rule_id: string;
  evaluated_at: Date;
  state: 'inactive' | 'pending' | 'firing' | 'no_data' | 'failed';
  firing: number;
  pending: number;
  value: number | null;
  error: string | null;
}

interface AlertsTable {
  organization_id: string;
  rule_id: string;
  fingerprint: string;
  labels: ColumnType<Readonly<Record<string, string>>, string, string>;
  state: 'pending' | 'firing';
  active_since: Date;
  firing_since: Date | null;
  cleared_since: Date | null;
  held_value: number | null;
  value: number | null;
  requests: Count;
  no_data: boolean;
  suppressed_by: string | null;
  inhibited_by: string | null;
}

interface AlertEndingsTable {
  /** bigint arrives as a string. */
  id: Generated<string>;
  organization_id: string;
  rule_id: string;
  reason: string;
}

interface AlertRuleEvaluationsTable {
  organization_id: string;
  rule_id: string;
  at: Date;
  evaluated_at: Date;
  error: string | null;
  series: number;
  without_data: number;
  pending: number;
  firing: number;
  value: number | null;
  requests: Count;
  alerts: ColumnType<readonly JsonObject[], string, never>;
}

interface AlertClocksTable {
  organization_id: string;
  evaluated_until: Generated<Date>;
  edits: ColumnType<string, number | undefined, number>;
}

interface AlertTrafficSumsTable {
  organization_id: string;
  at: Date;
  sums: ColumnType<JsonValue, string, never>;
}

interface SilencesTable extends Versioned {
  id: string;
  organization_id: string;
  comment: string;
  matchers: ColumnType<readonly Matcher[], string, string>;
  schedule: ColumnType<SilenceSchedule, string, string>;
  created_by: string | null;
  created_by_name: string | null;
}

interface EvaluatorLeaseTable {
  single: Generated<boolean>;
  holder: string;
  expires_at: Date;
}

interface DeploymentTrafficTable extends StatusCounts {
  organization_id: string;
  deployment_id: string;
  minute: Date;
  latency: HistogramColumn;
}

interface RouteTrafficTable extends StatusCounts {
  organization_id: string;
  hour: Date;
  environment_id: string;
  proxy_id: string;
  route_id: string;
}

/** Requests of apps that failed. */
interface RouteFailuresTable extends Pick<StatusCounts, 'status_4xx' | 'status_5xx'> {
  organization_id: string;
  app_id: string;
  hour: Date;
  environment_id: string;
  proxy_id: string;
  /** Empty: no route matched. */
  route_id: string;
  /** Empty: none. */
  product_id: string;
}

interface NodeTrafficTable extends StatusCounts {
  organization_id: string;
  node_id: string;
  hour: Date;
  environment_id: string;
  limited: Count;
  request_bytes: Count;
  response_bytes: Count;
}

/** Sums of traffic. Of routes neither limits nor bytes are counted. */
interface TrafficSums extends StatusCounts {
  organization_id: string;
  environment_id: string;
  limited: ColumnType<string | null, number | string | null, number | string | null>;
  request_bytes: ColumnType<string | null, number | string | null, number | string | null>;
  response_bytes: ColumnType<string | null, number | string | null, number | string | null>;
  /** Of which it is the sum. */
  rows: Count;
  /** Packed histograms of microseconds. */
  gateway_time: Buffer;
  target_time: Buffer;
}

interface TrafficHourSumsTable extends TrafficSums {
  dimension: string;
  key: string;
  hour: Date;
}

interface TrafficDaySumsTable extends TrafficSums {
  dimension: string;
  key: string;
  /** Such as 2026-01-31. */
  day: string;
}

interface TrafficDaysTable extends TrafficSums {
  day: string;
  proxy_id: string;
  app_id: string;
  product_id: string;
  country: string;
}

interface TrafficHeadsTable {
  organization_id: string;
  time_zone: Generated<string>;
  rolled_until: NullableTime;
  hours_from: NullableTime;
  first_day: string | null;
}

interface TrafficMarksTable {
  id: Generated<string>;
  organization_id: string;
  hour: Date;
}

interface AnalyticsViewsTable extends Versioned {
  id: string;
  organization_id: string;
  owner_id: string;
  name: string;
  section: string;
  query: ColumnType<JsonObject, string, string>;
  shared: boolean;
}

interface BillingSettingsTable extends Versioned {
  organization_id: string;
  settings: ColumnType<JsonObject, string | undefined, string>;
  logo: Generated<Buffer | null>;
}

interface BillingPeriodsTable extends Versioned {
  id: string;
  organization_id: string;
  unit: 'week' | 'month' | 'quarter';
  time_zone: string;
  starts_at: Date;
  ends_at: Date;
  state: Generated<'open' | 'closing' | 'closed'>;
  /** While it is closing: developers up to this id have their invoices. */
  billed_through: Generated<string>;
  /** While it is closing: usage before this is summed. */
  summed_until: NullableTime;
  closing_since: NullableTime;
  closed_at: NullableTime;
  closed_by: Generated<string | null>;
  closed_by_name: Generated<string | null>;
  totals: ColumnType<JsonObject | null, string | null | undefined, string | null>;
}

/** Sums of a period's usage while it is being closed; numeric arrives as a string. */
interface UsageSumsTable {
  organization_id: string;
  period_id: string;
  term_id: string;
  proxy_id: string;
  status_class: number;
  in_trial: boolean;
  requests: string;
  request_bytes: string;
  response_bytes: string;
  units: string;
}

/** What a closing found and billed of a term, in calls. */
interface BilledTermsTable {
  organization_id: string;
  period_id: string;
  term_id: string;
  developer_id: string;
  currency: string;
  requests: Count;
  billed: Count;
  not_billable: ColumnType<Readonly<Record<string, number>>, string, string>;
  late_requests: Count;
  amount_minor: Count;
}

/** Tax of one category and rate, as a document states it. */
interface StoredTax {
  readonly category: 'S' | 'Z' | 'E' | 'AE' | 'G' | 'O' | 'K';
  readonly rate: string;
  readonly basisMinor: number;
  readonly taxMinor: number;
}
type TaxesColumn = ColumnType<readonly StoredTax[], string, string>;

interface InvoicesTable extends Versioned {
  id: string;
  organization_id: string;
  period_id: string;
  developer_id: string;
  currency: string;
  state: 'draft' | 'issued' | 'paid' | 'void';
  number: Generated<string | null>;
  number_prefix: Generated<string | null>;
  number_sequence: Generated<number | null>;
  issue_date: Generated<string | null>;
  due_date: Generated<string | null>;
  seller: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  buyer: ColumnType<JsonObject, string, string>;
  tax_category: StoredTax['category'];
  tax_rate: string;
  exemption_reason: Generated<string | null>;
  taxes: TaxesColumn;
  lines_minor: Count;
  tax_minor: Count;
  total_minor: Count;
  paid_minor: Generated<string>;
  credited_minor: Generated<string>;
  sent_at: NullableTime;
  sent_to: Generated<string | null>;
  reminders_sent: Generated<number>;
  reminded_at: NullableTime;
  void_reason: Generated<string | null>;
}

interface InvoiceLinesTable {
  organization_id: string;
  invoice_id: string;
  position: number;
  subscription_id: string;
  term_id: string;
  product_id: string;
  rate_plan_id: string;
  plan_version: number;
  product_name: string;
  plan_name: string;
  app_name: string;
  kind: 'recurring' | 'setup' | 'usage' | 'minimum' | 'maximum' | 'late';
  charge: string | null;
  meter: 'requests' | 'request_bytes' | 'response_bytes' | 'units' | null;
  tier: ColumnType<{ readonly from: string; readonly upTo: string | null } | null, string | null, never>;
  is_flat_fee: boolean;
  quantity: string;
  unit_price: string;
  amount_minor: Count;
  share: ColumnType<
    { readonly unit: 'second' | 'day' | 'none'; readonly part: number; readonly whole: number } | null,
    string | null,
    never
  >;
  starts_at: Date;
  ends_at: Date;
  usage: ColumnType<{ readonly quantity: string; readonly included: string } | null, string | null, never>;
}

interface PaymentsTable {
  id: string;
  organization_id: string;
  invoice_id: string;
  amount_minor: Count;
  paid_on: string;
  reference: Generated<string>;
  created_by: string;
  created_by_name: string;
  created_at: CreatedAt;
}

interface CreditNotesTable extends Versioned {
  id: string;
  organization_id: string;
  invoice_id: string;
  state: 'pending' | 'issued' | 'rejected';
  number: Generated<string | null>;
  number_prefix: Generated<string | null>;
  number_sequence: Generated<number | null>;
  issue_date: Generated<string | null>;
  reason: string;
  taxes: TaxesColumn;
  lines_minor: Count;
  tax_minor: Count;
  total_minor: Count;
  requested_by: string;
  requested_by_name: string;
  author_keys: string[];
  decided_by: Generated<string | null>;
  decided_by_name: Generated<string | null>;
  decided_at: NullableTime;
  decision_reason: Generated<string | null>;
}

interface CreditNoteLinesTable {
  organization_id: string;
  credit_note_id: string;
  position: number;
  amount_minor: Count;
}

interface IntegrationsTable {
  id: string;
  organization_id: string;
  name: string;
  kind: 'email' | 'slack' | 'pagerduty' | 'webhook' | 'opentelemetry' | 'siem';
  settings: ColumnType<JsonObject, string, string>;
  sealed_secret: Buffer | null;
  sealed_previous_secret: Generated<Buffer | null>;
  previous_valid_until: NullableTime;
  enabled: boolean;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: Time;
}

interface IntegrationStatesTable {
  integration_id: string;
  organization_id: string;
  failures: Generated<number>;
  failing_since: NullableTime;
  last_attempt_at: NullableTime;
  last_delivered_at: NullableTime;
  last_error: Generated<string | null>;
  stream_cursor: ColumnType<string | null, string | null | undefined, string | null>;
  streamed_until: NullableTime;
  stream_at: NullableTime;
  stream_claim: Generated<string>;
}

interface IntegrationDeliveriesTable {
  id: string;
  organization_id: string;
  integration_id: string;
  notification_id: string;
  kind: string;
  subject_type: string;
  subject_id: string;
  data: ColumnType<JsonObject, string, never>;
  send_if: string | null;
  state: Generated<'queued' | 'delivered' | 'failed' | 'skipped'>;
  occurred_at: Time;
  due_at: Time;
  run_at: Time;
  lease_until: NullableTime;
  resent_from: Generated<'queued' | 'delivered' | 'failed' | 'skipped' | null>;
  scheduled_attempts: Generated<number>;
  attempt_count: Generated<number>;
  request: ColumnType<JsonObject | null, string | null | undefined, string | null>;
  attempts: ColumnType<readonly JsonObject[], string | undefined, string>;
  delivered_at: NullableTime;
  created_at: CreatedAt;
}

interface TelemetryReportsTable {
  id: Generated<string>;
  organization_id: string;
  integration_id: string;
  environment_id: string;
  reported_at: CreatedAt;
  rows: ColumnType<readonly JsonObject[], string, never>;
}
