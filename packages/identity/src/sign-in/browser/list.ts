import { requireUser } from '@svc/context'
import { type BrowserSessionRow, browserSessions } from '@svc/db'
import type { IdentityContext } from '../../context.ts'

/** The browsers in which the person is signed in, the newest first. */
export async function listBrowserSessions(ctx: Pick<IdentityContext, 'db' | 'principal' | 'trail' | 'now'>) {
  const { user_id, browser_session_id: own } = requireUser(ctx)
  const rows = await browserSessions.listOfUser(ctx.db, user_id, ctx.now())
  return { browsers: rows.map((row) => presentBrowser(row, own)) }
}

function presentBrowser(row: BrowserSessionRow, own: string | undefined) {
  const { browser_session_id, source, keep, user_agent, created_at, last_seen_at, expires_at } = row
  const current = browser_session_id === own
  return { browser_session_id, source, keep, user_agent, created_at, last_seen_at, expires_at, current }
}
