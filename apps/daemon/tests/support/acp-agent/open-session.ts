import { randomUUID } from 'node:crypto'
import {
  type AgentContext,
  type ClientCapabilities,
  type McpServer,
  RequestError,
  type SessionConfigOption,
} from '@agentclientprotocol/sdk'
import type { Conversation, Conversations } from './conversation.ts'
import type { Crash } from './crash.ts'
import { replay } from './faults.ts'
import { listModels } from './model.ts'
import { modes, configOptions, thoughtLevels } from './options.ts'
import type { Output } from './output.ts'
import { textOf } from './prompt-parts.ts'
import { type Session, say, update } from './session.ts'
import type { Environment, Gateway } from './settings.ts'

/** The process: what it was started with, and what its client has said of itself. */
export interface Agent {
  readonly environment: Environment
  readonly conversations: Conversations
  readonly sessions: Map<string, Session>
  readonly crash: Crash
  readonly raw: Output['raw']
  capabilities: ClientCapabilities
  /** Null while the client has yet to authenticate. */
  gateway: Gateway | null
}
interface Place {
  readonly cwd: string
  readonly mcpServers?: readonly McpServer[]
}

export function gatewayOf(agent: Agent): Gateway {
  if (agent.gateway === null) throw RequestError.authRequired()
  return agent.gateway
}

export function newSession(agent: Agent, client: AgentContext, place: Place): Session {
  gatewayOf(agent)
  return addSession(agent, client, place, {
    session_id: randomUUID(),
    messages: [],
    model: agent.environment.model,
    mode: modes[0],
    thought_level: thoughtLevels[0],
  })
}

/** Opens a conversation of an earlier process, or of this one. */
export async function knownSession(
  agent: Agent,
  client: AgentContext,
  place: Place & { readonly sessionId: string },
  way: 'resume' | 'load',
): Promise<Session> {
  gatewayOf(agent)
  const conversation = agent.conversations.find(place.sessionId)
  if (conversation === undefined) throw RequestError.sessionNotFound(place.sessionId)
  const session = addSession(agent, client, place, conversation)
  if (way === 'load') await showHistory(session)
  const { replay: count } = agent.environment.settings.fault
  await replay(session, count, 'before')
  if (count > 0) afterAnswer(() => replay(session, count, 'after'))
  return session
}

function addSession(agent: Agent, client: AgentContext, place: Place, conversation: Conversation): Session {
  const session: Session = {
    id: conversation.session_id,
    cwd: place.cwd,
    mcp_servers: place.mcpServers ?? [],
    conversation,
    settings: agent.environment.settings,
    client,
    capabilities: agent.capabilities,
    crash: agent.crash,
    raw: agent.raw,
    allowed: new Set(),
    gateway: () => gatewayOf(agent),
    save: () => agent.conversations.save(conversation),
    turn: null,
  }
  agent.sessions.set(session.id, session)
  session.save()
  if (session.settings.commands) afterAnswer(() => showCommands(session))
  return session
}

/** An update of a session follows the answer that names the session. */
export function afterAnswer(work: () => Promise<void> | void, ms = 10): void {
  setTimeout(() => void Promise.resolve(work()).catch(() => undefined), ms)
}

const showCommands = (session: Session): Promise<void> =>
  update(session, {
    sessionUpdate: 'available_commands_update',
    availableCommands: [
      { name: 'compact', description: 'Makes the conversation shorter' },
      { name: 'review', description: 'Reviews a change', input: { hint: 'the change' } },
    ],
  })

/** `session/load` shows the whole conversation again. */
async function showHistory(session: Session): Promise<void> {
  for (const message of session.conversation.messages) {
    const text = textOf(message)
    if (message.role === 'tool' || text === '') continue
    await say(
      session,
      text,
      undefined,
      message.role === 'user' ? 'user_message_chunk' : 'agent_message_chunk',
    )
  }
}

export async function optionsOf(agent: Agent, session: Session): Promise<SessionConfigOption[]> {
  const { settings } = agent.environment
  const models = settings.model_option ? await listModels(gatewayOf(agent)) : []
  return configOptions(settings, session.conversation, models)
}
