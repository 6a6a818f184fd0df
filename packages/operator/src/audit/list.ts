import { decodeCursor, presentEvent, requirePlatformAdmin } from '@svc/context'
import { platformAudit } from '@svc/db'
import { z } from 'zod'
import type { Looking } from '../context.ts'
import { type PageInput, pageOf } from '../page.ts'

const Position = z.object({ before: z.int() })

/** Newest first. */
export async function listPlatformAudit(ctx: Looking, { limit, cursor }: PageInput) {
  await requirePlatformAdmin(ctx)
  const before = cursor === undefined ? undefined : decodeCursor(Position, cursor).before
  const rows = await platformAudit.list(ctx.db, { before, limit: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ seq }) => ({ before: seq }))
  return { events: page.map(presentEvent), next_cursor }
}
