import type { AgentSession, SessionManager } from '@earendil-works/pi-coding-agent'
import type { SentRecord } from '../../opencode-wire/schemas.ts'
import type { AgentFile } from '../../agent-files/agent-file.ts'
import type { Asks } from './asks.ts'
import type { Bus } from './bus.ts'
import { connectorTools } from './connectors/tools.ts'
import { createGate, permissionOf } from './gate.ts'
import type { Models } from './models.ts'
import { openAgentSession } from './open-session.ts'
import { isForbidden, rulesOf } from '../../agent-files/permissions.ts'
import { recordsOf } from './records.ts'
import type { PiSettings } from './settings.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import { platformTools, type Task } from './tools.ts'
import { answerText, messageId } from './wire.ts'

export interface Prompt {
  readonly text: string
  readonly agent: AgentFile | null
  /** Null leaves the choice to pi. */
  readonly model: string | null
}

export type RunTask = (task: Task, parent: Conversation, signal: AbortSignal | undefined) => Promise<string>

export interface ConversationParts {
  readonly settings: PiSettings
  readonly models: Models
  readonly asks: Asks
  readonly bus: Bus
  readonly manager: SessionManager
  readonly runTask: RunTask | null
}

/** One of pi's sessions, spoken with as the platform speaks with every runtime. */
export class Conversation {
  readonly id: string
  readonly #parts: ConversationParts
  readonly #emitter: Emitter
  #session: AgentSession | null = null
  #agent: AgentFile | null = null
  #steps = 0
  #abortAsked = false
  state: 'idle' | 'busy' | 'retry' = 'idle'

  constructor(parts: ConversationParts) {
    this.#parts = parts
    this.id = parts.manager.getSessionId()
    const { bus, settings } = parts
    this.#emitter = createEmitter({ session_id: this.id, workspace: settings.workspace, bus })
  }

  /** Makes the first prompt wait for less. */
  async open(): Promise<AgentSession> {
    return (this.#session ??= await this.#openSession())
  }

  /** Runs one turn to its end; what goes wrong in it is told on the stream. */
  async run({ text, agent, model }: Prompt): Promise<void> {
    const { bus, models } = this.#parts
    this.state = 'busy'
    this.#abortAsked = false
    this.#agent = agent
    this.#steps = 0
    bus.publish('session.status', { sessionID: this.id, status: { type: 'busy' } })
    try {
      if (agent !== null && agent.problem !== null) throw new Error(agent.problem)
      const session = await this.open()
      if (model !== null) {
        const found = models.find(model)
        if (!found) throw new Error(`There is no model ${model}`)
        await session.setModel(found)
      }
      session.setActiveToolsByName(this.#allowedTools(session))
      await session.prompt(text, { expandPromptTemplates: false })
      await session.agent.waitForIdle()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      bus.publish('session.error', { sessionID: this.id, error: { name: 'UnknownError', data: { message } } })
    } finally {
      this.#emitter.settle()
      this.state = 'idle'
      bus.publish('session.idle', { sessionID: this.id })
    }
  }

  async abort(): Promise<void> {
    if (this.state === 'idle') return
    this.#abortAsked = true
    await this.#session?.abort()
  }

  /** Takes the conversation back to where it was before a message; files stay as they are. False without it. */
  async revert(message_id: string): Promise<boolean> {
    const entry = this.#parts.manager.getBranch().find((candidate) => {
      if (candidate.type !== 'message') return false
      const { message } = candidate
      return (message.role === 'user' || message.role === 'assistant') && messageId(message) === message_id
    })
    if (!entry) return false
    const session = await this.open()
    const isPrompt = entry.type === 'message' && entry.message.role === 'user'
    const target = isPrompt ? entry.id : entry.parentId
    if (target !== null) await session.navigateTree(target)
    return true
  }

  records(): readonly SentRecord[] {
    return recordsOf(this.#parts.manager, this.state !== 'idle')
  }

  lastText(): string {
    const last = this.#session?.messages.findLast((message) => message.role === 'assistant')
    if (last?.role !== 'assistant') return ''
    if (last.stopReason === 'error') throw new Error(last.errorMessage ?? 'The agent failed')
    return answerText(last)
  }

  get modelName(): string | null {
    const model = this.#session?.model
    return model === undefined ? null : `${model.provider}/${model.id}`
  }

  async close(): Promise<void> {
    await this.abort()
    this.#session?.dispose()
  }

  async #openSession(): Promise<AgentSession> {
    const { settings, models, asks, bus, manager, runTask } = this.#parts
    const session = await openAgentSession({
      settings,
      models,
      manager,
      tools: [
        ...platformTools({
          session_id: this.id,
          asks,
          bus,
          runTask: runTask === null ? null : (task, signal) => runTask(task, this, signal),
        }),
        ...(await connectorTools(settings.executor)),
      ],
      gate: createGate({
        session_id: this.id,
        workspace: settings.workspace,
        arrival: settings.arrival,
        agent: () => this.#agent,
        stepsTaken: () => this.#steps,
        signal: () => this.#session?.agent.signal,
        asks,
      }),
    })
    session.subscribe((event) => {
      if (event.type === 'turn_start') this.#steps += 1
      if (event.type === 'auto_retry_start') this.state = 'retry'
      if (event.type === 'agent_start') this.state = 'busy'
      this.#emitter.onEvent(event)
      // An abort that came before the turn had anything to abort.
      if (event.type === 'agent_start' && this.#abortAsked) void session.abort()
    })
    return session
  }

  #allowedTools(session: AgentSession): string[] {
    const { permission, tools = {} } = this.#agent ?? {}
    const rules = rulesOf(permission)
    const names = session.getAllTools().map(({ name }) => name)
    const defaults = new Set([...defaultTools, ...names.filter((name) => platformNames.has(name))])
    return names.filter(
      (name) => defaults.has(name) && tools[name] !== false && !isForbidden(rules, permissionOf(name)),
    )
  }
}

const defaultTools = ['read', 'bash', 'edit', 'write', 'ls']
const platformNames = new Set(['question', 'todowrite', 'task'])
