import { type ClientConnection, methods } from '@agentclientprotocol/sdk'
import type { HarnessLaunch } from '@svc/harness'
import { settled } from '@svc/timing'
import type { AgentFile } from '../agent-files/agent-file.ts'
import { type RuntimeClient, type RuntimePrompt, RuntimeRefusal, type RuntimeSignal } from '../runtime.ts'
import { whenAborted } from '../../shared/when-aborted.ts'
import { bareModel } from './agent-environment.ts'
import { runAgentTurn } from './agent-turn.ts'
import type { AcpAsks } from './asks/asks.ts'
import type { Conversation, TurnEnd } from './conversation.ts'
import { reasonOf } from './open-agent-session.ts'
import {
  checkedValue,
  invalidOption,
  modelOption,
  modelValue,
  modeOption,
  type ShownOption,
} from './options.ts'
import { type ConversationRecord, interrupted } from './record.ts'
import { ConfigOptions } from './schemas.ts'
import type { AgentState } from './updates.ts'

const deafMs = 10_000
const wordless =
  'The agent ended its turn without a word. If its model refused it, for a budget or another reason, the log of its calls says so: svc gateway logs'
const cutOffWords = '--- an earlier prompt, whose turn was cut off before any answer; some may be done ---'

/** An agent with its session open, as the rest of the daemon speaks with it. */
export interface OpenedAgent {
  readonly session_id: string
  readonly conversation: Conversation
  readonly record: ConversationRecord
}

export interface AcpClientParts {
  readonly connection: ClientConnection
  readonly launch: HarnessLaunch
  readonly asks: AcpAsks
  readonly state: AgentState
  readonly options: () => readonly ShownOption[]
  readonly open: (known: string | null) => Promise<OpenedAgent>
  /** Its listener, and the signals that came before there was one. */
  readonly signals: { on: (signal: RuntimeSignal) => void; readonly early: RuntimeSignal[] }
  readonly emit: (signal: RuntimeSignal) => void
  readonly onOptions: () => void
  /** True where the agent's own file asks or forbids anything. */
  readonly isHeldBack: () => boolean
  readonly agents: ReadonlyMap<string, AgentFile>
  /** The session's agent, whose instructions the program has. */
  readonly agent: string | undefined
  /** Instructions that the program was not given yet, and that go with the next prompt; they are given once. */
  readonly owedInstructions: () => string
  readonly models: { readonly asked: string | undefined; readonly fallback: string | undefined }
  readonly current: { agent: string | undefined }
  readonly lastLine: () => number
  readonly updateCount: () => number
  readonly authenticate: () => Promise<boolean>
  readonly watch: { begin(): void; stop(): void }
  readonly killTerminals: () => void
  /** Says how much of the agent's could not be read since it was last said. */
  readonly sayUnread: () => void
  /** Ends the process, which does not listen any more. */
  readonly kill: () => void
  readonly isAlive: () => boolean
}

export function createAcpClient(parts: AcpClientParts): RuntimeClient {
  const { connection, asks, emit, launch } = parts
  let opened: OpenedAgent | null = null
  let turn: Promise<void> | null = null
  let isAborted = false
  /** The agent answered nothing to a cancel: it is ended as soon as its turn was read, and given nothing more. */
  let deaf: 'no' | 'to_end' | 'ending' = 'no'

  function here(): OpenedAgent {
    if (opened === null) throw new RuntimeRefusal('The agent has no session yet', 503)
    return opened
  }

  function idle(end: TurnEnd): void {
    const { conversation, session_id } = here()
    conversation.end(end)
    turn = null
    parts.watch.stop()
    parts.sayUnread()
    if (end.error !== null) {
      const at = new Date().toISOString()
      const event_id = `error:${parts.updateCount()}:${at}`
      emit({ kind: 'event', event: { event_id, type: 'error', at, payload: { message: end.error } } })
      emit({ kind: 'session_error', session_id, message: end.error })
    }
    emit({ kind: 'session', session_id, state: 'idle' })
  }

  async function run(text: string): Promise<void> {
    const { session_id, conversation } = here()
    const end = await runAgentTurn({
      ...{ connection, session_id, text, conversation, isAborted: () => isAborted },
      ...{ lastLine: parts.lastLine, updateCount: parts.updateCount, authenticate: parts.authenticate },
    })
    // Nothing that was asked for in the turn waits for an answer after it.
    if (turn === null) return
    asks.cancelAll()
    parts.killTerminals()
    // A process that is gone has its turn interrupted by those who watch over it.
    if (connection.signal.aborted) conversation.end({ stop_reason: interrupted, aborted: false, error: null })
    else {
      // Some agents keep to themselves that their model refused.
      if (conversation.first_ms === null && end.error === null && !end.aborted) notice(emit, wordless)
      idle(end)
    }
  }

  /** The text for the program: with what it has no other way to know. */
  function worded({ text: asked, agent }: RuntimePrompt, unanswered: string | null): string {
    const text = unanswered === null ? asked : `${asked}\n\n${cutOffWords}\n\n${unanswered}`
    const isOther = agent !== undefined && agent !== parts.agent && !launch.reads_agents
    const other = isOther ? parts.agents.get(agent) : undefined
    const first = [parts.owedInstructions(), other?.prompt ?? ''].filter((part) => part !== '')
    return first.length === 0 ? text : `${text}\n\n--- instructions ---\n\n${first.join('\n\n')}`
  }

  async function set(option: ShownOption, value: string | boolean): Promise<void> {
    const { session_id } = here()
    const { agent } = connection
    const isApart = !parts.state.options.some(({ id }) => id === option.id)
    const isMode = option.id === modeOption && isApart
    if (option.id === modelOption && isApart && typeof value === 'string') {
      await agent.request<unknown>('session/set_model', { sessionId: session_id, modelId: value })
      if (parts.state.models !== null) parts.state.models = { ...parts.state.models, currentModelId: value }
      return
    }
    if (isMode && typeof value === 'string') {
      await agent.request(methods.agent.session.setMode, { sessionId: session_id, modeId: value })
      if (parts.state.modes !== null) parts.state.modes = { ...parts.state.modes, currentModeId: value }
      return
    }
    const chosen = typeof value === 'boolean' ? ({ type: 'boolean', value } as const) : { value }
    const request = { sessionId: session_id, configId: option.id, ...chosen }
    const answer: { configOptions?: unknown } = await agent.request(
      methods.agent.session.setConfigOption,
      request,
    )
    const read = ConfigOptions.safeParse(answer.configOptions)
    if (read.success) parts.state.options = read.data
  }

  /** A program that reads the agents' files has them as its modes; one that it does not know leaves it as it is. */
  async function chooseAgent(name: string | undefined): Promise<void> {
    if (!launch.reads_agents || name === undefined) return
    const option = parts.options().find(({ category }) => category === 'mode')
    const isOffered = option?.options.some(({ value }) => value === name) ?? false
    if (option !== undefined && isOffered && option.currentValue !== name) await set(option, name)
  }

  async function chooseModel({ model, agent }: RuntimePrompt): Promise<void> {
    const name = agent ?? parts.agent
    const own = name === undefined ? undefined : parts.agents.get(name)?.model
    const wanted = model ?? parts.models.asked ?? own ?? parts.models.fallback
    if (wanted === undefined) return
    const option = parts.options().find(({ category }) => category === 'model')
    const bare = bareModel(wanted)
    const value = option === undefined ? null : modelValue(option, [wanted, bare, `svc/${bare}`])
    if (option === undefined || (value === null && launch.model_by === 'env')) {
      // Its own list may lack the model that its variables name.
      if (model === undefined || isSame(model)) return
      throw new RuntimeRefusal(
        launch.model_by === 'env'
          ? `This agent starts with one model and keeps it; start another session with the model ${bare}`
          : `This agent offers no choice of models; prompt it without the model ${bare}`,
        400,
      )
    }
    if (value === null) {
      // The first model of the gateway was asked for by no name.
      if ((model ?? parts.models.asked ?? own) === undefined) return
      const listed = option.options.map((one) => one.value).join(', ')
      throw new RuntimeRefusal(`The agent has no model ${bare}; it has ${listed}`, 400)
    }
    if (option.currentValue !== value) await set(option, value)
  }

  const isSame = (model: string): boolean =>
    bareModel(model) === bareModel(parts.models.asked ?? parts.models.fallback ?? '')

  return {
    openSession: async (known) => {
      opened = await parts.open(known)
      const { session_id } = opened
      await startOptions(launch, parts.isHeldBack(), parts.options, set, (message) => notice(emit, message))
      parts.onOptions()
      return session_id
    },
    listen: async (signal, onSignal) => {
      parts.signals.on = onSignal
      onSignal({ kind: 'connected' })
      for (const early of parts.signals.early.splice(0)) onSignal(early)
      await whenAborted(signal)
    },
    busySessions: async () => {
      const isBusy = turn !== null || deaf === 'ending'
      return new Map(isBusy && opened !== null ? [[opened.session_id, 'busy'] as const] : [])
    },
    marker: async () => here().record.last?.message.message_id ?? null,
    prompt: async (_session, prompt) => {
      const { session_id, conversation } = here()
      if (turn !== null) throw new RuntimeRefusal('The agent is working', 409)
      parts.current.agent = prompt.agent ?? parts.agent
      await chooseAgent(parts.current.agent)
      await chooseModel(prompt)
      isAborted = false
      conversation.settleLate()
      const { unanswered } = here().record
      conversation.said(prompt.text)
      emit({ kind: 'session', session_id, state: 'busy' })
      parts.watch.begin()
      turn = run(worded(prompt, unanswered)).catch(() => undefined)
    },
    turnRecord: async (_session, marker) => {
      const { record: kept, conversation } = here()
      const { first_ms } = conversation
      const record = { ...kept.turnAfter(marker), ...(first_ms === null ? {} : { first_token_ms: first_ms }) }
      if (deaf === 'to_end') {
        deaf = 'ending'
        parts.kill()
      }
      return record
    },
    abort: async (session_id) => {
      const running = turn
      if (running === null) return
      isAborted = true
      asks.cancelAll()
      parts.killTerminals()
      await connection.agent.notify(methods.agent.session.cancel, { sessionId: session_id })
      if (await settled(deafMs, running)) return
      if (turn === null) return
      idle({ stop_reason: 'cancelled', aborted: true, error: null })
      deaf = 'to_end'
    },
    revert: async () => {
      throw new RuntimeRefusal(
        'This agent cannot take a message back: its protocol has no way to; start another session',
        409,
        { feature: 'revert' },
        'RUNTIME_UNSUPPORTED',
      )
    },
    messages: async (_session, page) => here().record.page(page),
    answerPermission: async (request_id, reply, message) => asks.answerPermission(request_id, reply, message),
    answerQuestion: async (request_id, answers) => asks.answerQuestion(request_id, answers),
    configure: async (_session, config) => {
      const checked = Object.entries(config).map(([id, value]) => checkedValue(parts.options(), id, value))
      for (const { option, value } of checked)
        await set(option, value).catch((error: unknown) => {
          const message = `The agent did not take ${String(value)} for ${option.id}: ${reasonOf(error)}`
          throw invalidOption(message, parts.options())
        })
      parts.onOptions()
      return [...parts.options()]
    },
    healthy: async () => parts.isAlive(),
  }
}

function notice(emit: (signal: RuntimeSignal) => void, message: string): void {
  const at = new Date().toISOString()
  const event_id = `runtime:${at}:${message}`
  emit({ kind: 'event', event: { event_id, type: 'runtime', at, payload: { state: 'notice', message } } })
}

/** The mode, the options and the variant of the manifest; one that is not offered is said, and fails no start. */
async function startOptions(
  { settings, asking_mode, free_mode }: HarnessLaunch,
  isHeldBack: boolean,
  options: () => readonly ShownOption[],
  set: (option: ShownOption, value: string | boolean) => Promise<void>,
  say: (message: string) => void,
): Promise<void> {
  const initial = isHeldBack ? asking_mode : (free_mode ?? asking_mode)
  const of = (category: string) => options().find((one) => one.category === category)
  const wanted = [
    { option: of('mode'), name: 'mode', value: settings.mode ?? initial, said: settings.mode !== null },
    { option: of('thought_level'), name: 'variant', value: settings.variant, said: true },
    ...Object.entries(settings.options).map(([id, value]) => ({
      ...{ option: options().find((one) => one.id === id), name: id, value, said: true },
    })),
  ]
  for (const { option, name, value, said } of wanted) {
    if (value === null || option?.currentValue === value) continue
    try {
      const checked = checkedValue(option === undefined ? [] : [option], option?.id ?? name, value)
      await set(checked.option, checked.value)
    } catch (error) {
      if (said) say(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
