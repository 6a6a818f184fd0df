import { type Context, requireUser } from '@svc/context'
import { notifications } from '@svc/db'
import { requireSession, type SessionInput } from '@svc/services'

/** A page says so again sooner than that. */
const holdsMs = 45_000

/**
 * A page shows the session to the person at this moment: what they were told of it is read, and for a while nothing of it is
 * mailed or pushed to them.
 */
export async function announcePresence(
  ctx: Pick<Context, 'db' | 'principal' | 'trail' | 'now'>,
  key: SessionInput,
): Promise<void> {
  const { session } = await requireSession(ctx, key, 'project.session.read')
  // An agent that said so for its owner would hide what it asks them.
  const { user_id } = requireUser(ctx)
  const { session_id } = session
  const now = ctx.now()
  await notifications.putPresence(ctx.db, { user_id, session_id, until: new Date(now.getTime() + holdsMs) })
  await notifications.markRead(ctx.db, user_id, { session_id }, now)
}
