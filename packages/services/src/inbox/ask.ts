import { inboxItems } from '@svc/db'
import type { AskKind } from '@svc/facts'
import { askPhrase } from '../sessions/summaries/phrase.ts'
import { sessionTitle } from '../sessions/summaries/title.ts'
import type { InboxEntry } from './entry.ts'
import type { InboxAdapter } from './kinds.ts'
import type { InboxScope } from './scope.ts'

/** Asks of one kind that the person may answer. */
export const asksOf =
  (kind: AskKind): InboxAdapter =>
  async (ctx, scope) => {
    const rows = await inboxItems.asks(ctx.db, scope.holding('project.session.start'), kind)
    return rows.filter((row) => mayAnswer(scope, row)).map((row) => entryOf(kind, row))
  }

/** As the session's own route decides: its owner, the managers, and where it is shared all who may start sessions. */
function mayAnswer(scope: InboxScope, ask: inboxItems.OpenAsk): boolean {
  if (ask.created_by === scope.user_id) return true
  if (ask.holds_personal_secrets) return false
  return ask.visibility === 'project' || scope.may(ask.project_id, 'project.members.manage')
}

function entryOf(kind: AskKind, ask: inboxItems.OpenAsk): InboxEntry {
  const { request_id, session_id, project_id, body, tool, asked_at, expires_at } = ask
  const command = commandOf(tool?.input)
  return {
    id: `${session_id}.${request_id}`,
    version: asked_at.toISOString(),
    project_id,
    session_id,
    request_id,
    title: sessionTitle(ask),
    // The whole command where it is known: its parts are what a rule would cover, not what runs.
    phrase: kind === 'permission' && command !== null ? `Wants to run ${command}` : askPhrase(kind, body),
    at: asked_at,
    expires_at,
    path: `/projects/${project_id}/sessions/${session_id}`,
  }
}

function commandOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null
  return typeof input.command === 'string' && input.command.trim() !== '' ? input.command : null
}
