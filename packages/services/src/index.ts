export { ensureFirstAccount } from './accounts/ensure-first-account.ts'
export { getMe } from './accounts/get-me.ts'
export { updateAccount } from './accounts/update.ts'
export { closeChangeRequest } from './change-requests/close.ts'
export { createChangeRequest } from './change-requests/create.ts'
export { getChangeRequestDiff } from './change-requests/diff.ts'
export { getChangeRequest } from './change-requests/get.ts'
export { listChangeRequests } from './change-requests/list.ts'
export { getMergePreview } from './change-requests/merge-preview.ts'
export { mergeChangeRequest } from './change-requests/merge.ts'
export { reopenChangeRequest } from './change-requests/reopen.ts'
export { requestChanges } from './change-requests/request-changes.ts'
export { runMergeAttempt } from './change-requests/run-merge.ts'
export { updateChangeRequest } from './change-requests/update.ts'
export * from './domains/index.ts'
export type { IdentityBase, IdentityContext, IdentitySettings, SandboxContext } from './context.ts'
export { bootstrap, type BootstrapFile, readBootstrap } from './accounts/bootstrap.ts'
export type { Mail, MailTransport } from './mail/transport.ts'
export { listBranches, listCommits, listFiles, readFile } from './files/read.ts'
export { listMembers, removeMember, updateMember } from './members/account-members.ts'
export {
  acceptInvitation,
  createInvitation,
  listInvitations,
  revokeInvitation,
} from './members/invitations.ts'
export { listProjectMembers, removeProjectMember, setProjectMember } from './members/project-members.ts'
export { createRole, deleteRole, listAssignments, listRoles, updateRole } from './members/roles.ts'
export * from './oauth/index.ts'
export { archiveProject } from './sessions/archive-project.ts'
export { authorizeGit, type GitAccess } from './git-access/authorize-git.ts'
export { connectProject } from './projects/connect.ts'
export { getProject } from './projects/get.ts'
export { listProjects } from './projects/list.ts'
export { maintainRepository } from './projects/maintain.ts'
export { provisionProject } from './projects/provision.ts'
export { updateProject } from './projects/update.ts'
export { authorizeProxy, type ProxyTarget } from './sandboxes/authorize-proxy.ts'
export { buildTemplates } from './sandboxes/build-templates.ts'
export { checkSandbox } from './sandboxes/check.ts'
export { getCloneCredential } from './sandboxes/clone-credential.ts'
export { deliverPrompts } from './sandboxes/deliver-prompts.ts'
export { provisionSandbox } from './sandboxes/provision.ts'
export { renewSecrets } from './sandboxes/renew-secrets.ts'
export { reportTurnPermission, reportTurnQuestion } from './sandboxes/report-ask.ts'
export { reportTurnStream } from './sandboxes/report-turn-stream.ts'
export * from './previews/index.ts'
export { getSessionHistory } from './sandboxes/history.ts'
export { hibernateSandbox } from './sandboxes/hibernate.ts'
export { destroySandbox, stopSandbox } from './sandboxes/stop.ts'
export { stopAllSandboxes } from './sandboxes/stop-all.ts'
export { fillPool } from './sandboxes/warm/fill.ts'
export type { WarmPool } from './sandboxes/warm/pool.ts'
export { drainPool } from './sandboxes/warm/sweep.ts'
export { listSecretAccesses } from './secrets/accesses.ts'
export * from './scim/index.ts'
export { listSecrets } from './secrets/list.ts'
export { deletePersonalSecret, listPersonalSecrets, putPersonalSecret } from './secrets/personal.ts'
export { deleteSecret, putSecret } from './secrets/put.ts'
export { servicePlaces } from './sealed-places.ts'
export { identityPlaces } from './identity-places.ts'
export { type Identity, openIdentity } from './open-identity.ts'
export { closeVerdicts } from './projects/verdicts/ask.ts'
export {
  createServiceAccountKey,
  listServiceAccountKeys,
  revokeServiceAccountKey,
} from './service-accounts/keys.ts'
export {
  createServiceAccount,
  deleteServiceAccount,
  listServiceAccounts,
} from './service-accounts/service-accounts.ts'
export * from './sign-in/index.ts'
export { abortSession } from './sessions/abort.ts'
export { admitWaitingSessions } from './sessions/admit-waiting.ts'
export { answerAsk } from './sessions/answer-ask.ts'
export { createSession } from './sessions/create.ts'
export { deleteSession } from './sessions/delete.ts'
export {
  listSessionEvents,
  openSessionEvents,
  type PresentedEvent,
  type StreamedEvent,
} from './sessions/events.ts'
export { getSession } from './sessions/get.ts'
export { listSessions } from './sessions/list.ts'
export { promptSession } from './sessions/prompt.ts'
export { cancelPrompt, listPrompts } from './sessions/prompts.ts'
export { type PutPrompt, putPrompt, type PutPromptInput } from './sessions/put-prompt.ts'
export { enqueueOwed, type OwedJob } from './sessions/owed-jobs.ts'
export { refreshSession } from './sessions/refresh.ts'
export { restartSession } from './sessions/restart.ts'
export { startSession } from './sessions/start.ts'
export { stopSession } from './sessions/stop.ts'
export { getSessionTranscript, getSessionTranscriptText } from './sessions/transcript.ts'
export { updateSession } from './sessions/update.ts'
export { sweepAbandoned } from './sweeps/abandoned.ts'
export { sweepIdleSandboxes } from './sweeps/idle.ts'
export { sweepOwedSecrets, sweepOwedWork, sweepRunning, sweepUndelivered } from './sweeps/owed-work.ts'
export { getKeyRules, setKeyRules } from './tokens/key-rules.ts'
export {
  createGatewayKey,
  createProjectToken,
  listGatewayKeys,
  listProjectTokens,
  revokeGatewayKey,
  revokeProjectToken,
} from './tokens/project-keys.ts'
export { createToken, listTokens, revokeToken } from './tokens/user-tokens.ts'
export { setTriggerActivation } from './triggers/activation.ts'
export { noteDefaultBranch, refreshCatalogue, refreshDueCatalogues } from './triggers/catalogue.ts'
export { listTriggerDeliveries, redeliverTrigger } from './triggers/deliveries.ts'
export { createTrigger, deleteTrigger, isProposed, updateTrigger } from './triggers/edit.ts'
export { retentionEnv, type RetentionSettings, sweepOldRecords } from './sweeps/retention.ts'
export { triggerEnv } from './triggers/env.ts'
export { fireNextDue } from './triggers/fire-due.ts'
export { fireTrigger } from './triggers/fire-manually.ts'
export { getTrigger, listTriggerFires, listTriggers, previewTrigger } from './triggers/list.ts'
export { replayTriggerFire } from './triggers/replay.ts'
export { type DeliveredHeaders, receiveWebhook, webhookBodyBytes } from './triggers/receive-webhook.ts'
export { type MonitorSettings, monitorSettings } from './triggers/monitors/settings.ts'
export { type MonitorSupervisor, startMonitorSupervisor } from './triggers/monitors/supervisor.ts'
export { runManifestEdit } from './triggers/run-edit.ts'
export { fireNextOwed } from './triggers/run-fire.ts'
export {
  startTriggerScheduler,
  sweepTriggerHistory,
  type TriggerScheduler,
  type TriggerSchedulerOptions,
} from './triggers/scheduler.ts'
