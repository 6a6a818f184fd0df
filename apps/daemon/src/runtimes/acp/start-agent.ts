import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { HarnessLaunch } from '@svc/harness'
import { deferred } from '../../shared/deferred.ts'
import { shortHash } from '../../shared/short-hash.ts'
import { step } from '../../shared/steps.ts'
import { writeFileAtomically } from '../../shared/write-file.ts'
import { version } from '../../version.ts'
import { rulesOf } from '../agent-files/permissions.ts'
import { gatewayKey } from '../gateway-names.ts'
import { becomeReady, followProcess, spawnRuntime } from '../process.ts'
import { familyVariable } from '../process-family.ts'
import type { RunningRuntime, RuntimeInfo, RuntimeParts, RuntimeSignal, RuntimeStart } from '../runtime.ts'
import { agentEnvironment } from './agent-environment.ts'
import { createAsks } from './asks/asks.ts'
import { createAcpClient } from './client.ts'
import { clientCapabilities, connectAgent } from './connection.ts'
import { createConversation } from './conversation.ts'
import { instruct } from './instruct.ts'
import { authenticate, openAgentSession } from './open-agent-session.ts'
import { shownOptions } from './options.ts'
import { openRecord } from './record.ts'
import { Initialized } from './schemas.ts'
import { createTerminals } from './terminals.ts'
import { noneUnread } from './unread.ts'
import { type AgentState, createUpdates, isOfCommands } from './updates.ts'
import { createWatchdog } from './watchdog.ts'

export interface AgentStart {
  readonly start: RuntimeStart
  readonly launch: HarnessLaunch
  readonly env: Readonly<Record<string, string>>
  readonly config_dir: string
  /** The number of the process before this one; null for the first of this daemon. */
  readonly epoch: number | null
}

const defaultSilenceSeconds = 600

/** Starts an agent of the protocol. Resolves once it has introduced itself. */
export async function startAgent(
  parts: RuntimeParts,
  { start, launch, env, config_dir, epoch: before }: AgentStart,
): Promise<RunningRuntime & { readonly epoch: number }> {
  const { workspace, home, log } = parts
  const folder = join(home, '.svc', 'acp')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const instructed = await instruct(parts, launch, config_dir)
  const own = await agentEnvironment(parts, launch, {
    ...{ env, config_dir, instructions: instructed.text },
    agents: instructed.agents,
  })
  const epoch = nextEpoch(folder, before)
  const early: RuntimeSignal[] = []
  const signals = { early, on: (signal: RuntimeSignal): void => void early.push(signal) }
  const emit = (signal: RuntimeSignal): void => signals.on(signal)
  const now = Date.now
  const [file = '', ...args] = launch.command

  step('runtime_configured')
  const spawned_at = now()
  const spawned = spawnRuntime(start.owner, { file, args, env: own.env, cwd: workspace })
  const { child, id } = spawned
  const { onLine, ...process } = followProcess(spawned)
  createInterface({ input: child.stderr }).on('line', onLine)
  step('runtime_begun')

  const state: AgentState = { options: [], modes: null, models: null, kinds: new Map(), unread: noneUnread() }
  const current = { agent: parts.agent }
  let lastLine = now()
  let updateCount = 0
  let opened_id = ''
  let isAlive = true
  let ready_ms: number | null = null
  // Whatever comes while a session is opened is a replay, but for the commands, which nothing else names.
  let commands: unknown = null
  let onUpdate = (params: unknown): void => {
    if (isOfCommands(params)) commands = params
  }
  void process.exited.then(() => (isAlive = false))

  const asks = createAsks({
    ...{ workspace, epoch, emit, now },
    rules: () =>
      launch.reads_agents ? null : rulesOf(instructed.agents.get(current.agent ?? '')?.permission),
    kindOf: (call_id) => state.kinds.get(call_id),
  })
  const terminals = createTerminals({
    env: { ...own.env, [familyVariable]: id },
    onOutput: () => watchdog.sign(),
  })
  const watchdog = createWatchdog({
    silence_ms: Number(env['SVC_HARNESS_SILENCE_SECONDS'] ?? defaultSilenceSeconds) * 1000,
    pid: child.pid,
    signs: () => ({ asks: asks.open, terminals: terminals.running }),
    onSilent: (since) => {
      note({}, 'silent')
      say('runtime', { state: 'silent', since: since.toISOString() })
    },
    onDead: () => {
      say('error', { message: `The agent gave no sign of life for long, and was ended` })
      void process.stop()
    },
  })
  const connection = connectAgent({
    ...{ child, asks, terminals, workspace },
    roots: [workspace, home, tmpdir()],
    events: {
      onLine: () => {
        lastLine = now()
        watchdog.sign()
      },
      onUpdate: (params) => {
        updateCount += 1
        onUpdate(params)
      },
      onGarbage: (line) => {
        state.unread.garbage_lines += 1
        onLine(line.slice(0, 500))
      },
      onTooLong: () =>
        say('error', { message: 'The agent sent a message that is too long, which was left out' }),
      onHopeless: () => void process.stop(),
    },
  })
  void process.exited.then(() => {
    note({}, 'down')
    sayUnread()
    asks.cancelAll()
    terminals.killAll()
    connection.close()
  })
  let saidCount = 0
  function say(type: 'runtime' | 'error', payload: Record<string, unknown>): void {
    saidCount += 1
    const event_id = `${type}:${epoch}:said:${saidCount}`
    emit({ kind: 'event', event: { event_id, type, at: new Date(now()).toISOString(), payload } })
  }
  function note(info: Omit<RuntimeInfo, 'epoch' | 'state'>, as: RuntimeInfo['state'] = 'ready'): void {
    const measured = ready_ms === null ? {} : { ready_ms }
    emit({ kind: 'info', info: { epoch, state: as, ...measured, ...info } })
  }

  function sayUnread(): void {
    const { unread } = state
    if (unread.unknown_updates + unread.garbage_lines === 0) return
    say('runtime', { ...unread })
    Object.assign(unread, noneUnread())
  }

  const met = deferred<Initialized>()
  const meet = async (): Promise<void> => {
    const answer = await connection.agent.request<unknown>(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: clientCapabilities(launch),
      clientInfo: { name: 'svc', title: 'svc', version },
    })
    const initialized = Initialized.parse(answer)
    if (initialized.protocolVersion !== PROTOCOL_VERSION)
      throw new Error(
        `The agent speaks version ${initialized.protocolVersion} of the Agent Client Protocol; this platform speaks ${PROTOCOL_VERSION}`,
      )
    met.resolve(initialized)
    await signIn()
  }
  const signIn = async (): Promise<boolean> => {
    const isAsked = launch.gateway === 'authenticate' || launch.of_repository
    if (launch.auth !== 'gateway' || !isAsked) return false
    const { base_url } = parts.gateway
    const { dialect } = launch.settings
    return authenticate(connection, await met.promise, { base_url, key: env[gatewayKey] }, dialect)
  }
  let problem: Error | null = null
  const ready = meet().catch(async (error: unknown) => {
    // One that has ended is never ready, and says why by itself.
    if (connection.signal.aborted) return new Promise<never>(() => undefined)
    problem = error instanceof Error ? error : new Error(String(error))
    await process.stop()
  })
  await becomeReady(process, ready, start).catch((error: unknown) => {
    throw problem ?? error
  })
  if (problem !== null) throw problem as Error
  const initialized = await met.promise
  step('runtime_listens')

  const client = createAcpClient({
    ...{ connection, launch, asks, state, signals, emit, current },
    options: () => shownOptions(state),
    open: async (known) => {
      const { session_id, opened, lost } = await openAgentSession({
        ...{ connection, initialized, launch, known, workspace, home, env, agent_env: own.env },
        lastLine: () => lastLine,
      })
      opened_id = session_id
      ready_ms ??= Math.max(0, now() - spawned_at)
      state.options = opened.configOptions ?? []
      state.modes = opened.modes ?? null
      state.models = opened.models ?? null
      const record = openRecord(folder, session_id, epoch)
      const conversation = createConversation({ record, workspace, now, emit })
      onUpdate = createUpdates({ conversation, ...{ state, emit, note, epoch, now } })
      if (commands !== null) onUpdate(commands)
      if (lost !== null) {
        const message = `The agent began a new conversation and is given the platform’s record of this one: ${lost}`
        say('runtime', { state: 'notice', message })
      }
      if (own.withheld.length > 0) {
        const names = own.withheld.join(', ')
        say('runtime', { state: 'notice', message: `Kept from the agent, since the gateway pays: ${names}` })
      }
      return { session_id, conversation, record }
    },
    onOptions: () =>
      note({
        agent_info: initialized.agentInfo ?? null,
        protocol_version: initialized.protocolVersion,
        capabilities: capabilitiesOf(initialized, launch),
        config_options: [...shownOptions(state)],
      }),
    agents: instructed.agents,
    agent: parts.agent,
    isHeldBack: () =>
      rulesOf(instructed.agents.get(parts.agent ?? '')?.permission).some(({ action }) => action !== 'allow'),
    owedInstructions: () => (instructed.goes_with_prompt ? owed(folder, opened_id, instructed.text) : ''),
    models: { asked: parts.gateway.model, fallback: parts.gateway.fallback },
    lastLine: () => lastLine,
    updateCount: () => updateCount,
    authenticate: signIn,
    watch: watchdog,
    killTerminals: terminals.killAll,
    sayUnread,
    kill: () => void process.stop(),
    isAlive: () => isAlive,
  })
  log.info('an agent introduced itself', { agent: initialized.agentInfo?.name, epoch })
  return { ...process, client, epoch }
}

/** Everything that people may be offered with this agent. */
function capabilitiesOf({ agentCapabilities }: Initialized, { asks, mcp }: HarnessLaunch) {
  const {
    loadSession = false,
    promptCapabilities,
    mcpCapabilities,
    sessionCapabilities,
  } = agentCapabilities ?? {}
  return {
    revert: false,
    resume: sessionCapabilities?.resume != null || loadSession,
    images: promptCapabilities?.image ?? false,
    questions: true,
    permissions: asks,
    commands: true,
    mcp: mcp.filter((transport) => mcpCapabilities?.[transport] === true),
  }
}

/** The text, where the session was not given it yet; what it was given is written down with its record. */
function owed(folder: string, session_id: string, text: string): string {
  const path = join(folder, `${shortHash(session_id)}.instructed`)
  const hash = shortHash(text)
  if (readText(path) === hash) return ''
  writeFileAtomically(path, hash)
  return text
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Rises with each process of the session's agent, over restarts of the daemon and in a new sandbox. */
function nextEpoch(folder: string, before: number | null): number {
  const path = join(folder, 'epoch')
  // A sandbox that is new knows of no earlier one; its time is later than any of theirs.
  const next = Math.max((before ?? (Number(readText(path)) || 0)) + 1, Math.floor(Date.now() / 1000))
  writeFileAtomically(path, `${next}\n`)
  return next
}
