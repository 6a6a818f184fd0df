export { type AuditContent, type AuditLink, auditText, brokenLink } from './audit-chain.ts'
export { canonical, humanOnly } from './capabilities.ts'
export {
  decide,
  type Decision,
  heldCapabilities,
  mayPushDefaultBranch,
  type ProjectObject,
} from './decide.ts'
export { decideAccount, decidePerson, decidePlatformAdmin } from './decide-account.ts'
export { type Entitlement, entitlements } from '@svc/facts'
export {
  type Feature,
  type FeatureDecided,
  type FeatureFlag,
  featureFlag,
  features,
  isFeatureOn,
} from './features/features.ts'
export { agentCapabilities, type AgentGrant, holdsExplicitMerge } from './grant.ts'
export { judgeExpiry, type KeyRules, type KeyVerdict, strictest } from './key-rules.ts'
export { commandLineClient, dashboardClient, isOwnApp } from './own-apps.ts'
export type {
  ActingPrincipal,
  GatewayPrincipal,
  OAuthFacts,
  Principal,
  ProjectPrincipal,
  SandboxPrincipal,
  ScimPrincipal,
  ServicePrincipal,
  SessionPrincipal,
  SignInFacts,
  UserPrincipal,
} from './principal.ts'
export { backupMachine, type BackupState } from './backup-machine.ts'
export { answerWith, pinnedLookup } from './pinned-lookup.ts'
export { projectMachine, type ProjectStatus } from './project-machine.ts'
export { isAllowedAddress, isPublicAddress, type PublicRange, publicRanges } from './public-address.ts'
export {
  type AccountRole,
  accountRoles,
  effectiveProjectRole,
  type ProjectRole,
  projectRoles,
  roleCapabilities,
  roleHolds,
} from './roles.ts'
export type { AccessRule } from './rule.ts'
export { formatToken, type TokenPrefix, tokenPrefix, tokenPrefixes } from './tokens.ts'
