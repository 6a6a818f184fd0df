import type { AccessRule } from '@svc/access'
import { accessRule } from './access.ts'
import * as accounts from './accounts.ts'
import * as accountSso from './account-sso.ts'
import * as audit from './audit.ts'
import * as changeRequests from './change-requests.ts'
import * as directory from './directory.ts'
import * as domains from './domains.ts'
import * as features from './features.ts'
import * as files from './files.ts'
import * as gatewayKeys from './gateway-keys.ts'
import * as health from './health.ts'
import * as keyRules from './key-rules.ts'
import * as members from './members.ts'
import * as oauth from './oauth.ts'
import * as projects from './projects.ts'
import * as roles from './roles.ts'
import * as sandboxIdentity from './sandbox-identity.ts'
import * as secrets from './secrets.ts'
import * as serviceAccounts from './service-accounts.ts'
import * as sessions from './sessions.ts'
import * as signIn from './sign-in.ts'
import * as signInRules from './sign-in-rules.ts'
import * as sso from './sso.ts'
import * as triggers from './triggers.ts'
import * as twoFactor from './two-factor.ts'
import * as webhooks from './webhooks.ts'

export interface Operation {
  readonly name: string
  /** In capitals. */
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly has_body: boolean
  /** Null when the route forgot to state one; a test refuses that. */
  readonly access: AccessRule | null
}

const nouns: readonly object[] = [
  accounts,
  accountSso,
  audit,
  changeRequests,
  directory,
  domains,
  features,
  files,
  gatewayKeys,
  health,
  keyRules,
  members,
  oauth,
  projects,
  roles,
  sandboxIdentity,
  secrets,
  serviceAccounts,
  sessions,
  signIn,
  signInRules,
  sso,
  triggers,
  twoFactor,
  webhooks,
]

/** Every route of the contract. */
export const operations: readonly Operation[] = nouns
  .flatMap((noun) => Object.values(noun))
  .flatMap((value: unknown) => {
    if (typeof value !== 'object' || value === null) return []
    if (!('operationId' in value) || !('path' in value) || !('method' in value)) return []
    const { operationId: name, path, method } = value
    if (typeof name !== 'string' || typeof path !== 'string' || typeof method !== 'string') return []
    const request = 'request' in value ? value.request : undefined
    const has_body = typeof request === 'object' && request !== null && 'body' in request
    return [{ name, path, method: method.toUpperCase(), has_body, access: accessRule(value) }]
  })
