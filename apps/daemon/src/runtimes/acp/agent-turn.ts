import { type ClientConnection, methods } from '@agentclientprotocol/sdk'
import { daemonLimits } from '../../limits.ts'
import { pause } from '../../shared/backoff.ts'
import { needsAuthentication, reasonOf } from './open-agent-session.ts'
import type { Conversation, TurnEnd } from './conversation.ts'

const quietMs = 150
const maxQuietMs = 2_000

const refusedWords = 'The agent refused this'

/** One prompt from its request to its answer, which may take as long as the turn does. */
export async function runAgentTurn(parts: {
  readonly connection: Pick<ClientConnection, 'agent'>
  readonly session_id: string
  readonly text: string
  readonly conversation: Conversation
  readonly lastLine: () => number
  /** The number of updates that came so far. */
  readonly updateCount: () => number
  /** Signs in once more; false where the agent takes no sign-in of ours. */
  readonly authenticate: () => Promise<boolean>
  readonly isAborted: () => boolean
}): Promise<TurnEnd> {
  const { connection, session_id, lastLine } = parts
  const begun = parts.updateCount()
  const ask = async (): Promise<TurnEnd> => {
    const answer = await connection.agent.request(methods.agent.session.prompt, {
      sessionId: session_id,
      prompt: [{ type: 'text', text: parts.text }],
    })
    // An unknown word is kept, as far as the platform takes it.
    return endOf(String(answer.stopReason).slice(0, daemonLimits.stopReasonChars), parts.isAborted())
  }
  try {
    const end = await ask()
    await settle(lastLine)
    return end
  } catch (error) {
    if (parts.isAborted()) return { stop_reason: 'cancelled', aborted: true, error: null }
    // Only where no update of the turn came: it is never run twice.
    const mayRepeat = needsAuthentication(error) && parts.updateCount() === begun
    if (mayRepeat && (await parts.authenticate().catch(() => false))) {
      const again = await ask().catch((second: unknown) => failed(second))
      await settle(lastLine)
      return again
    }
    await settle(lastLine)
    return failed(error)
  }
}

function failed(error: unknown): TurnEnd {
  return { stop_reason: null, aborted: false, error: reasonOf(error) }
}

function endOf(stop_reason: string, isAborted: boolean): TurnEnd {
  if (stop_reason === 'cancelled' || isAborted) return { stop_reason, aborted: true, error: null }
  if (stop_reason === 'refusal') return { stop_reason, aborted: false, error: refusedWords }
  return { stop_reason, aborted: false, error: null }
}

/** Updates may come after the answer: the turn ends with a moment of quiet. */
async function settle(lastLine: () => number): Promise<void> {
  const until = Date.now() + maxQuietMs
  for (;;) {
    const left = Math.min(lastLine() + quietMs, until) - Date.now()
    if (left <= 0) return
    await pause(left)
  }
}
