import type { AccessRule } from '@svc/access'
import { type CredentialKind, credentialsFor } from './credentials.ts'

type Requirement = Partial<Record<CredentialKind, string[]>>

/**
 * The callers that reach the route, and their credentials. Both are published with the operation, and the tests hold
 * every route to the rule.
 */
export function reachedBy<R extends AccessRule>(rule: R): { 'x-svc-access': R; security: Requirement[] } {
  return { 'x-svc-access': rule, security: credentialsFor(rule).map((kind) => ({ [kind]: [] })) }
}

/** The rule that a route object of the contract states. */
export function accessRule(route: object): AccessRule | null {
  return 'x-svc-access' in route && isRule(route['x-svc-access']) ? route['x-svc-access'] : null
}

const kinds = [
  'public',
  'any_person',
  'any_actor',
  'capability',
  'account_role',
  'platform_admin',
  'sandbox_key',
]

function isRule(value: unknown): value is AccessRule {
  return typeof value === 'object' && value !== null && kinds.some((kind) => kind in value)
}
