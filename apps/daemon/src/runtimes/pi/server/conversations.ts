import { join } from 'node:path'
import { type AgentFile, readAgents } from '../../agent-files/agent-file.ts'
import { type Asks, createAsks } from './asks.ts'
import { type Bus, createBus } from './bus.ts'
import { Conversation, type RunTask } from './conversation.ts'
import { openModels } from './models.ts'
import { createSessionFile, openSessionFile } from './session-file.ts'
import type { PiSettings } from './settings.ts'

export interface Conversations {
  readonly bus: Bus
  readonly asks: Asks
  create(title: string | undefined): Promise<Conversation>
  /** Also one of an earlier process. */
  find(id: string): Conversation | null
  all(): readonly Conversation[]
  agents(): Promise<ReadonlyMap<string, AgentFile>>
  close(): Promise<void>
}

/** The usual helper, which needs no file. */
const general = 'general'

export function createConversations(settings: PiSettings): Conversations {
  const bus = createBus()
  const asks = createAsks(bus)
  const models = openModels(settings)
  const folder = join(settings.agent_dir, 'sessions')
  const open = new Map<string, Conversation>()
  const agents = () => readAgents(settings.config_dir)

  function keep(manager: ReturnType<typeof createSessionFile>, task: RunTask | null): Conversation {
    const conversation = new Conversation({ settings, models, asks, bus, manager, runTask: task })
    open.set(conversation.id, conversation)
    return conversation
  }

  const runTask: RunTask = async (task, parent, signal) => {
    const known = await agents()
    const agent = known.get(task.subagent_type) ?? null
    if (agent?.mode === 'primary' || (agent === null && task.subagent_type !== general)) {
      const names = [...known.values()].flatMap(({ name, mode }) => (mode === 'primary' ? [] : [name]))
      throw new Error(`There is no agent ${task.subagent_type}. There are: ${[general, ...names].join(', ')}`)
    }
    const child = keep(createSessionFile(folder, settings.workspace, parent.id), null)
    const stop = (): void => void child.abort()
    signal?.addEventListener('abort', stop)
    try {
      await child.run({ text: task.prompt, agent, model: agent?.model ?? parent.modelName })
      if (signal?.aborted) throw new Error('The task was aborted')
      return child.lastText()
    } finally {
      signal?.removeEventListener('abort', stop)
      open.delete(child.id)
      await child.close()
    }
  }

  return {
    bus,
    asks,
    create: async (title) => {
      const manager = createSessionFile(folder, settings.workspace)
      if (title !== undefined) manager.appendSessionInfo(title)
      const conversation = keep(manager, runTask)
      await conversation.open()
      return conversation
    },
    find: (id) => {
      const known = open.get(id)
      if (known) return known
      const manager = openSessionFile(folder, settings.workspace, id)
      return manager && keep(manager, runTask)
    },
    all: () => [...open.values()],
    agents,
    close: async () => void (await Promise.allSettled([...open.values()].map((one) => one.close()))),
  }
}
