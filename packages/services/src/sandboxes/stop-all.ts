import { sessions } from '@svc/db'
import type { SandboxContext } from '../context.ts'
import { changeStatus } from '../sessions/change-status.ts'
import { interruptTurns } from './interrupt-turns.ts'
import { stopSandbox } from './stop.ts'

/** Few enough that every one finds a connection for its lock. */
const at_a_time = 8

/**
 * For a platform that takes its sandboxes with it when it stops: every live session stops, to be resumed after the
 * next start.
 */
export async function stopAllSandboxes(ctx: SandboxContext): Promise<number> {
  const live = await sessions.listLive(ctx.db)
  const left = [...live]
  const stopSome = async () => {
    for (let session_id = left.shift(); session_id !== undefined; session_id = left.shift()) {
      await stopOne(ctx, session_id)
    }
  }
  await Promise.all(Array.from({ length: at_a_time }, stopSome))
  return live.length
}

/** Stops one sandbox. A failure is logged and holds up none of the others. */
async function stopOne(ctx: SandboxContext, session_id: string): Promise<void> {
  try {
    await ctx.db.transaction().execute(async (tx) => {
      const stopped = await changeStatus(ctx, tx, session_id, 'stop', { stop_reason: 'platform_shutdown' })
      if (stopped) await interruptTurns(ctx, tx, session_id, 'The platform was shut down during this turn')
    })
    await stopSandbox(ctx, { session_id })
  } catch (error) {
    ctx.log.error({ err: error, session_id }, 'A sandbox was not stopped')
  }
}
