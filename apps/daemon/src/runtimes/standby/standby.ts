import { orAborted, settled } from '@svc/timing'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Log } from '../../log.ts'
import { deferred } from '../../shared/deferred.ts'
import { step } from '../../shared/steps.ts'
import { type RuntimeCommand, spawnRuntime } from '../process.ts'
import { endFamily, familyVariable } from '../process-family.ts'
import type { PrewarmTarget, PrewarmFixture } from './prewarm-target.ts'
import { prewarmVariable, prewarmingWord, standbyWord } from './standby-words.ts'

/** The start of a runtime before its session: it knows the sandbox, and nothing else. */
export type StandbyLaunch = RuntimeCommand & {
  /** Printed once there is nothing more that it can do beforehand. */
  readonly isReady: (line: string) => boolean
  /** True when the process reads this variable when it starts, and not only when it has a session. */
  readonly readsAtStart: (variable: string) => boolean
  readonly prewarm: (fixture: PrewarmFixture) => Promise<PrewarmTarget>
}

/** Gives the process an environment for the time of a prewarming; resolves when it can be asked for something. */
export type SetEnvironment = (env: Readonly<Record<string, string>>) => Promise<void>

/** A runtime's process that was started before its session was known, and takes the environment of one when it comes. */
export interface StandbyRuntime {
  readonly id: string
  readonly child: ChildProcess
  /** The secret that the process was told to demand of its callers. */
  readonly secret: string
  /**
   * True when it can run this command; the environment of the session is all that may differ. Known once the process
   * stands by, or is ready without that, or has ended. A prewarming ends here, finished or not.
   */
  fits(command: RuntimeCommand): Promise<boolean>
  /** Hands the environment over. `onLine` is given what the process has printed by then first. */
  give(env: Readonly<Record<string, string>>, onLine: (line: string) => void): void
  /** Ends it for a sandbox that ends, or has no use for it; a process that has its session is left alone. */
  end(): void
}

/** A prewarming that takes longer than this is given up. */
const prewarmTimeoutMs = 30_000
/**
 * Time that a session waits for a prewarming in its midst, since the session would have to open a project for the first
 * time as well. One that goes on longer could mistake the session's environment for its own, so that process ends.
 */
const takeOverTimeoutMs = 2_000

export async function spawnStandby(
  owner: string,
  launch: StandbyLaunch,
  secret: string,
  log: Log,
  prewarm: ((setEnvironment: SetEnvironment, signal: AbortSignal) => Promise<void>) | null = null,
): Promise<StandbyRuntime> {
  await endFamily(owner)
  const { id, child } = spawnRuntime(owner, launch)
  step('runtime_begun')
  const lines: string[] = []
  /** True when it reads the environment of its session from its standard input. */
  const standsBy = deferred<boolean>()
  const isSet = deferred<void>()
  const taken = new AbortController()
  let isGiven = false
  let prewarming: Promise<void> = Promise.resolve()
  const line = (env: Readonly<Record<string, string>>): string =>
    `${JSON.stringify({ ...env, [familyVariable]: id })}\n`
  let onLine = (text: string): void => {
    lines.push(text)
    if (text.includes(standbyWord)) standsBy.resolve(true)
    if (text.includes(prewarmingWord)) isSet.resolve()
    if (!launch.isReady(text)) return
    // One that never said so does not read its standard input.
    standsBy.resolve(false)
    log.info('a standby runtime is ready', { pid: child.pid })
    if (prewarm !== null)
      prewarming = standsBy.promise.then((able) => (able ? runPrewarm(prewarm) : undefined))
  }

  /** Also after a failure, the process is there for its session. */
  async function runPrewarm(run: NonNullable<typeof prewarm>): Promise<void> {
    if (taken.signal.aborted) return
    const begun = performance.now()
    const signal = AbortSignal.any([taken.signal, AbortSignal.timeout(prewarmTimeoutMs)])
    const setEnvironment: SetEnvironment = async (env) => {
      child.stdin.write(line({ ...env, [prewarmVariable]: '1' }))
      await orAborted(isSet.promise, signal)
    }
    try {
      await run(setEnvironment, signal)
      log.info('a standby runtime is prewarmed', { ms: Math.round(performance.now() - begun) })
    } catch (error) {
      if (taken.signal.aborted) log.info('the prewarming of a standby runtime was cut short')
      else log.warn('a standby runtime was not prewarmed', { error })
    }
  }

  // One that cannot be started, or ends, is replaced when the session has come.
  const gone = (): void => {
    standsBy.resolve(false)
    taken.abort()
  }
  child.on('error', gone).on('exit', gone)
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (text) => onLine(text))
  return {
    id,
    child,
    secret,
    fits: async ({ file, args, cwd, env }) => {
      taken.abort()
      const same =
        file === launch.file &&
        cwd === launch.cwd &&
        args.join('\0') === launch.args.join('\0') &&
        sameAtStart(launch.env, env, launch.readsAtStart) &&
        (await standsBy.promise)
      if (!same) return false
      const isOver = await settled(takeOverTimeoutMs, prewarming)
      return isOver && child.exitCode === null && child.signalCode === null
    },
    give: (env, listener) => {
      isGiven = true
      onLine = listener
      for (const text of lines) listener(text)
      child.stdin.end(line(env))
    },
    end: () => {
      if (isGiven) return
      taken.abort()
      child.kill('SIGKILL')
    },
  }
}

/** True when a process that was started with the one is as good as one that was started with the other. */
export function sameAtStart(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
  readsAtStart: (variable: string) => boolean,
): boolean {
  const names = [...Object.keys(one), ...Object.keys(other)].filter(readsAtStart)
  return names.every((name) => one[name] === other[name])
}
