import { expect, test } from 'vitest'
import { decideAccount } from './decide-account.ts'
import type { Principal } from './principal.ts'
import { type AccountRole, accountRoles } from './roles.ts'

const user: Principal = { type: 'user', user_id: 'u', token_id: 't' }
const bound = { user_id: 'u', token_id: 't', project_id: 'p' }
const others: readonly Principal[] = [
  { type: 'project', ...bound, default_branch: false },
  { type: 'session', ...bound, session_id: 's', tree_id: 's', grant: ['project.read'], merge_granted: true },
  { type: 'service', user_id: 'x', token_id: 't', account_id: 'a' },
  { type: 'sandbox', project_id: 'p', session_id: 's', service_key_hash: new Uint8Array() },
  { type: 'gateway', token_id: 't', project_id: 'p', session_id: null },
  { type: 'scim', token_id: 't', account_id: 'a' },
]

const reached: Readonly<Record<AccountRole, readonly AccountRole[]>> = {
  owner: ['owner', 'admin', 'member'],
  admin: ['admin', 'member'],
  member: ['member'],
}

test.each(accountRoles)('the account role %s reaches itself and what is below', (role) => {
  for (const wanted of accountRoles) {
    const kind = reached[role].includes(wanted) ? 'allowed' : 'refused'
    expect(decideAccount(user, wanted, { role }).kind).toBe(kind)
  }
})

test('an account that the person does not belong to does not exist', () => {
  expect(decideAccount(user, 'member', { role: null }).kind).toBe('hidden')
})

test.each(others)('a $type credential reaches no account, whatever its person may', (principal) => {
  expect(decideAccount(principal, 'member', { role: 'owner' }).kind).toBe('refused')
})
