export { listOAuthApps, revokeOAuthApp } from './apps.ts'
export { noteApproval } from './approve.ts'
export { oauthStore, type OAuthStore } from './artefacts.ts'
export {
  commandLineClient,
  commandLineName,
  dashboardClient,
  dashboardName,
  findOAuthClient,
  registerOAuthClient,
} from './clients.ts'
export type { OAuthContext } from './context.ts'
export { loadOAuthKeys } from './keys.ts'
export { findOAuthPerson, personOfPassword, personOfSso, personOfToken, type ProvedPerson } from './people.ts'
export { revokeOAuthToken } from './revoke.ts'
export { oauthLifetimes, oauthScopes } from './scopes.ts'
export { getUserinfo } from './userinfo.ts'
