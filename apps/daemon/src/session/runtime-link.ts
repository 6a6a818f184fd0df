import type { Reporter } from '../events/reporter.ts'
import { daemonLimits } from '../limits.ts'
import type { Log } from '../log.ts'
import { type Activity, createActivity } from '../prompts/activity.ts'
import type { OpenRuntime } from '../prompts/runner.ts'
import type { Work } from '../checkpoints/work.ts'
import type { AgentRuntime, RunningRuntime, RuntimeInfo, RuntimeSignal } from '../runtimes/runtime.ts'
import { step, logSteps } from '../shared/steps.ts'
import type { SessionStore } from '../prompts/session-store.ts'
import { openRuntimeSession } from './open-session.ts'

/** The session as the runtime that runs now has it. */
export interface RuntimeLink {
  /** Null while the runtime is away, or has not opened the session yet. */
  readonly open: OpenRuntime | null
  readonly activity: Activity
  /** Opens the session in a process that has just started. */
  onUp(running: RunningRuntime, gone: AbortSignal): Promise<void>
  /** Closes the link to a process that ends: it is given no prompt any more. */
  close(): void
}

export function createRuntimeLink(parts: {
  readonly title: string
  /** The session was in another sandbox before. */
  readonly continues: boolean
  readonly runtime: AgentRuntime
  readonly store: SessionStore
  readonly work: Pick<Work, 'settings' | 'whole'>
  readonly reporter: Reporter
  readonly onSignal: (signal: RuntimeSignal) => void
  readonly onActivity: () => void
  readonly onOpen: () => void
  /** The process has to be started anew with the settings of the repository. */
  readonly onStale: () => void
  /** The agent has begun to answer. */
  readonly onSpoken: () => void
  readonly log: Log
}): RuntimeLink {
  const { runtime, work, reporter } = parts
  const activity = createActivity(parts.onActivity)
  let open: OpenRuntime | null = null

  async function resync(): Promise<void> {
    const client = open?.client
    const busy = await client?.busySessions().catch(() => undefined)
    if (busy && open?.client === client) activity.replace(busy)
  }

  function onSignal(signal: RuntimeSignal): void {
    if (signal.kind === 'event') reporter.event(signal.event)
    if (signal.kind === 'info') reporter.report({ kind: 'runtime_info', ...bounded(signal.info) })
    if (signal.kind === 'output') reporter.output(signal.message_id, signal.call_id, signal.output)
    if (signal.kind === 'delta') {
      reporter.delta(signal.message_id, signal.delta, signal.thought)
      step('first_token')
      parts.onSpoken()
      logSteps(parts.log)
    }
    if (signal.kind === 'connected') void resync()
    activity.onSignal(signal)
    parts.onSignal(signal)
  }

  return {
    get open() {
      return open
    },
    activity,
    onUp: async ({ client }, gone) => {
      await work.settings
      if (gone.aborted) return
      step('runtime_settles')
      if (await runtime.settle()) return parts.onStale()
      const opened = await openRuntimeSession({ ...parts, client, gone, onSignal })
      if (opened === null) return
      if (!runtime.begins_early) await work.whole
      if (gone.aborted) return
      step('runtime_stream')
      open = opened
      // Nothing runs in a session that was just opened.
      if (opened.isKnown) await resync()
      parts.onOpen()
    },
    close: () => {
      open = null
    },
  }
}

/** An agent may offer more than the platform keeps, which would refuse all of it. */
function bounded(info: RuntimeInfo): RuntimeInfo {
  const { config_options, commands, ...rest } = info
  const { runtimeFacts } = daemonLimits
  return {
    ...rest,
    ...(config_options === undefined ? {} : { config_options: config_options.slice(0, runtimeFacts) }),
    ...(commands === undefined ? {} : { commands: commands.slice(0, runtimeFacts) }),
  }
}
