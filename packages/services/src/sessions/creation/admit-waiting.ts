import { type BaseContext, startsAreOpen } from '@svc/context'
import { projects, sessionCreates, sessions } from '@svc/db'
import { eachOf } from '@svc/errors'
import { isWithoutPlace, requireRoom } from './cap.ts'
import { insertSession } from './insert-session.ts'

const accountsAtOnce = 200

/** Makes the sessions that wait for room, in the order in which they were asked for, as far as there is room now. */
export async function admitWaitingSessions(
  ctx: Pick<
    BaseContext,
    'db' | 'enqueue' | 'now' | 'newId' | 'settings' | 'session_connections' | 'maintenance' | 'log'
  >,
): Promise<number> {
  if (!startsAreOpen(ctx)) return 0
  let admitted = 0
  await eachOf(await sessionCreates.listAccounts(ctx.db, accountsAtOnce), async (account_id) => {
    for (let next = await admitOne(ctx, account_id); next !== 'no_more';) {
      if (next !== 'dropped') {
        await ctx.enqueue('session', 'sandbox.provision', { session_id: next.session_id })
        admitted += 1
      }
      next = await admitOne(ctx, account_id)
    }
  })
  return admitted
}

async function admitOne(
  ctx: Pick<BaseContext, 'db' | 'now' | 'newId' | 'settings' | 'session_connections' | 'log'>,
  account_id: string,
): Promise<{ readonly session_id: string } | 'dropped' | 'no_more'> {
  try {
    return await ctx.db.transaction().execute(async (tx) => {
      await requireRoom(tx, ctx.settings, account_id)
      const waiting = await sessionCreates.takeFirst(tx, account_id)
      if (!waiting) return 'no_more'
      const { session_id, project_id } = waiting
      const project = await projects.find(tx, project_id)
      // A session with this id, asked for in the same moment in another account, may have been first.
      if (project?.status !== 'active' || (await sessions.findById(tx, session_id))) {
        ctx.log.info(
          { session_id, project_id },
          'a queued session was dropped: its project is gone or its id taken',
        )
        return 'dropped'
      }
      await insertSession(ctx, tx, waiting)
      return { session_id }
    })
  } catch (error) {
    if (isWithoutPlace(error)) return 'no_more'
    throw error
  }
}
