import type { Context } from '@svc/context'
import type { RefusedOutcome } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { JobName } from '@svc/queue'
import { isRefused, refusalOf } from './refusal.ts'

/** A row that the merge-worker owes an outcome. */
interface MoveRow<Done> {
  readonly status: string
  readonly outcome: Done | RefusedOutcome | null
}

export interface MoveRequest<Done> {
  readonly attempt_id: string
  readonly job: JobName<'merge'>
  readonly find: () => Promise<MoveRow<Done> | undefined>
  /** The refusal of a request whose time is up before the move has ended. */
  readonly unfinished: string
}

type AskContext = Pick<Context, 'enqueue' | 'listener' | 'signal'>

/** Asks the merge-worker for a move that was written down, and waits for its outcome. */
export async function askForMove<Done extends { readonly kind: string }>(
  ctx: AskContext,
  asked: MoveRequest<Done>,
): Promise<Done> {
  const { attempt_id, job, unfinished } = asked
  const [outcome] = await Promise.all([awaitOutcome(ctx, asked), ctx.enqueue('merge', job, { attempt_id })])
  if (outcome === null) throw new ServiceError('request_deadline', unfinished, { retry_after: 5 })
  if (isRefused(outcome)) throw refusalOf(outcome)
  return outcome
}

const recheckMs = 250

/** Null when the request's time is up first. */
async function awaitOutcome<Done>(
  { listener, signal }: AskContext,
  { attempt_id, find }: MoveRequest<Done>,
): Promise<Done | RefusedOutcome | null> {
  let wake = () => {}
  const unsubscribe = listener.subscribe('merge', () => wake(), attempt_id)
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const row = await find()
      if (!row) throw new ServiceError('not_found', 'There is no such project; list those that you reach')
      if (row.status !== 'pending' || signal.aborted) return row.outcome
      const timer = setTimeout(() => wake(), recheckMs)
      await changed
      clearTimeout(timer)
    }
  } finally {
    unsubscribe()
  }
}
