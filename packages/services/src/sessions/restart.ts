import { audited, type Context, requireStartsOpen } from '@svc/context'
import { sandboxes, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { ofSession } from './audit.ts'
import { drainSandbox } from '../sandboxes/drain.ts'
import { interruptTurns } from '../sandboxes/interrupt-turns.ts'
import { requireRoom } from './creation/cap.ts'
import { changeStatus } from './change-status.ts'
import { getSessionRow, type SessionInput } from './find-session.ts'
import { shownSession } from './shown.ts'
import { requireKeeper } from './session-access.ts'

/**
 * A new sandbox with fresh tokens, on the same branch and with the work in progress that was saved last. The old
 * identity ends in the moment that this answers.
 */
export async function restartSession(
  ctx: Pick<
    Context,
    | 'db'
    | 'principal'
    | 'now'
    | 'newId'
    | 'trail'
    | 'enqueue'
    | 'settings'
    | 'maintenance'
    | 'vault'
    | 'log'
    | 'metrics'
  >,
  input: SessionInput,
) {
  const { session } = await requireKeeper(ctx, input)
  const { session_id, account_id } = session
  requireStartsOpen(ctx)
  await drainSandbox(ctx, session, 'The sandbox was replaced during this turn')
  await audited(ctx, ofSession('restartSession', session), async (tx) => {
    // Read again: it may have ended, and given its place away, while it was drained.
    const { status } = await getSessionRow({ db: tx }, input)
    if (status === 'stopped' || status === 'failed') await requireRoom(tx, ctx.settings, account_id)
    if (!(await changeStatus(ctx, tx, session_id, 'restart', {}))) {
      throw new ServiceError(
        'SESSION_NOT_STARTABLE',
        `A ${status} session cannot be restarted; read it again in a moment`,
      )
    }
    await interruptTurns(ctx, tx, session_id, 'The sandbox was replaced during this turn')
    await sandboxes.retire(tx, session_id, ctx.now())
    await tokens.revokeOfSession(tx, session_id, ctx.now())
    return null
  })
  await ctx.enqueue('session', 'sandbox.provision', { session_id })
  return shownSession(ctx, await getSessionRow(ctx, input))
}
