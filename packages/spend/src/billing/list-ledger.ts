import { type Context, decodeCursor, encodeCursor, requireAccount } from '@svc/context'
import { credit } from '@svc/db'
import { z } from 'zod'
import { presentEntry } from '../credit/present.ts'

const Position = z.object({ position: z.int() })

/** Entries that added to the credit of an account or took from it, the newest first. */
export async function listCreditLedger(
  ctx: Pick<Context, 'db' | 'principal' | 'trail'>,
  input: { readonly account_id: string; readonly limit: number; readonly cursor?: string | undefined },
) {
  const { account_id } = await requireAccount(ctx, input.account_id, 'admin')
  const { limit, cursor } = input
  const before = cursor === undefined ? undefined : decodeCursor(Position, cursor).position
  const rows = await credit.listEntries(ctx.db, account_id, { before, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    entries: page.map(presentEntry),
    next_cursor: last ? encodeCursor({ position: last.position }) : null,
  }
}
