import { sandboxes, tokens } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import { interruptTurns } from '../sandboxes/interrupt-turns.ts'
import { requireRoom } from './cap.ts'
import { changeStatus } from './change-status.ts'
import { getSessionRow, requireSession, type SessionInput } from './find-session.ts'
import { presentSession } from './present.ts'

/** A new sandbox with fresh tokens, on the same branch: what was not pushed is gone with the old one. */
export async function restartSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'enqueue' | 'settings'>,
  input: SessionInput,
) {
  const { session } = await requireSession(ctx, input, 'project.session.start')
  const { session_id, account_id } = session
  await ctx.db.transaction().execute(async (tx) => {
    if (session.status === 'stopped' || session.status === 'failed')
      await requireRoom(tx, ctx.settings, account_id)
    if (!(await changeStatus(ctx, tx, session_id, 'restart'))) {
      throw new ServiceError('SESSION_NOT_STARTABLE', `A ${session.status} session cannot be restarted`)
    }
    await interruptTurns(ctx, tx, session_id, 'The sandbox was replaced during this turn')
    await sandboxes.patch(tx, session_id, { renew: true, error: null, updated_at: ctx.now() })
    await tokens.revokeOfSession(tx, session_id, ctx.now())
  })
  await ctx.enqueue('session', 'sandbox.provision', { session_id })
  return presentSession(await getSessionRow(ctx, input))
}
