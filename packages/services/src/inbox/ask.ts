import { inboxItems } from '@svc/db'
import type { AskKind } from '@svc/facts'
import { askPhrase } from '../sessions/summaries/phrase.ts'
import { sessionTitle } from '../sessions/summaries/title.ts'
import { adapterOf, type InboxAdapter } from './adapter.ts'
import { waiterOf } from './scope.ts'

/** Asks of one kind that the person may answer. */
export const asksOf = (kind: AskKind): InboxAdapter =>
  adapterOf({
    rows: (scope) => inboxItems.asks(kind, scope.holding('project.session.start'), waiterOf(scope)),
    entry: ({ request_id, session_id, project_id, body, tool, asked_at, expires_at, ...session }) => {
      const command = commandOf(tool?.input)
      return {
        ...{ project_id, session_id, request_id, expires_at },
        title: sessionTitle({ session_id, ...session }),
        // The whole command where it is known: its parts are what a rule would cover, not what runs.
        phrase: kind === 'permission' && command !== null ? `Wants to run ${command}` : askPhrase(kind, body),
        at: asked_at,
        path: `/projects/${project_id}/sessions/${session_id}`,
      }
    },
  })

function commandOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null
  return typeof input.command === 'string' && input.command.trim() !== '' ? input.command : null
}
