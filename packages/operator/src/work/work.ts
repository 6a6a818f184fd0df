import { decodeCursor, recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { owedWork } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type WorkKind, workKinds } from '@svc/facts'
import { z } from 'zod'
import { stuckMs } from '../checks/check.ts'
import type { Changing, Looking } from '../context.ts'
import { type PageInput, pageOf } from '../page.ts'
import { enqueueWork } from './enqueue-work.ts'

const Position = z.object({ since: z.coerce.date(), id: z.uuid() })

export interface WorkQuery extends PageInput {
  readonly kind?: WorkKind | undefined
  readonly stuck?: boolean | undefined
}

/** Rows that owe work, the longest first, whatever the queue holds. */
export async function listOwedWork(ctx: Looking, { kind, stuck, limit, cursor }: WorkQuery) {
  await requirePlatformAdmin(ctx)
  const after = cursor === undefined ? undefined : decodeCursor(Position, cursor)
  const stuck_since = stuck === true ? new Date(ctx.now().getTime() - stuckMs) : undefined
  const rows = await owedWork.list(ctx.db, { kind, stuck_since, after, limit: limit + 1 })
  const { page, next_cursor } = pageOf(rows, limit, ({ since, id }) => ({ since, id }))
  return { work: page.map(present), next_cursor }
}

/** Asks for a worker now. */
export async function runWork(ctx: Changing, { work_id }: { readonly work_id: string }) {
  await requirePlatformAdmin(ctx)
  const [kind, id] = parse(work_id)
  const [row] = kind === undefined ? [] : await owedWork.list(ctx.db, { kind, id, limit: 1 })
  if (row === undefined)
    throw new ServiceError('WORK_NOT_OWED', 'No row owes this work any more; list what is owed again.')
  const { account_id, project_id, session_id } = row
  const target = `admin/work/${work_id}`
  const entry = { account_id, project_id, session_id, action: 'runWork', target }
  await ctx.db.transaction().execute((tx) => recordOperatorAudit(ctx, tx, entry))
  await enqueueWork(ctx, row)
  return { work_id }
}

const uuid = z.uuid()

function parse(work_id: string): [WorkKind, string] | [] {
  const [name = '', id = '', more] = work_id.split(':')
  const kind = workKinds.find((one) => one === name)
  return kind !== undefined && more === undefined && uuid.safeParse(id).success ? [kind, id] : []
}

function present({ kind, id, ...row }: owedWork.OwedRow) {
  return {
    work_id: `${kind}:${id}`,
    kind,
    account_id: row.account_id,
    project_id: row.project_id,
    session_id: row.session_id,
    since: row.since,
    attempts: row.attempts,
    last_error: row.last_error,
    claimed_by: row.claimed_by,
  }
}
