import type { Context } from '@svc/context'
import { sessionPrompts } from '@svc/db'
import { readConversation } from '../../sessions/log/transcript.ts'
import { requireOwnSandbox } from './report-turn-stream.ts'

/** The most recent part of a long conversation is what its next turn needs. */
const maxMessages = 200

/** The conversation so far, for a sandbox whose runtime does not know it; prompts without a turn are left out. */
export async function getSessionHistory(
  ctx: Pick<Context, 'db' | 'principal' | 'objects' | 'log'>,
  input: { readonly project_id: string },
) {
  const { session_id } = requireOwnSandbox(ctx, input)
  const [messages, open] = await Promise.all([
    readConversation(ctx, session_id),
    sessionPrompts.list(ctx.db, session_id, {
      states: ['pending', 'delivered', 'running', 'cancelled'],
      after: 0,
      limit: 1_000,
    }),
  ])
  const unsaid = new Set(open.map(({ prompt_id }) => prompt_id))
  const said = messages.filter(({ message_id }) => !unsaid.has(message_id))
  return { session_id, messages: said.slice(-maxMessages) }
}
