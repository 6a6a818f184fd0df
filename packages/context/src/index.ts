export { authenticate, authenticateStored } from './access/authenticate.ts'
export { authenticateBrowser, browserLives } from './access/browser-principal.ts'
export { type StoredCredential, storedCredential, tokenHash, unauthorized } from './access/credential.ts'
export {
  type Maintenance,
  noMaintenance,
  requireStartsOpen,
  requireWritesOpen,
  startsAreOpen,
} from './maintenance/maintenance.ts'
export { type MaintenanceWatch, watchMaintenance } from './maintenance/watch-maintenance.ts'
export { mintToken, newSecret, newToken } from './access/mint.ts'
export { fullScope } from './access/oauth-principal.ts'
export { revoked } from './access/refused-credential.ts'
export {
  type AccessibleProject,
  actingUser,
  denied,
  forbidden,
  mayAlso,
  requireAccount,
  requireActor,
  requireEntitlement,
  requireProject,
  requireSessionProject,
  requireSignInRules,
  requireUser,
} from './access/require.ts'
export { isPlatformAdmin, requirePlatformAdmin } from './access/require-platform-admin.ts'
export { missedRule } from './access/sign-in-rules.ts'
export { pageUrl } from './page-url.ts'
export { requireActive, requireActiveAccount, suspended } from './access/suspension.ts'
export { touchToken } from './access/token-principal.ts'
export { askerOf, askerFor } from './audit/asker.ts'
export { recordDenial, recordingRefusal, recordRefusal } from './audit/denial.ts'
export { isFirstInAMinute } from './audit/once-a-minute.ts'
export { exportAudit, listAudit, presentEvent } from './audit/read.ts'
export { recordAudit, type AuditEntry, audited, recordAuditFor } from './audit/record.ts'
export { type AuditTrail, newTrail } from './audit/trail.ts'
export { type OperatorEntry, recordOperatorAudit, recordPlatformAudit } from './audit/record-operator.ts'
export { type AuditVerdict, verifyAudit, walkAudit } from './audit/verify.ts'
export { walkPlatformAudit } from './audit/verify-platform.ts'
export type {
  BaseContext,
  Context,
  InboxApproval,
  JobContext,
  OfferedModel,
  BoundConnector,
  ConnectorsVerdict,
  SessionConnections,
  SessionModels,
  SessionOfConnectors,
  SessionOfModel,
  Settings,
} from './context.ts'
export { listFeatures, setFeatures } from './features/features.ts'
export { hasFeature, requireFeature } from './features/require-feature.ts'
export { requireGateway } from './features/require-gateway.ts'
export { decodeCursor, encodeCursor } from './paging/cursor.ts'
export { etagOf, matchesEtag } from './paging/etag.ts'
export { isAtOrBelow, type PreviewPlace, previewPlace } from './previews/place.ts'
export { turnTrace, type TurnTrace } from './traces/turn-trace.ts'
export type { SealedPlace } from './sealed-place.ts'
