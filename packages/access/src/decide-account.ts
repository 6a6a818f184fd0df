import { type Decision, refuse } from './decide.ts'
import { isOwnApp } from './own-apps.ts'
import type { Principal } from './principal.ts'
import { type AccountRole, accountRoleReaches } from './roles.ts'

/** The one decision about an account: `role` is the person's there, null when they do not belong to it. */
export function decideAccount(
  principal: Principal,
  wanted: AccountRole,
  { role }: { readonly role: AccountRole | null },
): Decision {
  const person = decidePerson(principal)
  if (person.kind !== 'allowed') return person
  if (role === null) return { kind: 'hidden' }
  if (accountRoleReaches(role, wanted)) return person
  return refuse(`This needs the account role ${wanted}; yours is ${role}: ask an owner of the account`)
}

/** Decides actions that are for a person only, with a token that is bound to no project. */
export function decidePerson(principal: Principal): Decision {
  switch (principal.type) {
    case 'user':
      return { kind: 'allowed' }
    case 'project':
    case 'session':
      return refuse('A project-scoped token does not reach account routes; use a user token')
    case 'service':
      return refuse('A service account does not reach account routes; use a user token')
    case 'sandbox':
      return refuse('A sandbox service key reaches only the sandbox routes; use a token of its session')
    case 'gateway':
      return refuse('A gateway key reaches only the model gateway; use a user token')
    case 'scim':
      return refuse('A directory token reaches only directory sync; use a user token')
  }
}

/** The one decision about the operator's surface: `is_admin` says whether the person runs the platform. */
export function decidePlatformAdmin(
  principal: Principal,
  { is_admin }: { readonly is_admin: boolean },
): Decision {
  const person = decidePerson(principal)
  if (person.kind !== 'allowed') return person
  if (principal.type === 'user' && principal.oauth && !isOwnApp(principal.oauth.client_id))
    return refuse('Apps of others do not reach the operator’s surface; use svc login or a user token.')
  if (is_admin) return person
  return refuse('This is for those who run the platform; ask a platform admin to add you.')
}
