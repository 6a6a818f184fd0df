export { bootstrap, type BootstrapFile, readBootstrap } from './accounts/bootstrap.ts'
export { ensureFirstAccount } from './accounts/ensure-first-account.ts'
export { getMe } from './accounts/get-me.ts'
export { updateMe } from './accounts/update-me.ts'
export { setBranding } from './accounts/branding.ts'
export { updateAccount } from './accounts/update.ts'
export type { IdentityBase, IdentityContext, IdentitySettings } from './context.ts'
export * from './domains/index.ts'
export type { Mail, MailTransport } from '@svc/mail'
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
export { type Identity, openIdentity } from './open.ts'
export * from './scim/index.ts'
export { identityPlaces } from './sealed-places.ts'
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
export { getKeyRules, setKeyRules } from './tokens/key-rules.ts'
export { createGatewayKey } from './gateway-keys/create.ts'
export { listGatewayKeys } from './gateway-keys/list.ts'
export { revokeGatewayKey } from './gateway-keys/revoke.ts'
export { rotateGatewayKey } from './gateway-keys/rotate.ts'
export { updateGatewayKey } from './gateway-keys/update.ts'
export { createProjectToken, listProjectTokens, revokeProjectToken } from './tokens/project-keys.ts'
export { createToken, listTokens, revokeToken } from './tokens/user-tokens.ts'
