import { features as known } from '@svc/access'
import { decodeCursor, requirePlatformAdmin } from '@svc/context'
import { allAccounts } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Tier } from '@svc/facts'
import { z } from 'zod'
import type { Looking } from '../context.ts'
import { type PageInput, pageOf } from '../page.ts'

const Position = z.object({ name: z.string(), account_id: z.uuid() })

interface AccountQuery extends PageInput {
  readonly q?: string | undefined
  readonly tier?: Tier | undefined
}

/** Every account, by name. */
export async function listAllAccounts(ctx: Looking, { limit, cursor, ...filter }: AccountQuery) {
  await requirePlatformAdmin(ctx)
  const after = cursor === undefined ? undefined : decodeCursor(Position, cursor)
  const rows = await allAccounts.list(ctx.db, { ...filter, after, limit: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ name, account_id }) => ({ name, account_id }))
  return { accounts: page.map(present), next_cursor }
}

export async function getOperatedAccount(ctx: Looking, { account_id }: { readonly account_id: string }) {
  await requirePlatformAdmin(ctx)
  return readAccount(ctx, account_id)
}

export async function readAccount(ctx: Pick<Looking, 'db'>, account_id: string) {
  const account = await allAccounts.find(ctx.db, account_id)
  if (!account) throw noSuchAccount()
  return present(account)
}

export function noSuchAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no such account; list the accounts again.')
}

/** A feature for which nothing was decided is null. */
function present({ features, billing_state, ...account }: allAccounts.OperatedAccount) {
  return {
    ...account,
    billing_state: billing_state ?? ('none' as const),
    features: Object.fromEntries(known.map(({ feature }) => [feature, features[feature] ?? null])),
  }
}
