import { type Db, scimGroups, scimUsers } from '@svc/db'
import type { ScimContext } from '../context.ts'
import { settleRoles } from '../users/membership.ts'
import { refused } from '../refuse.ts'
import { knownOf } from '../users/user-document.ts'

export interface MemberChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Makes these people the members of the group, and their roles what their groups give. Throws `invalidValue`. */
export async function setMembers(
  ctx: ScimContext,
  tx: Db,
  key: scimGroups.GroupKey,
  user_ids: readonly string[],
): Promise<MemberChange> {
  const { account_id, group_id } = key
  const members = (await scimGroups.listMembers(tx, account_id, [group_id])).get(group_id) ?? []
  const before = new Set(members.map(({ user_id }) => user_id))
  const after = new Set(user_ids)
  const added = user_ids.filter((user_id) => !before.has(user_id))
  const removed = [...before].filter((user_id) => !after.has(user_id))
  await requireKnown(ctx, tx, account_id, added)
  await scimGroups.addMembers(tx, key, added)
  await scimGroups.removeMembers(tx, key, removed)
  await settleRoles(ctx, tx, account_id, [...added, ...removed])
  return { added, removed }
}

/** A member who joined without the directory becomes known to it, with what the platform knows of them. */
async function requireKnown(
  ctx: ScimContext,
  tx: Db,
  account_id: string,
  user_ids: readonly string[],
): Promise<void> {
  if (user_ids.length === 0) return
  const known = new Map(
    (await scimUsers.list(tx, account_id, { user_ids })).map((user) => [user.user_id, user]),
  )
  for (const user_id of user_ids) {
    const user = known.get(user_id)
    if (!user) throw refused('invalidValue', `There is no user ${user_id} in this account`)
    if (user.attributes !== null) continue
    const { user_name, external_id } = user
    await scimUsers.put(
      tx,
      { account_id, user_id, user_name, external_id, attributes: knownOf(user) },
      ctx.now(),
    )
  }
}
