import { scimUsers } from '@svc/db'
import { z } from 'zod'
import { directoryUrl, requireDirectory, type ScimContext } from '../context.ts'
import { userDefinition } from '../documents/definitions.ts'
import { compileFilter } from '../filter/filter.ts'
import type { JsonObject } from '../documents/json.ts'
import { type ListQuery, listResponse, pageOf } from '../documents/list-response.ts'
import { findUser } from './membership.ts'
import { narrow } from '../documents/narrow.ts'
import { selectAttributes } from '../documents/select-attributes.ts'
import { presentUser, type UserResource } from './user-document.ts'

export async function getScimUser(
  ctx: ScimContext,
  input: { readonly account_id: string; readonly user_id: string },
): Promise<UserResource> {
  await requireDirectory(ctx, input.account_id)
  return presentUser(await findUser(ctx.db, input), directoryUrl(ctx, input.account_id))
}

/** Every person of the account whom the filter fits, oldest first; also those who are deactivated. */
export async function listScimUsers(
  ctx: ScimContext,
  input: { readonly account_id: string; readonly query: ListQuery },
): Promise<JsonObject> {
  const { account_id, query } = input
  await requireDirectory(ctx, account_id)
  const base = directoryUrl(ctx, account_id)
  const { page, totalResults } = await find(ctx, account_id, query)
  const resources = page.map((user) =>
    selectAttributes(userDefinition, presentUser(user, base).resource, query),
  )
  return listResponse(resources, { totalResults, startIndex: query.startIndex })
}

const columns = { id: 'user_id', username: 'user_name', externalid: 'external_id' } as const

async function find(ctx: ScimContext, account_id: string, query: ListQuery) {
  const { filter: text, startIndex, count } = query
  if (text === undefined) {
    const page = { offset: startIndex - 1, limit: count }
    const totalResults = await scimUsers.count(ctx.db, account_id)
    return { page: await scimUsers.list(ctx.db, account_id, {}, page), totalResults }
  }
  const { filter, matches } = compileFilter(userDefinition, text)
  const narrowing = narrow(filter, columns)
  if (narrowing.user_id !== undefined && !isId(narrowing.user_id)) return { page: [], totalResults: 0 }
  const base = directoryUrl(ctx, account_id)
  const found = await scimUsers.list(ctx.db, account_id, narrowing)
  const fitting = found.filter((user) => matches(presentUser(user, base).resource))
  return { page: pageOf(fitting, query), totalResults: fitting.length }
}

/** An id that is no UUID belongs to no person. */
export function isId(text: string): boolean {
  return z.uuid().safeParse(text).success
}
