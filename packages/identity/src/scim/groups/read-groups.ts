import { type ScimGroupRow, scimGroups } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { directoryUrl, requireDirectory, type ScimContext } from '../context.ts'
import { groupDefinition } from '../documents/definitions.ts'
import { compileFilter } from '../filter/filter.ts'
import { type GroupResource, presentGroup } from './group-document.ts'
import type { JsonObject } from '../documents/json.ts'
import { type ListQuery, listResponse, pageOf } from '../documents/list-response.ts'
import { narrow } from '../documents/narrow.ts'
import { isId } from '../users/read-users.ts'
import { isSelected, selectAttributes, type Selection } from '../documents/select-attributes.ts'

export async function getScimGroup(
  ctx: ScimContext,
  input: { readonly account_id: string; readonly group_id: string; readonly selection: Selection },
): Promise<GroupResource> {
  const { account_id, group_id, selection } = input
  await requireDirectory(ctx, account_id)
  const group = await scimGroups.find(ctx.db, { account_id, group_id })
  if (!group) throw new ServiceError('not_found', 'There is no such group; list the groups of the account')
  const [shown] = await withMembers(
    ctx,
    account_id,
    [group],
    isSelected(groupDefinition, 'members', selection),
  )
  return shown ?? presentGroup(group, null, directoryUrl(ctx, account_id))
}

/** Oldest first. Members are read only where the answer or the filter needs them: a group may have thousands. */
export async function listScimGroups(
  ctx: ScimContext,
  input: { readonly account_id: string; readonly query: ListQuery },
): Promise<JsonObject> {
  const { account_id, query } = input
  await requireDirectory(ctx, account_id)
  const { page, totalResults } = await find(ctx, account_id, query)
  const members = isSelected(groupDefinition, 'members', query)
  const shown = await withMembers(ctx, account_id, page, members)
  const resources = shown.map(({ resource }) => selectAttributes(groupDefinition, resource, query))
  return listResponse(resources, { totalResults, startIndex: query.startIndex })
}

const columns = { id: 'group_id', displayname: 'display_name', externalid: 'external_id' } as const

async function find(ctx: ScimContext, account_id: string, query: ListQuery) {
  const { filter: text, startIndex, count } = query
  if (text === undefined) {
    const page = { offset: startIndex - 1, limit: count }
    const totalResults = await scimGroups.count(ctx.db, account_id)
    return { page: await scimGroups.list(ctx.db, account_id, {}, page), totalResults }
  }
  const { filter, matches } = compileFilter(groupDefinition, text)
  const narrowing = narrow(filter, columns)
  if (narrowing.group_id !== undefined && !isId(narrowing.group_id)) return { page: [], totalResults: 0 }
  const found = await scimGroups.list(ctx.db, account_id, narrowing)
  const shown = await withMembers(ctx, account_id, found, /members/i.test(text))
  const fitting = found.filter((_, index) => matches(shown[index]?.resource ?? {}))
  return { page: pageOf(fitting, query), totalResults: fitting.length }
}

async function withMembers(
  ctx: ScimContext,
  account_id: string,
  groups: readonly ScimGroupRow[],
  members: boolean,
): Promise<GroupResource[]> {
  const base = directoryUrl(ctx, account_id)
  const ids = members ? groups.map(({ group_id }) => group_id) : []
  const found = await scimGroups.listMembers(ctx.db, account_id, ids)
  return groups.map((group) => presentGroup(group, found.get(group.group_id) ?? null, base))
}
