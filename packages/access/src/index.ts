export { canonical, type Capability, capabilities, defaultAgentGrant, humanOnly } from './capabilities.ts'
export { decide, type Decision, mayPushDefaultBranch, type ProjectObject } from './decide.ts'
export { agentCapabilities, type AgentGrant, holdsExplicitMerge } from './grant.ts'
export type {
  ActingPrincipal,
  GatewayPrincipal,
  Principal,
  ProjectPrincipal,
  SandboxPrincipal,
  SessionPrincipal,
  UserPrincipal,
} from './principal.ts'
export {
  type AccountRole,
  accountRoles,
  effectiveProjectRole,
  type ProjectRole,
  projectRoles,
  roleHolds,
} from './roles.ts'
export { formatToken, type TokenPrefix, tokenPrefix, tokenPrefixes } from './tokens.ts'
