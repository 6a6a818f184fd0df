import { createOpencodeClient } from '@opencode-ai/sdk/v2/client'
import { z } from 'zod'
import { daemonLimits } from '../../limits.ts'
import { type RuntimeClient, type RuntimePrompt, RuntimeRefusal } from '../runtime.ts'
import { runtimeMessage, turnRecordOf } from './messages.ts'
import { StoredMessages } from './schemas.ts'
import { readStream } from './stream.ts'
import type { Translator } from './translate.ts'

interface Answer<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly response?: Response | undefined
}

const Failure = z.object({
  data: z.object({ message: z.string() }).optional(),
  message: z.string().optional(),
})

async function ask<T>(
  pending: Promise<Answer<T>>,
): Promise<{ readonly data: T | undefined; readonly response: Response }> {
  const { data, error, response } = await pending
  if (response?.ok) return { data, response }
  const failure = Failure.safeParse(error)
  const text = failure.success ? (failure.data.data?.message ?? failure.data.message) : undefined
  throw new RuntimeRefusal(text ?? 'The agent runtime does not answer', response?.status ?? 503)
}

const turnMessages = 50
const replayedMessages = 20
const requestMs = 30_000

/** `provider/model`; a bare name is a model of the session's own gateway. */
export function modelRef(model: string, provider: string): { providerID: string; modelID: string } {
  const slash = model.indexOf('/')
  if (slash < 1) return { providerID: provider, modelID: model }
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) }
}

/** As the agent's file names it: the gateway's models are qualified by the platform, not by the file's author. */
function joinModel({ providerID, modelID }: { providerID: string; modelID: string }): string {
  return modelID === '' ? providerID : `${providerID}/${modelID}`
}

export function createWireClient(parts: {
  readonly baseUrl: string
  readonly authorization: string
  /** The project that is meant, where it is not the one that the process was started in. */
  readonly directory?: string
  readonly translator: Translator
  /** The session that is told whole. */
  readonly root: { current: string | null }
  /** `model` was asked for; `fallback` serves agents that name none of their own. */
  readonly defaults: {
    readonly agent: string | undefined
    readonly model: string | undefined
    readonly fallback: string | undefined
  }
  readonly qualify: (model: string) => string
  readonly gateway: string
}): RuntimeClient {
  const { baseUrl, authorization, directory, translator, root, defaults } = parts
  // A pooled socket of an earlier process would fail the first call to this one.
  const headers = {
    authorization,
    connection: 'close',
    ...(directory === undefined ? {} : { 'x-opencode-directory': encodeURIComponent(directory) }),
  }
  const c = createOpencodeClient({ baseUrl, headers, fetch: (input, init) => fetch(input, init) })
  const timed = () => ({ signal: AbortSignal.timeout(requestMs) })
  // A session that was opened a moment ago, and of which nothing was said yet: there is nothing to ask about it.
  let fresh: string | null = null
  let connected = false
  let agents: Promise<ReadonlyMap<string, { readonly model: string | undefined }>> | null = null

  async function stored(session_id: string, limit: number, before?: string) {
    const query = { sessionID: session_id, limit, ...(before === undefined ? {} : { before }) }
    const { data, response } = await ask(c.session.messages(query, timed()))
    return { messages: StoredMessages.parse(data), next_before: response.headers.get('x-next-cursor') }
  }

  function knownAgents() {
    agents ??= readAgents()
    agents.catch(() => (agents = null))
    return agents
  }

  async function readAgents() {
    const { data = [] } = await ask(c.app.agents({}, timed()))
    return new Map(data.map(({ name, model }) => [name, { model: model && joinModel(model) }]))
  }

  /**
   * An agent that the runtime has no file for would end the turn at once; the runtime's own default works. A model is
   * always named, since the runtime would else go on with the one of the prompt before.
   */
  async function route(prompt: RuntimePrompt) {
    const name = prompt.agent ?? defaults.agent
    const agent = name === undefined ? undefined : (await knownAgents()).get(name)
    const model = prompt.model ?? defaults.model ?? agent?.model ?? defaults.fallback
    return {
      ...(agent && name !== undefined ? { agent: name } : {}),
      ...(model === undefined ? {} : { model: modelRef(parts.qualify(model), parts.gateway) }),
    }
  }

  return {
    openSession: async (known, title) => {
      // The first prompt is sooner there when they are known by then.
      if (defaults.agent !== undefined) void knownAgents().catch(() => undefined)
      if (known !== null) {
        const found = await c.session.get({ sessionID: known }, timed())
        if (found.data) return (root.current = found.data.id)
        if (found.response?.status !== 404) await ask(Promise.resolve(found))
      }
      const { data } = await ask(c.session.create({ title }, timed()))
      if (!data) throw new RuntimeRefusal('The agent runtime opened no session', 502)
      fresh = data.id
      return (root.current = data.id)
    },

    listen: (signal, onSignal) => {
      const replay = async (): Promise<void> => {
        if (root.current === null) return
        const { messages } = await stored(root.current, replayedMessages)
        for (const missed of translator.replay(messages)) onSignal(missed)
      }
      return readStream(
        (stop) => {
          // The client hears of no event between two streams.
          if (connected) fresh = null
          return fetch(`${baseUrl}/event`, { headers, signal: stop })
        },
        signal,
        (raw) => {
          for (const next of translator.translate(raw)) onSignal(next)
          if (raw.type !== 'server.connected') fresh = null
          else if (fresh === null) void replay().catch(() => undefined)
          connected ||= raw.type === 'server.connected'
        },
      )
    },

    busySessions: async () => {
      if (connected && fresh !== null) return new Map()
      const { data } = await ask(c.session.status({}, timed()))
      const busy = new Map<string, 'busy' | 'retrying'>()
      for (const [id, status] of Object.entries(data ?? {})) {
        if (status.type !== 'idle') busy.set(id, status.type === 'retry' ? 'retrying' : 'busy')
      }
      return busy
    },

    marker: async (session_id) => {
      if (connected && fresh === session_id) return null
      return (await stored(session_id, 1)).messages.at(-1)?.info.id ?? null
    },

    prompt: async (session_id, prompt) => {
      fresh = null
      const said = [{ type: 'text' as const, text: prompt.text }]
      await ask(
        c.session.promptAsync({ sessionID: session_id, parts: said, ...(await route(prompt)) }, timed()),
      )
    },

    turnRecord: async (session_id, marker) =>
      turnRecordOf((await stored(session_id, turnMessages)).messages, marker),

    abort: async (session_id) => void (await ask(c.session.abort({ sessionID: session_id }, timed()))),

    revert: async (session_id, message_id) =>
      void (await ask(c.session.revert({ sessionID: session_id, messageID: message_id }, timed()))),

    messages: async (session_id, { limit, before }) => {
      const page = await stored(session_id, limit, before)
      return { messages: page.messages.map(runtimeMessage), next_before: page.next_before }
    },

    answerPermission: async (request_id, reply, message) => {
      if (typeof reply !== 'string')
        throw new RuntimeRefusal(
          'This runtime offers no answers of its own: reply once, always or reject',
          400,
        )
      const body = { requestID: request_id, reply, ...(message === undefined ? {} : { message }) }
      await ask(c.permission.reply(body, timed()))
    },

    answerQuestion: async (request_id, answers) => {
      if (answers === null) await ask(c.question.reject({ requestID: request_id }, timed()))
      else await ask(c.question.reply({ requestID: request_id, answers }, timed()))
    },

    healthy: async () => {
      const health = await c.global.health({ signal: AbortSignal.timeout(daemonLimits.platformRequestMs) })
      return health.data?.healthy === true
    },
  }
}
