export * as accountDomains from './accounts/account-domains.ts'
export type { AccountDomainRow } from './accounts/account-domains.table.ts'
export * as accountRoles from './accounts/account-roles.ts'
export type { AccountRoleRow } from './accounts/account-roles.table.ts'
export * as sessionCapacity from './sessions/session-capacity.ts'
export * as accountSso from './accounts/account-sso.ts'
export type { AccountSsoRow } from './accounts/account-sso.table.ts'
export * as accounts from './accounts/accounts.ts'
export type { AccountRow, Suspension, UserRow } from './accounts/accounts.table.ts'
export * from './apps/index.ts'
export * as audit from './audit/audit.ts'
export * as platformAdmins from './accounts/platform-admins.ts'
export * as platformAudit from './audit/platform-audit.ts'
export type { PlatformAuditEventRow } from './audit/platform-audit.table.ts'
export {
  type AuditActorType,
  type AuditAsker,
  type AuditEventRow,
  type AuditOutcome,
  auditOutcomes,
} from './audit/audit.table.ts'
export * as authentications from './sign-in/authentications.ts'
export * as backups from './backups/backups.ts'
export type { BackupRow } from './backups/backups.table.ts'
export type { ManagedProject } from './backups/snapshot.ts'
export { againIfPassing, isLocked, setLockTimeouts } from './kit/lock-timeouts.ts'
export * as authorship from './change-requests/authorship.ts'
export * as changeRequests from './change-requests/change-requests.ts'
export type { ChangeRequestRow, RequestedChange } from './change-requests/change-requests.table.ts'
export type { ChangeRequestChanges } from './change-requests/change-request-changes.ts'
export type { PoolMeter } from './kit/pool-meter.ts'
export { createDatabase, type Database, type Db } from './database.ts'
export { isDatabaseAway, isUnstorableText } from './kit/database-away.ts'
export * as connectorAuthorizations from './connectors/authorizations.ts'
export * as connectorComputers from './connectors/computers.ts'
export * as connections from './connectors/connections.ts'
export * as connectorActions from './connectors/connector-actions.ts'
export * as connectorApprovals from './connectors/connector-approvals.ts'
export * as callAttempts from './connectors/call-attempts.ts'
export * as callReads from './connectors/call-reads.ts'
export * as connectorCalls from './connectors/connector-calls.ts'
export * as connectorOAuthClients from './connectors/oauth-clients.ts'
export * as connectors from './connectors/connectors.ts'
export type {
  ApprovalRow,
  AuthorizationRow,
  CallActor,
  CallDoor,
  CallRule,
  ComputerRow,
  ConnectionRow,
  ConnectorActionRow,
  ConnectorCallRow,
  ConnectorRow,
} from './connectors/connectors.table.ts'
export * as features from './projects/features.ts'
export * as gatewayAccess from './gateway/access.ts'
export * as gatewayBreakers from './gateway/breakers.ts'
export * as gatewayOffers from './gateway/offers.ts'
export * as gatewayPrices from './gateway/prices.ts'
export * as gatewayProviderLists from './gateway/provider-lists.ts'
export * as gatewayProviders from './gateway/providers.ts'
export * as gatewaySettings from './gateway/settings.ts'
export { type GatewayPlace, placeColumns } from './gateway/place.ts'
export type {
  GatewayPriceRow,
  GatewaySettingsRow,
  ProviderDeadlines,
  ProviderKeyRow,
  ProviderKind,
  ProviderModel,
  ProviderRow,
} from './gateway/gateway.table.ts'
export * as harnessEvictions from './harnesses/evictions.ts'
export * as harnessFacts from './harnesses/harness-facts.ts'
export * as harnessInstalls from './harnesses/installs.ts'
export type { InstallKey } from './harnesses/installs.ts'
export * as harnessLicences from './harnesses/licences.ts'
export * as sessionRuntimes from './harnesses/session-runtimes.ts'
export type { RuntimeInfo } from './harnesses/session-runtimes.ts'
export type { HarnessInstallRow, HarnessLicenceRow, SessionRuntimeRow } from './harnesses/harnesses.table.ts'
export * as invitations from './accounts/invitations.ts'
export type { InvitationRow } from './accounts/invitations.table.ts'
export { jsonb } from './kit/jsonb.ts'
export { keepsSession } from './kit/keeps-session.ts'
export { HeldLocks } from './kit/held-locks.ts'
export { withLock, withTriedLock } from './kit/locks.ts'
export * as manifestEdits from './triggers/manifest-edits.ts'
export type { ManifestEditEnd, ManifestEditRow } from './triggers/manifest-edits.table.ts'
export * as members from './accounts/members.ts'
export * as measures from './measures/measures.ts'
export * as merges from './change-requests/merges.ts'
export type {
  MergeAttemptRow,
  MergeEnd,
  MergeIntentRow,
  MoveRefusal,
  RefusedOutcome,
} from './change-requests/merges.table.ts'
export { admitBuild, type Admission } from './schema/admit-build.ts'
export { makeRoles, renewGrants } from './schema/make-roles.ts'
export { migrate, SchemaRefusal } from './schema/migrate.ts'
export { type BuildLevels, levelsOf } from './schema/migration.ts'
export { migrations } from './schema/migrations.ts'
export { readLevels, readSchema, type SchemaStatus } from './schema/read-schema.ts'
export * as allAccounts from './operator/all-accounts.ts'
export * as allSessions from './operator/all-sessions.ts'
export * as checkedRows from './operator/checked-rows.ts'
export * as checkRuns from './operator/check-runs.ts'
export type { CheckPartRow, CheckRunRow } from './operator/check-runs.table.ts'
export * as jobFailures from './operator/job-failures.ts'
export * as liveSandboxes from './operator/live-sandboxes.ts'
export * as sequences from './operator/sequences.ts'
export * as owedWork from './operator/owed-work.ts'
export * as machines from './processes/machines.ts'
export type { HeldHarnesses } from './processes/machines.table.ts'
export { type Role, roles } from './roles.ts'
export * as processes from './processes/processes.ts'
export type { ProcessRow } from './processes/processes.table.ts'
export * as maintenance from './maintenance/maintenance.ts'
export type { MaintenanceRow } from './maintenance/maintenance.table.ts'
export * as repositories from './repositories/repositories.ts'
export * as monitorHosts from './triggers/monitor-hosts.ts'
export { StaleHost } from './triggers/monitor-hosts.ts'
export * as monitors from './triggers/monitors.ts'
export type { MonitorHostRow, ProjectMonitorRow } from './triggers/monitors.table.ts'
export {
  type ListenChannel,
  maxNotifyBytes,
  type ListenPayloads,
  DatabaseListener,
  notify,
  notifyAll,
} from './kit/listen.ts'
export { notifyLater } from './kit/notify-later.ts'
export * as oauth from './oauth/oauth.ts'
export * as oauthApps from './oauth/oauth-apps.ts'
export { type OAuthArtefactRow, type OAuthModel, oauthModels } from './oauth/oauth.table.ts'
export * as projectMembers from './projects/project-members.ts'
export * as attempts from './kit/attempts.ts'
export { batched } from './kit/batched.ts'
export { preparedMark } from './kit/prepared.ts'
export * as previews from './previews/previews.ts'
export * as projects from './projects/projects.ts'
export * as provisionKeys from './projects/provision-keys.ts'
export type { ProjectRow } from './projects/projects.table.ts'
export * as reviewItems from './reviews/review-items.ts'
export type { ReviewFile, ReviewItemRow, ReviewOption } from './reviews/review-items.table.ts'
export * as runningSandboxes from './sandboxes/running-sandboxes.ts'
export * as sandboxes from './sandboxes/sandboxes.ts'
export type { SandboxRow } from './sandboxes/sandboxes.table.ts'
export * as sealedKeys from './secrets/sealed-keys.ts'
export * as scimGroups from './scim/scim-groups.ts'
export * as scimRoles from './scim/scim-roles.ts'
export * as scimUsers from './scim/scim-users.ts'
export type { ParkedRoles, ScimGroupRow } from './scim/scim.table.ts'
export * as personalSecrets from './secrets/personal-secrets.ts'
export * as calls from './spend/calls.ts'
export type {
  CallAdmission,
  AskedCall,
  Beat,
  BudgetExceeded,
  CrossedThreshold,
  Granted,
  Refused,
  Settled,
  Settlement,
} from './spend/calls.ts'
export {
  type CallAttempt,
  type CallDialect,
  callDialects,
  type CallRow,
  type ProviderScope,
  providerScopes,
} from './spend/calls.table.ts'
export * as gatewayKeys from './spend/gateway-keys.ts'
export type { KeyLimits } from './spend/gateway-keys.ts'
export * as modelUsage from './spend/usage.ts'
export { type ModelUsage, noModelUsage } from './spend/usage.ts'
export * as callBodies from './spend/call-bodies.ts'
export * as priceCards from './spend/price-cards.ts'
export * as plans from './accounts/plans.ts'
export type { PlanRow } from './accounts/plans.ts'
export * as secretAccesses from './secrets/secret-accesses.ts'
export * as secrets from './secrets/secrets.ts'
export type { PersonalSecretRow, ProjectSecretRow, SecretAccessRow } from './secrets/secrets.table.ts'
export * as serviceAccounts from './accounts/service-accounts.ts'
export { type Claim, StaleClaim, withClaim } from './sessions/session-claims.ts'
export * as sessionBranches from './sessions/session-branches.ts'
export type { SessionBranchRow } from './sessions/session-branches.table.ts'
export * as sessionCreates from './sessions/session-creates.ts'
export type { SessionCreateRow, WaitingSession } from './sessions/session-creates.table.ts'
export * as eventArchives from './archives/event-archives.ts'
export type { ArchivedPiece } from './archives/event-archives.ts'
export type { OpenEvent } from './archives/event-archives.table.ts'
export * as archiveObjects from './archives/archive-objects.ts'
export * as eventRemoval from './archives/event-removal.ts'
export * as eventSealing from './archives/event-sealing.ts'
export * as eventPartitions from './sessions/event-partitions.ts'
export * as inboxMarks from './inbox/inbox-marks.ts'
export * as inboxItems from './inbox/inbox-items.ts'
export * as notificationAudience from './notifications/audience.ts'
export type { AudiencePlace } from './notifications/audience.ts'
export * as notificationDigests from './notifications/digests.ts'
export * as notificationSettings from './notifications/settings.ts'
export * as notificationSubjects from './notifications/subjects.ts'
export * as notifications from './notifications/notifications.ts'
export type { ReadWish } from './notifications/notifications.ts'
export * as pushSubscriptions from './notifications/push-subscriptions.ts'
export type {
  NotificationDigestRow,
  NotificationKeyRow,
  NotificationRow,
  PushSubscriptionRow,
} from './notifications/notifications.table.ts'
export * as sessionAsks from './sessions/session-asks.ts'
export * as sessionSummaries from './sessions/session-summaries.ts'
export * as viewedFiles from './change-requests/viewed-files.ts'
export * as sessionEvents from './sessions/session-events.ts'
export type { SessionEventRow } from './sessions/session-events.table.ts'
export * as sessionPrompts from './sessions/session-prompts.ts'
export type { SessionPromptRow } from './sessions/session-prompts.table.ts'
export * as deletedSessions from './sessions/deleted-sessions.ts'
export * as sessionWork from './sessions/session-work.ts'
export * as newSandboxes from './sandboxes/new-sandboxes.ts'
export type { SandboxMaterial } from './sandboxes/new-sandboxes.ts'
export * as newSessions from './sessions/new-sessions.ts'
export * as sessions from './sessions/sessions.ts'
export type { RequestedSession, SessionRow } from './sessions/sessions.table.ts'
export * as browserSessions from './sign-in/browser-sessions.ts'
export type { BrowserSessionRow, BrowserSource } from './sign-in/browser-sessions.table.ts'
export * as signInCodes from './sign-in/sign-in-codes.ts'
export * as signIns from './sign-in/sign-ins.ts'
export type {
  SignInCodePurpose,
  SignInCodeRow,
  SignInEndReason,
  SignInMethod,
} from './sign-in/sign-ins.table.ts'
export * as tokens from './sign-in/tokens.ts'
export type { TokenRow } from './sign-in/tokens.table.ts'
export * as triggerCatalogues from './triggers/trigger-catalogues.ts'
export * as triggerDeliveries from './triggers/trigger-deliveries.ts'
export * as triggerFires from './triggers/trigger-fires.ts'
export * as triggerBindings from './triggers/trigger-bindings.ts'
export * as triggerSessions from './triggers/trigger-sessions.ts'
export * as triggers from './triggers/triggers.ts'
export type { SandboxChanges } from './sandboxes/sandbox-changes.ts'
export type { SessionChanges } from './sessions/session-changes.ts'
export {
  type CatalogueManifest,
  type ProjectTriggerRow,
  type TriggerAgent,
  type TriggerCatalogueRow,
  type TriggerDeliveryRow,
  type TriggerFireRow,
} from './triggers/triggers.table.ts'
export * as userCredentials from './sign-in/user-credentials.ts'
export * as evictions from './sandboxes/evictions.ts'
export * as warmSandboxes from './sandboxes/warm-sandboxes.ts'
export type { ReadyWarmSandbox, WarmSandboxRow } from './sandboxes/warm-sandboxes.table.ts'
export * as budgetAlerts from './spend/alerts.ts'
export * as spendDays from './spend/spend-days.ts'
export * as budgets from './spend/budgets.ts'
export type { BudgetRow } from './spend/budgets.table.ts'
export * as callLog from './spend/call-log.ts'
export * as credit from './spend/credit.ts'
export type { CreditAccountRow, CreditLedgerRow } from './spend/credit.table.ts'
export * as eventDeliveries from './events/event-deliveries.ts'
export type { ClaimedDelivery, DeliveryEnd, ListedDelivery, NewDelivery } from './events/event-deliveries.ts'
export * as eventReplays from './events/event-replays.ts'
export type { Replayable } from './events/event-replays.ts'
export * as eventSubscriptions from './events/event-subscriptions.ts'
export * as platformEvents from './events/platform-events.ts'
export type {
  EventAttemptRow,
  EventDeliveryRow,
  PlatformEventRow,
  SubscriptionRow,
} from './events/events.table.ts'
export * as payments from './spend/payments.ts'
export * as spend from './spend/spend.ts'
