import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Log } from '../log.ts'
import { pause } from '../shared/backoff.ts'
import { deferred } from '../shared/deferred.ts'
import { whenAborted } from '../shared/when-aborted.ts'
import { step } from '../shared/steps.ts'
import { type RuntimeCommand, spawnRuntime } from './process.ts'
import { endFamily, familyVariable } from './process-family.ts'
import type { Rehearsal, Stage } from './rehearsal.ts'
import { rehearsalVariable, rehearsesWord, waitsWord } from './waiting-words.ts'

/** How a runtime is started for whoever comes: it knows the sandbox, and nothing of a session. */
export type WaitingLaunch = RuntimeCommand & {
  /** Printed once there is nothing more that it can do beforehand. */
  readonly isReady: (line: string) => boolean
  readonly rehearsal: (stage: Stage) => Promise<Rehearsal>
}

/** Gives the process an environment for the time of a rehearsal; resolves when it can be asked for something. */
export type Lend = (env: Readonly<Record<string, string>>) => Promise<void>

/** A runtime's process that was started before its session was known, and takes the environment of one when it comes. */
export interface WaitingRuntime {
  readonly id: string
  readonly child: ChildProcess
  /** What the process was told to demand of its callers. */
  readonly secret: string
  /**
   * Whether it can do what this launch asks for; the environment of the session is all that may differ. Known once the
   * process waits, or is ready without having waited, or has ended. A rehearsal ends here, finished or not.
   */
  fits(command: RuntimeCommand): Promise<boolean>
  /** Hands the environment over. What the process has printed by then is heard first. */
  give(env: Readonly<Record<string, string>>, hear: (line: string) => void): void
  /** For a sandbox that ends, or has no use for it; one that has its session is left alone. */
  end(): void
}

/** What a runtime reads of its environment when it starts; everything else it looks up later. */
export const readAtStart = /^(OPENCODE_|XDG_|NODE_|SSL_CERT_|HOME$|PATH$|TMPDIR$)/
const comesLate = new Set(['OPENCODE_CONFIG_CONTENT'])

/** A rehearsal that takes longer than this helps nobody. */
const rehearsalMs = 30_000
/**
 * So long a session waits for one in its midst, since opening a project for the first time is work that it would do as
 * well. What goes on longer could mistake the session's environment for its own, so that process ends.
 */
const patienceMs = 2_000

export async function startWaiting(
  owner: string,
  launch: WaitingLaunch,
  secret: string,
  log: Log,
  rehearse: ((lend: Lend, signal: AbortSignal) => Promise<void>) | null = null,
): Promise<WaitingRuntime> {
  await endFamily(owner)
  const { id, child } = spawnRuntime(owner, launch)
  step('runtime_begun')
  const lines: string[] = []
  const waits = deferred<boolean>()
  const lent = deferred<void>()
  const taken = new AbortController()
  let isGiven = false
  let rehearsing: Promise<void> = Promise.resolve()
  const line = (env: Readonly<Record<string, string>>): string =>
    `${JSON.stringify({ ...env, [familyVariable]: id })}\n`
  let hear = (text: string): void => {
    lines.push(text)
    if (text.includes(waitsWord)) waits.resolve(true)
    if (text.includes(rehearsesWord)) lent.resolve()
    if (!launch.isReady(text)) return
    // One that never said so does not read its standard input.
    waits.resolve(false)
    log.info('an agent runtime waits', { pid: child.pid })
    if (rehearse !== null) rehearsing = waits.promise.then((able) => (able ? practise(rehearse) : undefined))
  }

  /** Whatever comes of it, the process is there for its session. */
  async function practise(play: NonNullable<typeof rehearse>): Promise<void> {
    if (taken.signal.aborted) return
    const begun = performance.now()
    const signal = AbortSignal.any([taken.signal, AbortSignal.timeout(rehearsalMs)])
    const lend: Lend = async (env) => {
      child.stdin.write(line({ ...env, [rehearsalVariable]: '1' }))
      await Promise.race([lent.promise, whenAborted(signal)])
      signal.throwIfAborted()
    }
    try {
      await play(lend, signal)
      log.info('an agent runtime has rehearsed', { ms: Math.round(performance.now() - begun) })
    } catch (error) {
      if (taken.signal.aborted) log.info('the rehearsal of an agent runtime was cut short')
      else log.warn('an agent runtime has not rehearsed', { error })
    }
  }

  // One that cannot be started, or ends, is replaced when the session has come.
  const gone = (): void => {
    waits.resolve(false)
    taken.abort()
  }
  child.on('error', gone).on('exit', gone)
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (text) => hear(text))
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
        sameAtStart(launch.env, env) &&
        (await waits.promise)
      if (!same) return false
      const isOver = await Promise.race([rehearsing.then(() => true), pause(patienceMs).then(() => false)])
      return isOver && child.exitCode === null && child.signalCode === null
    },
    give: (env, listener) => {
      isGiven = true
      hear = listener
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

/** Whether a process that was started with the one is as good as one that was started with the other. */
export function sameAtStart(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = [...Object.keys(one), ...Object.keys(other)].filter(
    (name) => readAtStart.test(name) && !comesLate.has(name),
  )
  return names.every((name) => one[name] === other[name])
}
