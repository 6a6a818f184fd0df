import type { Context } from '@svc/context'
import { modelUsage, type sessions } from '@svc/db'
import { presentSession } from './present.ts'

/** The session as the wire shows it, with what its calls of models cost so far. */
export async function shownSession({ db }: Pick<Context, 'db'>, view: sessions.SessionView) {
  const { project_id, session_id } = view
  const usage = await modelUsage.ofSessions(db, { project_id, session_ids: [session_id] })
  return presentSession(view, usage.get(session_id))
}
