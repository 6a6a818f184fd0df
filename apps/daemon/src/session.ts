import type { Checkpoints } from './checkpoints/checkpoints.ts'
import { createAsks } from './events/asks.ts'
import type { Reporter } from './events/reporter.ts'
import type { DaemonEnv } from './env.ts'
import { type Log, messageOf } from './log.ts'
import { daemonLimits } from './limits.ts'
import type { Platform } from './platform/open-platform.ts'
import { createActivity } from './prompts/activity.ts'
import { createDrain } from './prompts/drain.ts'
import { createHold } from './prompts/hold.ts'
import type { QueuedPrompt } from './prompts/queue.ts'
import { type OpenRuntime, PromptRunner } from './prompts/runner.ts'
import type { TurnOutcome } from './prompts/turn.ts'
import { createWording } from './prompts/wording.ts'
import type { Repository } from './repository/repository.ts'
import { createWork } from './repository/work.ts'
import type { EnvironmentChange, SessionEnvironment } from './runtimes/environment.ts'
import type { AgentRuntime, Ask, RunningRuntime, RuntimeSignal } from './runtimes/runtime.ts'
import { Supervisor } from './runtimes/supervisor.ts'
import type { WaitingRuntime } from './runtimes/waiting.ts'
import { refuse } from './http/answers.ts'
import { deferred } from './shared/deferred.ts'
import { pause } from './shared/backoff.ts'
import { step, tellSteps } from './shared/steps.ts'
import type { SessionStore } from './state/session-store.ts'

export interface SessionParts {
  readonly env: DaemonEnv
  readonly store: SessionStore
  readonly runtime: AgentRuntime
  /** A process of it that was started before the session was known. */
  readonly waiting: WaitingRuntime | null
  readonly environment: SessionEnvironment
  readonly repository: Repository
  readonly reporter: Reporter
  readonly checkpoints: Checkpoints
  readonly platform: Pick<Platform, 'api' | 'lease' | 'outbox'>
  /** The agent has begun to answer: the start is over. */
  readonly onSpoken: () => void
  readonly log: Log
}

const connectMs = 3_000

/** The agent's session in this sandbox: repository, runtime process and prompt queue, brought together. */
export function createSession(parts: SessionParts) {
  const { env, store, runtime, environment, repository, reporter, checkpoints, platform, log } = parts
  const { lease } = platform
  const work = createWork({ repository, checkpoints, onWhole: runtime.arrived })
  let open: OpenRuntime | null = null
  let restartWanted = false
  let ended = false

  const activity = createActivity(() => changed())
  const asks = createAsks({
    onAsked: reporter.ask,
    onExpired: (ask) => tellAsk(ask, 'expired'),
    onTimedOut: (ask) => {
      const seconds = Math.round(env.ask_timeout_ms / 1000)
      tellAsk(ask, 'timed_out', `Nobody answered within ${seconds} s`)
      void rejectAsk(ask).catch((error: unknown) => log.warn('an ask was not rejected', { error }))
    },
    patienceMs: env.ask_timeout_ms,
  })
  const runner = new PromptRunner({
    store,
    runtime: () => open,
    mayBegin: () => !restartWanted && !hold.held && !work.missing,
    wording: createWording({ store, api: platform.api, reporter, log }),
    onBegin: ({ prompt_id }) => {
      reporter.localEvent({ type: 'turn', at: now(), payload: { prompt_id, state: 'begin' } })
      reporter.report({ kind: 'turn_begin', prompt_id })
      changed()
    },
    onEnd: (prompt_id, outcome) => {
      asks.expire()
      endTurn(prompt_id, outcome)
      changed()
      if (!ended) void work.save('turn')
    },
    log,
  })
  const hold = createHold({ mostMs: daemonLimits.drainedMs, onRelease: () => runner.wake() })
  const drain = createDrain({ hold, isBusy, interrupt, work, outbox: platform.outbox })
  const supervisor = new Supervisor({
    owner: env.owner ?? env.session_id,
    runtime,
    waiting: parts.waiting,
    environment: environment.current,
    events: { onUp, onDown, onFailed },
    limits: { readyMs: daemonLimits.runtimeReadyMs, restarts: daemonLimits.runtimeRestarts },
    log,
  })

  function tellAsk({ kind: type, request_id }: Ask, state: string, message?: string): void {
    const payload = { request_id, state, ...(message === undefined ? {} : { message }) }
    reporter.event({ event_id: `${type}:${request_id}:${state}`, type, at: now(), payload })
  }

  /** The agent hears of a permission why it was not given; a question has no room for words. */
  async function rejectAsk({ kind, request_id }: Ask): Promise<void> {
    const words = 'Nobody answered in time. Go on without it, or say what you would need.'
    if (kind === 'permission') await open?.client.answerPermission(request_id, 'reject', words)
    else await open?.client.answerQuestion(request_id, null)
  }

  function endTurn(prompt_id: string, { status, error }: TurnOutcome): void {
    const told = error === undefined ? {} : { error: log.redact(error) }
    reporter.localEvent({
      type: 'turn',
      at: now(),
      payload: { prompt_id, state: 'end', status, error: null, ...told },
    })
    reporter.report({ kind: 'turn_end', prompt_id, status, ...told })
  }

  /** Whatever changed may start or end the lease, and may be the moment for a restart that waits. */
  function changed(): void {
    lease.setBusy(!ended && isBusy())
    if (!restartWanted || isBusy() || ended) return
    restartWanted = false
    // What waits is for the next process: this one may still answer while it ends.
    open = null
    supervisor.restart()
  }

  function isBusy(): boolean {
    return runner.current !== null || activity.sessions.size > 0
  }

  function hear(signal: RuntimeSignal): void {
    if (signal.kind === 'event') reporter.event(signal.event)
    if (signal.kind === 'delta') {
      reporter.delta(signal.message_id, signal.delta)
      step('first_token')
      parts.onSpoken()
      tellSteps(log)
    }
    if (signal.kind === 'connected') void resync()
    activity.hear(signal)
    asks.hear(signal)
    runner.hear(signal)
  }

  async function resync(): Promise<void> {
    const client = open?.client
    const busy = await client?.busySessions().catch(() => undefined)
    if (busy && open?.client === client) activity.replace(busy)
  }

  async function onUp({ client }: RunningRuntime, gone: AbortSignal): Promise<void> {
    await work.settings
    if (gone.aborted) return
    step('runtime_settles')
    if (await runtime.settle()) return supervisor.restart()
    const known = store.state.runtime_session_id
    const connected = deferred<true>()
    const listen = () =>
      void client.listen(gone, (signal) => {
        if (signal.kind === 'connected') connected.resolve(true)
        hear(signal)
      })
    // Of a session that is not there yet nothing can be missed, or be told twice.
    if (known === null) listen()
    const session_id = await client.openSession(known, `Session ${env.session_id}`)
    step('runtime_session')
    if (gone.aborted) return
    if (session_id !== known) {
      const history_owed = known !== null || env.continues
      store.update({ ...store.state, runtime_session_id: session_id, history_owed })
    }
    reporter.report({ kind: 'runtime_session', runtime_session_id: session_id })
    if (known !== null) listen()
    // A prompt before the stream runs would have its first events only in the replay.
    await Promise.race([connected.promise, pause(connectMs, gone)])
    if (!runtime.begins_early) await work.whole
    if (gone.aborted) return
    step('runtime_stream')
    open = { client, session_id }
    // In one that was just opened nothing runs.
    if (session_id === known) await resync()
    runner.wake()
  }

  function onDown(): void {
    open = null
    runner.interrupt('The agent runtime stopped in the middle of this turn')
    asks.expire()
    activity.replace(new Map())
  }

  function onFailed(lastWords: string): void {
    const words = `The agent runtime keeps ending. ${lastWords}`
    reporter.error(`runtime:${Date.now()}`, words)
    void runner.giveUp(words)
  }

  async function openRepository(): Promise<void> {
    const problem = await work.open()
    if (problem === null) return
    reporter.error(`repository:${Date.now()}`, problem)
    // A turn that began early would wait for it.
    await interrupt(problem, daemonLimits.farewellMs)
  }

  /** Ends what the runtime works on: the turn, and whatever else its sessions do. */
  async function interrupt(why: string, withinMs: number): Promise<void> {
    const { client } = open ?? {}
    const busy = [...activity.sessions.keys()]
    runner.interrupt(why)
    if (!client || busy.length === 0) return
    await Promise.race([Promise.allSettled(busy.map((id) => client.abort(id))), pause(withinMs)])
  }

  const periodic = setInterval(() => {
    if (isBusy()) void work.save('periodic')
  }, daemonLimits.checkpointMs)
  periodic.unref()

  function restartWhenIdle(): 'now' | 'when_idle' {
    restartWanted = true
    changed()
    return restartWanted ? 'when_idle' : 'now'
  }

  return {
    start: () => {
      if (env.monitors) {
        parts.waiting?.end()
        return void openRepository()
      }
      runner.recover()
      if (env.initial_prompt !== undefined) {
        runner.accept({ prompt_id: env.initial_prompt_id, text: env.initial_prompt })
      }
      supervisor.start()
      void openRepository()
    },
    open: () => open,
    running: () => supervisor.running,
    /** Somebody wants it to work: a sandbox that was drained goes on, a runtime that was given up is tried again. */
    accept: (prompt: QueuedPrompt) => {
      if (env.monitors) refuse(409, 'This sandbox runs monitors; no agent works in it', 'no_agent')
      // One that comes during the drain was sent before it: its turn would only be cut short.
      if (!drain.running) hold.release()
      runner.accept(prompt)
      if (supervisor.state === 'failed') supervisor.start()
    },
    withdraw: (prompt_id: string) => runner.withdraw(prompt_id),

    drain: drain.run,

    /** Ends what is in work; prompts that wait go on afterwards. */
    stop: async () => {
      if (runner.abort() || !open) return
      for (const session_id of activity.sessions.keys()) await open.client.abort(session_id)
    },

    /** What stands in the way of the branch is left as it is, and the runtime too. */
    refresh: async () => {
      const { blocked, ...outcome } = await work
        .refresh()
        .catch((error: unknown) => refuse(502, log.redact(messageOf(error)), 'refresh_failed'))
      if (blocked) refuse(409, outcome.note ?? 'Work in the sandbox stands in the way', 'refresh_blocked')
      return { ...outcome, restart: restartWhenIdle() }
    },

    /** The runtime is given a new start with it once its turn has ended. */
    changeEnvironment: (change: EnvironmentChange) => ({
      ok: true,
      restart: environment.change(change) && !env.monitors ? restartWhenIdle() : ('none' as const),
    }),

    health: () => ({
      state: supervisor.state,
      error: supervisor.error,
      runtime_session_id: store.state.runtime_session_id,
    }),

    state: () => ({
      session_id: env.session_id,
      runtime_session_id: store.state.runtime_session_id,
      runtime: supervisor.state,
      status: isBusy() ? 'busy' : 'idle',
      current_prompt_id: runner.current,
      queue: store.state.queue.map(({ prompt_id, text }) => ({ prompt_id, text })),
      busy_sessions: Object.fromEntries(activity.sessions),
      asks: asks.pending,
      agent: env.agent_name ?? null,
      model: env.model ?? null,
    }),

    close: async () => {
      ended = true
      clearInterval(periodic)
      hold.close()
      const { client } = open ?? {}
      // First, so that the turn ends as interrupted and not as what the aborts make of it.
      await runner.close()
      const farewell = client
        ? [...activity.sessions.keys()].map((session_id) => client.abort(session_id))
        : []
      await Promise.race([Promise.allSettled(farewell), pause(daemonLimits.farewellMs)])
      await supervisor.close()
    },
  }
}

const now = (): string => new Date().toISOString()
