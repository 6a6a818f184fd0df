export * as accountDomains from './account-domains.ts'
export type { AccountDomainRow } from './account-domains.table.ts'
export * as accountRoles from './account-roles.ts'
export type { AccountRoleRow } from './account-roles.table.ts'
export * as accountRooms from './account-rooms.ts'
export * as accountSso from './account-sso.ts'
export type { AccountSsoRow } from './account-sso.table.ts'
export * as accounts from './accounts.ts'
export { type AccountRow, type Tier, tiers, type UserRow } from './accounts.table.ts'
export * as audit from './audit.ts'
export {
  type AuditActorType,
  type AuditAsker,
  type AuditEventRow,
  type AuditOutcome,
  auditOutcomes,
} from './audit.table.ts'
export { boundWaits } from './bound-waits.ts'
export * as authorship from './authorship.ts'
export * as changeRequests from './change-requests.ts'
export type { ChangeRequestRow, RequestedChange } from './change-requests.table.ts'
export { createDatabase, type Database, type Db } from './database.ts'
export * as features from './features.ts'
export * as invitations from './invitations.ts'
export type { InvitationRow } from './invitations.table.ts'
export { jsonb } from './jsonb.ts'
export { withLock } from './locks.ts'
export * as manifestEdits from './manifest-edits.ts'
export type { ManifestEditOutcome, ManifestEditRow } from './manifest-edits.table.ts'
export * as members from './members.ts'
export * as merges from './merges.ts'
export type { MergeAttemptRow, MergeIntentRow, MergeOutcome } from './merges.table.ts'
export { migrate } from './migrate.ts'
export * as monitorHosts from './monitor-hosts.ts'
export { StaleHost } from './monitor-hosts.ts'
export * as monitors from './monitors.ts'
export type { MonitorHostRow, ProjectMonitorRow } from './monitors.table.ts'
export {
  type NotificationChannel,
  notificationBytes,
  type NotificationPayloads,
  Notifications,
  notify,
} from './notifications.ts'
export * as oauth from './oauth.ts'
export * as oauthApps from './oauth-apps.ts'
export { type OAuthArtefactRow, type OAuthModel, oauthModels } from './oauth.table.ts'
export * as projectMembers from './project-members.ts'
export * as attempts from './attempts.ts'
export { gathered } from './gathered.ts'
export * as projects from './projects.ts'
export type { ProjectRow } from './projects.table.ts'
export * as sandboxes from './sandboxes.ts'
export type { SandboxRow } from './sandboxes.table.ts'
export * as sealedKeys from './sealed-keys.ts'
export * as scimGroups from './scim-groups.ts'
export * as scimRoles from './scim-roles.ts'
export * as scimUsers from './scim-users.ts'
export type { ParkedRoles, ScimGroupRow } from './scim.table.ts'
export * as personalSecrets from './personal-secrets.ts'
export * as plans from './plans.ts'
export * as secretAccesses from './secret-accesses.ts'
export * as secrets from './secrets.ts'
export type { PersonalSecretRow, ProjectSecretRow, SecretAccessRow } from './secrets.table.ts'
export * as serviceAccounts from './service-accounts.ts'
export { type Claim, StaleClaim, withClaim } from './session-claims.ts'
export * as sessionCreates from './session-creates.ts'
export type { SessionCreateRow, WaitingSession } from './session-creates.table.ts'
export * as sessionEvents from './session-events.ts'
export type { SessionEventRow } from './session-events.table.ts'
export * as sessionPrompts from './session-prompts.ts'
export type { SessionPromptRow } from './session-prompts.table.ts'
export * as sessionWork from './session-work.ts'
export * as newSandboxes from './new-sandboxes.ts'
export type { SandboxMaterial } from './new-sandboxes.ts'
export * as newSessions from './new-sessions.ts'
export * as sessions from './sessions.ts'
export type { RequestedSession, SessionRow } from './sessions.table.ts'
export * as signInCodes from './sign-in-codes.ts'
export * as signIns from './sign-ins.ts'
export type { SignInCodePurpose, SignInCodeRow, SignInEndReason, SignInMethod } from './sign-ins.table.ts'
export * as tokens from './tokens.ts'
export type { TokenRow } from './tokens.table.ts'
export * as triggerCatalogues from './trigger-catalogues.ts'
export * as triggerDeliveries from './trigger-deliveries.ts'
export * as triggerFires from './trigger-fires.ts'
export * as triggerSessions from './trigger-sessions.ts'
export * as triggers from './triggers.ts'
export {
  type DeliveryVerdict,
  deliveryVerdicts,
  type ProjectTriggerRow,
  type TriggerAgent,
  type TriggerCatalogueRow,
  type TriggerDeliveryRow,
  type TriggerFireRow,
} from './triggers.table.ts'
export * as userCredentials from './user-credentials.ts'
export * as warmSandboxes from './warm-sandboxes.ts'
export type { ReadyWarmSandbox, WarmSandboxRow } from './warm-sandboxes.table.ts'
