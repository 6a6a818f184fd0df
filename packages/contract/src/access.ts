import type { AccessRule } from '@svc/access'

/** Who reaches the route. It is published with the operation, and the tests hold every route to it. */
export function reachedBy<R extends AccessRule>(rule: R): { 'x-svc-access': R } {
  return { 'x-svc-access': rule }
}

/** The rule that a route object of the contract states. */
export function accessRule(route: object): AccessRule | null {
  return 'x-svc-access' in route && isRule(route['x-svc-access']) ? route['x-svc-access'] : null
}

const kinds = ['public', 'any_person', 'any_actor', 'capability', 'account_role', 'sandbox_key']

function isRule(value: unknown): value is AccessRule {
  return typeof value === 'object' && value !== null && kinds.some((kind) => kind in value)
}
