import { recordAudit } from '@svc/context'
import { accounts, type Db, type ScimGroupRow, scimGroups } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { auditTarget, directoryUrl, requireDirectory, type ScimContext } from '../context.ts'
import { groupDefinition } from '../documents/definitions.ts'
import { type Precondition, requireMatch } from '../documents/etag.ts'
import {
  type GroupDocument,
  groupDocumentOf,
  type GroupResource,
  presentGroup,
  readGroup,
} from './group-document.ts'
import { type MemberChange, setMembers } from './group-members.ts'
import type { JsonObject } from '../documents/json.ts'
import { settleRoles } from '../users/membership.ts'
import { applyPatch } from '../patch/patch.ts'
import { readPatch } from '../patch/patch-syntax.ts'
import { refused } from '../refuse.ts'

interface GroupInput extends Precondition {
  readonly account_id: string
  readonly group_id: string
}

/** Creates a named set of people; an admin of the account decides which roles it gives. Throws `uniqueness` (409). */
export async function createScimGroup(
  ctx: ScimContext,
  input: { readonly account_id: string; readonly body: unknown },
): Promise<GroupResource> {
  const { account_id } = input
  await requireDirectory(ctx, account_id)
  const { display_name, external_id, user_ids } = readGroup(input.body)
  const key = { account_id, group_id: ctx.newId() }
  return ctx.db.transaction().execute(async (tx) => {
    await accounts.lock(tx, account_id)
    if (!(await scimGroups.insert(tx, { ...key, display_name, external_id }, ctx.now()))) throw groupTaken()
    const change = await setMembers(ctx, tx, key, user_ids)
    await record(ctx, tx, 'createScimGroup', key, { display_name, ...countsOf(change) })
    return read(ctx, tx, key)
  })
}

export async function replaceScimGroup(
  ctx: ScimContext,
  input: GroupInput & { readonly body: unknown },
): Promise<GroupResource> {
  return changeGroup(ctx, input, 'replaceScimGroup', () => readGroup(input.body))
}

export async function patchScimGroup(
  ctx: ScimContext,
  input: GroupInput & { readonly body: unknown },
): Promise<GroupResource> {
  return changeGroup(ctx, input, 'patchScimGroup', (document) =>
    readGroup(applyPatch(groupDefinition, document, readPatch(input.body))),
  )
}

/** Deletes the group, and ends the roles that it gave its members. */
export async function deleteScimGroup(ctx: ScimContext, input: GroupInput): Promise<void> {
  const { account_id, group_id } = input
  const key = { account_id, group_id }
  await requireDirectory(ctx, account_id)
  await ctx.db.transaction().execute(async (tx) => {
    const group = await lockGroup(tx, key)
    requireMatch(input, presentGroup(group, null, '').etag)
    const members = (await scimGroups.listMembers(tx, account_id, [group_id])).get(group_id) ?? []
    await scimGroups.remove(tx, key)
    const user_ids = members.map(({ user_id }) => user_id)
    await settleRoles(ctx, tx, account_id, user_ids)
    await record(ctx, tx, 'deleteScimGroup', key, {
      display_name: group.display_name,
      members: user_ids.length,
    })
  })
}

async function changeGroup(
  ctx: ScimContext,
  input: GroupInput,
  action: string,
  change: (document: JsonObject) => GroupDocument,
): Promise<GroupResource> {
  const { account_id, group_id } = input
  const key = { account_id, group_id }
  await requireDirectory(ctx, account_id)
  return ctx.db.transaction().execute(async (tx) => {
    const group = await lockGroup(tx, key)
    requireMatch(input, presentGroup(group, null, '').etag)
    const members = (await scimGroups.listMembers(tx, account_id, [group_id])).get(group_id) ?? []
    const { display_name, external_id, user_ids } = change(
      groupDocumentOf(group, members, directoryUrl(ctx, account_id)),
    )
    const named = await scimGroups.list(tx, account_id, { display_name })
    if (named.some((one) => one.group_id !== group_id)) throw groupTaken()
    const moved = await setMembers(ctx, tx, key, user_ids)
    const same = display_name === group.display_name && external_id === group.external_id
    if (!same || moved.added.length > 0 || moved.removed.length > 0) {
      await scimGroups.update(tx, key, { display_name, external_id }, ctx.now())
      await record(ctx, tx, action, key, { display_name, ...countsOf(moved) })
    }
    return read(ctx, tx, key)
  })
}

/** Under the lock of the account. */
export async function lockGroup(tx: Db, key: scimGroups.GroupKey): Promise<ScimGroupRow> {
  await accounts.lock(tx, key.account_id)
  const group = await scimGroups.find(tx, key)
  if (!group) throw new ServiceError('not_found', 'There is no such group; list the groups of the account')
  return group
}

async function read(ctx: ScimContext, tx: Db, key: scimGroups.GroupKey): Promise<GroupResource> {
  const { account_id, group_id } = key
  const group = await lockGroup(tx, key)
  const members = (await scimGroups.listMembers(tx, account_id, [group_id])).get(group_id) ?? []
  return presentGroup(group, members, directoryUrl(ctx, account_id))
}

async function record(
  ctx: ScimContext,
  tx: Db,
  action: string,
  { account_id, group_id }: scimGroups.GroupKey,
  details: JsonObject,
): Promise<void> {
  await recordAudit(ctx, tx, {
    account_id,
    action,
    target: auditTarget(account_id, 'Groups', group_id),
    details,
  })
}

const namedIds = 100

/** Members added and removed, by id as far as a log entry should hold. */
function countsOf({ added, removed }: MemberChange): JsonObject {
  return {
    added: added.length,
    removed: removed.length,
    added_ids: added.slice(0, namedIds),
    removed_ids: removed.slice(0, namedIds),
  }
}

function groupTaken() {
  return refused('uniqueness', 'The account has a group with this displayName already')
}
