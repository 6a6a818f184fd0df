import { settled } from '@svc/timing'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import type { Reporter } from '../events/reporter.ts'
import type { DaemonEnv } from '../env.ts'
import { type Log, messageOf } from '../log.ts'
import { daemonLimits } from '../limits.ts'
import { hideInbox } from '../inbox/put-file.ts'
import type { Platform } from '../platform/open-platform.ts'
import { createDrain } from '../prompts/drain.ts'
import { createHold } from '../prompts/hold.ts'
import type { QueuedPrompt } from '../prompts/queue.ts'
import { type OpenRuntime, PromptRunner } from '../prompts/runner.ts'
import { createWording } from '../prompts/wording.ts'
import type { Repository } from '../repository/repository.ts'
import { createWork } from '../checkpoints/work.ts'
import type { EnvironmentChange, SessionEnvironment } from '../runtimes/environment.ts'
import type { AgentRuntime } from '../runtimes/runtime.ts'
import { Supervisor } from '../runtimes/supervisor.ts'
import type { StandbyRuntime } from '../runtimes/standby/standby.ts'
import { refuse } from '../serving/answers.ts'
import type { SessionStore } from '../prompts/session-store.ts'
import { createRestarts } from './restarts.ts'
import { createRuntimeLink } from './runtime-link.ts'
import { createSessionAsks } from './session-asks.ts'
import { createTurnReports } from './turn-reports.ts'

export interface SessionParts {
  readonly env: DaemonEnv
  readonly store: SessionStore
  readonly runtime: AgentRuntime
  /** A process of it that was started before the session was known. */
  readonly standby: StandbyRuntime | null
  readonly environment: SessionEnvironment
  readonly repository: Repository
  readonly reporter: Reporter
  readonly checkpoints: Checkpoints
  readonly platform: Pick<Platform, 'api' | 'lease' | 'outbox'>
  /** The agent has begun to answer: the start is over. */
  readonly onSpoken: () => void
  readonly log: Log
}

/** The agent's session in this sandbox: repository, runtime process and prompt queue, brought together. */
export function createSession(parts: SessionParts) {
  const { env, store, runtime, environment, repository, reporter, checkpoints, platform, log } = parts
  const { lease } = platform
  const work = createWork({ repository, checkpoints, onWhole: runtime.arrived })
  let ended = false

  const link = createRuntimeLink({
    ...{ runtime, store, work, reporter, log, onSpoken: parts.onSpoken },
    title: `Session ${env.session_id}`,
    continues: env.continues,
    onSignal: (signal) => {
      asks.onSignal(signal)
      runner.onSignal(signal)
    },
    onActivity: changed,
    onOpen: () => runner.wake(),
    onStale: () => supervisor.restart(),
  })
  const asks = createSessionAsks({
    reporter,
    client: () => link.open?.client ?? null,
    timeoutMs: env.ask_timeout_ms,
    log,
  })
  const turns = createTurnReports({ reporter, log })
  const restarts = createRestarts({
    isBusy: () => ended || isBusy(),
    restart: () => {
      // Prompts that wait are for the next process: this one may still answer while it ends.
      link.close()
      supervisor.restart()
    },
  })
  const runner = new PromptRunner({
    store,
    runtime: () => link.open,
    mayBegin: () => !restarts.isPending && !hold.held && !work.missing,
    wording: createWording({ store, api: platform.api, reporter, log }),
    onBegin: ({ prompt_id }) => {
      turns.begin(prompt_id)
      changed()
    },
    onEnd: (prompt_id, outcome) => {
      asks.expire()
      turns.end(prompt_id, outcome)
      changed()
      if (!ended) void work.save('turn')
    },
    log,
  })
  const hold = createHold({ maxMs: daemonLimits.drainedMs, onRelease: () => runner.wake() })
  const drain = createDrain({ hold, isBusy, interrupt, work, outbox: platform.outbox })
  const supervisor = new Supervisor({
    owner: env.owner ?? env.session_id,
    runtime,
    standby: parts.standby,
    environment: environment.current,
    events: { onUp: link.onUp, onDown, onFailed },
    limits: { readyMs: daemonLimits.runtimeReadyMs, restarts: daemonLimits.runtimeRestarts },
    log,
  })

  /** Each change may start or end the lease, and may be the moment for a restart that waits. */
  function changed(): void {
    lease.setBusy(!ended && isBusy())
    restarts.check()
  }

  function isBusy(): boolean {
    return runner.current !== null || link.activity.sessions.size > 0
  }

  function onDown(): void {
    link.close()
    runner.interrupt('The agent runtime stopped in the middle of this turn')
    asks.expire()
    link.activity.replace(new Map())
  }

  function onFailed(logTail: string): void {
    const words = `The agent runtime keeps ending. ${logTail}`
    reporter.error(`runtime:${Date.now()}`, words)
    void runner.giveUp(words)
  }

  async function openRepository(): Promise<void> {
    const problem = await work.open()
    if (problem === null) {
      await hideInbox(env.workspace).catch((error: unknown) => log.warn('the inbox is not hidden', { error }))
      return
    }
    reporter.error(`repository:${Date.now()}`, problem)
    // A turn that began early would wait for it.
    await interrupt(problem, daemonLimits.farewellMs)
  }

  /** Ends all work of the runtime: the turn, and all else that its sessions do. */
  async function interrupt(why: string, withinMs: number): Promise<void> {
    const { client } = link.open ?? {}
    const busy = [...link.activity.sessions.keys()]
    runner.interrupt(why)
    if (!client || busy.length === 0) return
    await settled(withinMs, Promise.allSettled(busy.map((id) => client.abort(id))))
  }

  const periodic = setInterval(() => {
    if (isBusy()) void work.save('periodic')
  }, daemonLimits.checkpointMs)
  periodic.unref()

  return {
    start: () => {
      if (env.monitors) {
        parts.standby?.end()
        return void openRepository()
      }
      runner.recover()
      if (env.initial_prompt !== undefined) {
        runner.accept({ prompt_id: env.initial_prompt_id, text: env.initial_prompt })
      }
      supervisor.start()
      void openRepository()
    },
    open: (): OpenRuntime | null => link.open,
    running: () => supervisor.running,
    /** Accepts a prompt: a sandbox that was drained goes on, a runtime that was given up is tried again. */
    accept: (prompt: QueuedPrompt) => {
      if (env.monitors)
        refuse(409, 'This sandbox runs monitors; no agent works in it; start a session for one', 'no_agent')
      // A prompt that comes during the drain was sent before it: its turn would only be cut short.
      if (!drain.running) hold.release()
      runner.accept(prompt)
      if (supervisor.state === 'failed') supervisor.start()
    },
    withdraw: (prompt_id: string) => runner.withdraw(prompt_id),

    drain: drain.run,

    /** Ends what is in work; prompts that wait go on afterwards. */
    stop: async () => {
      const { client } = link.open ?? {}
      if (runner.abort() || !client) return
      for (const session_id of link.activity.sessions.keys()) await client.abort(session_id)
    },

    /** Brings the branch up to date. Work that stands in its way is left as it is, and the runtime too. */
    refresh: async () => {
      const { blocked, ...outcome } = await work
        .refresh()
        .catch((error: unknown) => refuse(502, log.redact(messageOf(error)), 'refresh_failed'))
      if (blocked) refuse(409, outcome.note ?? 'Work in the sandbox stands in the way', 'refresh_blocked')
      return { ...outcome, restart: restarts.whenIdle() }
    },

    /** The runtime is given a new start with it once its turn has ended. */
    changeEnvironment: (change: EnvironmentChange) => {
      for (const value of Object.values(change.set)) log.hide(value)
      const mustRestart = environment.change(change) && !env.monitors
      return { ok: true, restart: mustRestart ? restarts.whenIdle() : ('none' as const) }
    },

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
      busy_sessions: Object.fromEntries(link.activity.sessions),
      asks: asks.pending,
      agent: env.agent_name ?? null,
      model: env.model ?? null,
    }),

    close: async () => {
      ended = true
      clearInterval(periodic)
      hold.close()
      const { client } = link.open ?? {}
      // First, so that the turn ends as interrupted and not as what the aborts make of it.
      await runner.close()
      const farewell = client
        ? [...link.activity.sessions.keys()].map((session_id) => client.abort(session_id))
        : []
      await settled(daemonLimits.farewellMs, Promise.allSettled(farewell))
      await supervisor.close()
    },
  }
}

export type Session = ReturnType<typeof createSession>
