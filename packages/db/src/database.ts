import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { AccountDomainTable } from './accounts/account-domains.table.ts'
import type { AccountRoleTable } from './accounts/account-roles.table.ts'
import type { AccountSsoTable } from './accounts/account-sso.table.ts'
import type { AccountMemberTable, AccountTable, PlanTable, UserTable } from './accounts/accounts.table.ts'
import type { AppTables } from './apps/apps.table.ts'
import type { PlatformAuditEventTable, PlatformAuditHeadTable } from './audit/platform-audit.table.ts'
import type { AuditAnchorTable, AuditEventTable, AuditHeadTable } from './audit/audit.table.ts'
import type { ChangeRequestAuthorTable, SessionPushTable } from './change-requests/authorship.ts'
import type { ChangeRequestTable } from './change-requests/change-requests.table.ts'
import type { AccountFeatureTable, PlatformFeatureTable, ProjectFeatureTable } from './projects/features.ts'
import type { ViewedFileTable } from './change-requests/viewed-files.ts'
import type { BackupTable } from './backups/backups.table.ts'
import type {
  BreakerTable,
  GatewayPriceTable,
  GatewaySettingsTable,
  ProviderKeyTable,
  ProviderListTable,
  ProviderTable,
} from './gateway/gateway.table.ts'
import type {
  ApprovalTable,
  AuthorizationTable,
  CallTable as ConnectorCallTable,
  ComputerTable,
  ConnectionTable,
  ConnectorActionTable,
  ConnectorOAuthClientTable,
  ConnectorTable,
  TriggerBindingTable,
} from './connectors/connectors.table.ts'
import type {
  EventAttemptTable,
  EventDeliveryTable,
  PlatformEventHeadTable,
  PlatformEventTable,
  SubscriptionSecretTable,
  SubscriptionTable,
} from './events/events.table.ts'
import type { HarnessTables } from './harnesses/harnesses.table.ts'
import type { InvitationTable } from './accounts/invitations.table.ts'
import type { ManifestEditTable } from './triggers/manifest-edits.table.ts'
import type { MergeAttemptTable, MergeIntentTable } from './change-requests/merges.table.ts'
import type { MonitorHostTable, ProjectMonitorTable } from './triggers/monitors.table.ts'
import type { OAuthArtefactTable, OAuthClientTable, OAuthKeyTable } from './oauth/oauth.table.ts'
import type { AttemptCountTable } from './kit/attempts.table.ts'
import { metered, type PoolMeter } from './kit/pool-meter.ts'
import { NamingClient } from './kit/prepared.ts'
import type { CheckPartTable, CheckRunTable } from './operator/check-runs.table.ts'
import type { JobFailureTable } from './operator/job-failures.table.ts'
import type { InboxMarkTable } from './inbox/inbox-marks.table.ts'
import type { ChannelTables } from './channels/channels.table.ts'
import type { NotificationTables } from './notifications/notifications.table.ts'
import type { MachineTable } from './processes/machines.table.ts'
import type { ProcessTable } from './processes/processes.table.ts'
import type { PreviewTable } from './previews/previews.table.ts'
import type { ProjectMemberTable, ProjectTable, ProvisionKeyTable } from './projects/projects.table.ts'
import type { MaintenanceTable } from './maintenance/maintenance.table.ts'
import type { RepositoryTable } from './repositories/repositories.table.ts'
import type { ReviewItemTable } from './reviews/review-items.table.ts'
import type { SandboxTable } from './sandboxes/sandboxes.table.ts'
import type {
  PersonalSecretTable,
  ProjectSecretTable,
  ProjectSecretWriteTable,
  SecretAccessTable,
} from './secrets/secrets.table.ts'
import type { SchemaBackfillTable, SchemaMigrationTable, SchemaStateTable } from './schema/schema.table.ts'
import type {
  ScimGroupMemberTable,
  ScimGroupProjectTable,
  ScimGroupTable,
  ScimUserTable,
} from './scim/scim.table.ts'
import type { ServiceAccountTable } from './accounts/service-accounts.table.ts'
import type { SessionBranchTable } from './sessions/session-branches.table.ts'
import type { SessionClaimTable } from './sessions/session-claims.table.ts'
import type { SessionCreateTable } from './sessions/session-creates.table.ts'
import type {
  EventArchiveDraftTable,
  EventArchiveTable,
  ArchiveObjectTable,
} from './archives/event-archives.table.ts'
import type { EventPartitionTable } from './sessions/event-partitions.table.ts'
import type { SessionAskTable } from './sessions/session-asks.table.ts'
import type { SessionEventTable } from './sessions/session-events.table.ts'
import type { SessionPromptTable } from './sessions/session-prompts.table.ts'
import type { SessionIdempotencyKeyTable, SessionTable } from './sessions/sessions.table.ts'
import type { BrowserSessionTable } from './sign-in/browser-sessions.table.ts'
import type { SignInCodeTable, SignInTable, SignInTokenTable } from './sign-in/sign-ins.table.ts'
import type { TokenTable } from './sign-in/tokens.table.ts'
import type {
  ProjectTriggerTable,
  TriggerCatalogueTable,
  TriggerDeliveryKeyTable,
  TriggerDeliveryTable,
  TriggerFireTable,
  TriggerSessionTable,
} from './triggers/triggers.table.ts'
import type {
  UserCredentialTable,
  UserIdentityTable,
  UserRecoveryCodeTable,
  UserTotpTable,
} from './sign-in/user-credentials.table.ts'
import type { BudgetAlertTable, BudgetTable, BudgetWindowTable, HoldTable } from './spend/budgets.table.ts'
import type {
  CallBodyTable,
  CallTable,
  KeyLimitTable,
  PriceCardTable,
  SpendDayTable,
} from './spend/calls.table.ts'
import type { CreditAccountTable, CreditLedgerTable } from './spend/credit.table.ts'
import type {
  BillingCustomerTable,
  BillingEventTable,
  BillingSubscriptionTable,
} from './spend/payments.table.ts'
import type { WarmSandboxTable } from './sandboxes/warm-sandboxes.table.ts'

export interface Database extends AppTables, ChannelTables, HarnessTables, NotificationTables {
  schema_state: SchemaStateTable
  schema_migrations: SchemaMigrationTable
  schema_backfills: SchemaBackfillTable
  processes: ProcessTable
  machines: MachineTable
  check_parts: CheckPartTable
  check_runs: CheckRunTable
  job_failures: JobFailureTable
  backups: BackupTable
  accounts: AccountTable
  users: UserTable
  account_members: AccountMemberTable
  plans: PlanTable
  gateway_providers: ProviderTable
  gateway_provider_keys: ProviderKeyTable
  gateway_provider_lists: ProviderListTable
  gateway_breakers: BreakerTable
  gateway_settings: GatewaySettingsTable
  gateway_prices: GatewayPriceTable
  gateway_price_cards: PriceCardTable
  gateway_calls: CallTable
  gateway_call_bodies: CallBodyTable
  gateway_spend_days: SpendDayTable
  gateway_key_limits: KeyLimitTable
  platform_events: PlatformEventTable
  platform_event_heads: PlatformEventHeadTable
  event_subscriptions: SubscriptionTable
  event_subscription_secrets: SubscriptionSecretTable
  event_deliveries: EventDeliveryTable
  event_attempts: EventAttemptTable
  gateway_budgets: BudgetTable
  gateway_budget_windows: BudgetWindowTable
  gateway_holds: HoldTable
  gateway_budget_alerts: BudgetAlertTable
  credit_accounts: CreditAccountTable
  credit_ledger: CreditLedgerTable
  billing_events: BillingEventTable
  billing_customers: BillingCustomerTable
  billing_subscriptions: BillingSubscriptionTable
  account_roles: AccountRoleTable
  account_domains: AccountDomainTable
  account_sso: AccountSsoTable
  account_invitations: InvitationTable
  service_accounts: ServiceAccountTable
  scim_users: ScimUserTable
  scim_groups: ScimGroupTable
  scim_group_members: ScimGroupMemberTable
  scim_group_projects: ScimGroupProjectTable
  project_features: ProjectFeatureTable
  account_features: AccountFeatureTable
  platform_features: PlatformFeatureTable
  audit_anchors: AuditAnchorTable
  audit_heads: AuditHeadTable
  audit_events: AuditEventTable
  platform_audit_head: PlatformAuditHeadTable
  platform_audit_events: PlatformAuditEventTable
  projects: ProjectTable
  repositories: RepositoryTable
  maintenance: MaintenanceTable
  project_members: ProjectMemberTable
  provision_keys: ProvisionKeyTable
  personal_secrets: PersonalSecretTable
  project_secrets: ProjectSecretTable
  secret_accesses: SecretAccessTable
  project_secret_writes: ProjectSecretWriteTable
  project_sessions: SessionTable
  session_idempotency_keys: SessionIdempotencyKeyTable
  session_sandboxes: SandboxTable
  session_prompts: SessionPromptTable
  session_events: SessionEventTable
  session_asks: SessionAskTable
  event_partitions: EventPartitionTable
  archive_objects: ArchiveObjectTable
  event_archives: EventArchiveTable
  event_archive_drafts: EventArchiveDraftTable
  session_claims: SessionClaimTable
  session_creates: SessionCreateTable
  session_pushes: SessionPushTable
  session_branches: SessionBranchTable
  session_previews: PreviewTable
  tokens: TokenTable
  user_credentials: UserCredentialTable
  user_totp: UserTotpTable
  user_identities: UserIdentityTable
  user_recovery_codes: UserRecoveryCodeTable
  sign_ins: SignInTable
  sign_in_tokens: SignInTokenTable
  sign_in_codes: SignInCodeTable
  browser_sessions: BrowserSessionTable
  change_requests: ChangeRequestTable
  cr_viewed_files: ViewedFileTable
  inbox_marks: InboxMarkTable
  review_items: ReviewItemTable
  change_request_authors: ChangeRequestAuthorTable
  merge_attempts: MergeAttemptTable
  merge_intents: MergeIntentTable
  manifest_edits: ManifestEditTable
  trigger_catalogues: TriggerCatalogueTable
  project_triggers: ProjectTriggerTable
  trigger_deliveries: TriggerDeliveryTable
  trigger_delivery_keys: TriggerDeliveryKeyTable
  trigger_fires: TriggerFireTable
  trigger_sessions: TriggerSessionTable
  monitor_hosts: MonitorHostTable
  project_monitors: ProjectMonitorTable
  oauth_keys: OAuthKeyTable
  oauth_clients: OAuthClientTable
  oauth_artefacts: OAuthArtefactTable
  warm_sandboxes: WarmSandboxTable
  project_connectors: ConnectorTable
  connector_actions: ConnectorActionTable
  connector_connections: ConnectionTable
  connector_authorizations: AuthorizationTable
  connector_oauth_clients: ConnectorOAuthClientTable
  connector_computers: ComputerTable
  connector_calls: ConnectorCallTable
  connector_approvals: ApprovalTable
  trigger_bindings: TriggerBindingTable
  attempt_counts: AttemptCountTable
}

/** A connection or an open transaction: queries do not care which. */
export type Db = Kysely<Database>

const int8 = 20

/** Counters stay far below 2^53, so bigint columns are plain numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

export interface DatabaseOptions {
  readonly max?: number
  readonly meter?: PoolMeter
  /** Name of the process in the lists of the server; an address that brings one of its own keeps it. */
  readonly application_name?: string | undefined
  /** False where the next statement may reach another connection of the server. */
  readonly prepared?: boolean
}

export function createDatabase(
  connection_string: string,
  { max = 20, meter, application_name, prepared = true }: DatabaseOptions = {},
): Db {
  const pool = new pg.Pool({
    Client: prepared ? NamingClient : pg.Client,
    connectionString: connection_string,
    max,
    ...(application_name !== undefined && { application_name }),
    types,
    connectionTimeoutMillis: 10_000,
  })
  // An idle connection that the server closes is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {})
  // The same for a connection that is lost while a caller has it: the caller's next query fails, and says so.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // A fatal error is the server's last word; the socket closes a moment later, and no caller gets the client in between.
    client.connection.on('errorMessage', ({ severity }: pg.DatabaseError) => {
      if (severity === 'FATAL') void client.end()
    })
  })
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: metered(pool, meter) }) })
}
