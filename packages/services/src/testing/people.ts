import { randomUUID } from 'node:crypto'
import type { AccountRole, ProjectRole, SessionPrincipal, UserPrincipal } from '@svc/access'
import { accounts } from '@svc/db'
import type { Capability, Tier } from '@svc/facts'
import type { World } from './world.ts'

export interface Person {
  readonly account_id: string
  readonly user_id: string
  readonly principal: UserPrincipal
}

/** An account with its owner. */
export async function addOwner(world: World, tier: Tier = 'self_host'): Promise<Person> {
  const account_id = randomUUID()
  const user_id = randomUUID()
  const created_at = world.clock.now()
  await accounts.createWithOwner(
    world.db,
    { account_id, name: 'Account', tier, gateway_new_projects: true, created_at },
    { user_id, email: `${user_id}@svc.invalid`, name: 'Owner', created_at },
  )
  return { account_id, user_id, principal: principalOf(user_id) }
}

/** Another person of the same account, with a role on one project or none. */
export async function addMember(
  world: World,
  { account_id, project_id }: { readonly account_id: string; readonly project_id: string },
  role: ProjectRole | null,
  account_role: AccountRole = 'member',
): Promise<Person> {
  const user_id = randomUUID()
  const created_at = world.clock.now()
  await world.db
    .insertInto('users')
    .values({ user_id, email: `${user_id}@svc.invalid`, name: 'Member', created_at })
    .execute()
  await world.db
    .insertInto('account_members')
    .values({ account_id, user_id, role: account_role, created_at })
    .execute()
  if (role !== null) {
    await world.db.insertInto('project_members').values({ project_id, user_id, role, created_at }).execute()
  }
  return { account_id, user_id, principal: principalOf(user_id) }
}

/** The agent of a session, as its token would say. */
export function agentPrincipal(
  session: { readonly session_id: string; readonly project_id: string; readonly created_by: string },
  grant: readonly Capability[],
  merge_granted = false,
): SessionPrincipal {
  const { session_id, project_id, created_by } = session
  return {
    type: 'session',
    user_id: created_by,
    token_id: randomUUID(),
    project_id,
    session_id,
    tree_id: session_id,
    grant,
    merge_granted,
  }
}

function principalOf(user_id: string): UserPrincipal {
  return { type: 'user', user_id, token_id: randomUUID() }
}
