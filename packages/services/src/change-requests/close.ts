import { setTimeout as sleep } from 'node:timers/promises'
import { statusAfter } from '@svc/change-request'
import { audited, type Context, requireActor } from '@svc/context'
import { type ChangeRequestRow, changeRequests, type Db } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofChangeRequest } from './audit.ts'
import { type ChangeRequestInput, getChangeRequestRow, requireChangeRequest } from './find-change-request.ts'
import { requireOwnWork } from './own-work.ts'

/** A merge between its plan and its end takes milliseconds; closing waits for it and then meets the result. */
const mergeWaitMs = 5_000
const pollMs = 25

export interface CloseInput extends ChangeRequestInput {
  /** Written together with it. */
  readonly also?: (tx: Db) => Promise<void>
}

export async function closeChangeRequest(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'signal'>,
  input: CloseInput,
): Promise<ChangeRequestRow> {
  const { row } = await requireChangeRequest(ctx, input, 'project.gitops.push')
  await requireOwnWork(ctx, row)
  const closed_by = requireActor(ctx)
  for (let waited = 0; waited < mergeWaitMs; waited += pollMs) {
    const closed = await audited(ctx, ofChangeRequest('closeChangeRequest', row), async (tx) => {
      // A merge plans while it holds the row: only a statement that begins after that sees the plan.
      await changeRequests.lock(tx, row.cr_id)
      const done = await changeRequests.apply(tx, row.cr_id, 'close', { closed_by }, ctx.now())
      if (done) await input.also?.(tx)
      return done
    })
    if (closed) return closed
    statusAfter((await getChangeRequestRow(ctx, input)).status, 'close')
    await sleep(pollMs, undefined, { signal: ctx.signal })
  }
  throw new ServiceError('conflict', 'The change request is being merged; read it again in a moment')
}
