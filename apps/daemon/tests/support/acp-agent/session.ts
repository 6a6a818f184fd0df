import { randomUUID } from 'node:crypto'
import type { AgentContext, ClientCapabilities, McpServer, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Conversation } from './conversation.ts'
import type { Crash } from './crash.ts'
import type { Output } from './output.ts'
import type { AgentSettings, Gateway } from './settings.ts'

/** One open conversation and all that a turn of it uses. */
export interface Session {
  readonly id: string
  readonly cwd: string
  readonly mcp_servers: readonly McpServer[]
  readonly conversation: Conversation
  readonly settings: AgentSettings
  readonly client: AgentContext
  readonly capabilities: ClientCapabilities
  readonly crash: Crash
  readonly raw: Output['raw']
  /** Kinds of tool calls that no longer ask, since the answer was "always". */
  readonly allowed: Set<string>
  gateway(): Gateway
  save(): void
  /** The turn that runs. */
  turn: AbortController | null
}

export const update = (session: Session, fields: SessionUpdate): Promise<void> =>
  session.client.notify('session/update', { sessionId: session.id, update: fields })

type Speech = 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'

/** A piece of text; those of one message share `message_id`, where ids are on. */
export function say(
  session: Session,
  text: string,
  message_id: string = randomUUID(),
  sessionUpdate: Speech = 'agent_message_chunk',
): Promise<void> {
  const messageId = session.settings.message_ids ? { messageId: message_id } : {}
  return update(session, { sessionUpdate, content: { type: 'text', text }, ...messageId })
}
