import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Log } from '../log.ts'
import { deferred } from '../shared/deferred.ts'
import { step } from '../shared/steps.ts'
import { endFamily, familyVariable } from './process-family.ts'
import type { RuntimeLaunch } from './runtime.ts'
import { waitsWord } from './waiting-words.ts'

/** How a runtime is started for whoever comes: it knows the sandbox, and nothing of a session. */
export type WaitingLaunch = Pick<RuntimeLaunch, 'file' | 'args' | 'env' | 'cwd'> & {
  /** Printed once there is nothing more that it can do beforehand. */
  readonly isReady: (line: string) => boolean
}

/** A runtime's process that was started before its session was known, and takes the environment of one when it comes. */
export interface WaitingRuntime {
  readonly id: string
  readonly child: ChildProcess
  /** What the process was told to demand of its callers. */
  readonly secret: string
  /**
   * Whether it can do what this launch asks for; the environment of the session is all that may differ. Known once the
   * process waits, or is ready without having waited, or has ended.
   */
  fits(launch: RuntimeLaunch): Promise<boolean>
  /** Hands the environment over. What the process has printed by then is heard first. */
  give(env: Readonly<Record<string, string>>, hear: (line: string) => void): void
  /** For a sandbox that ends, or has no use for it. */
  end(): void
}

/** What a runtime reads of its environment when it starts; everything else it looks up later. */
export const readAtStart = /^(OPENCODE_|XDG_|NODE_|SSL_CERT_|HOME$|PATH$|TMPDIR$)/
const comesLate = new Set(['OPENCODE_CONFIG_CONTENT'])

export async function startWaiting(
  owner: string,
  launch: WaitingLaunch,
  secret: string,
  log: Log,
): Promise<WaitingRuntime> {
  await endFamily(owner)
  const id = `${owner}/${randomUUID()}`
  const child = spawn(launch.file, [...launch.args], {
    cwd: launch.cwd,
    env: { ...launch.env, [familyVariable]: id },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  step('runtime_begun')
  const lines: string[] = []
  const waits = deferred<boolean>()
  let hear = (line: string): void => {
    lines.push(line)
    if (line.includes(waitsWord)) waits.resolve(true)
    if (!launch.isReady(line)) return
    // One that never said so does not read its standard input.
    waits.resolve(false)
    log.info('an agent runtime waits', { pid: child.pid })
  }
  // One that cannot be started, or ends, is replaced when the session has come.
  child.on('error', () => waits.resolve(false)).on('exit', () => waits.resolve(false))
  child.stdin.on('error', () => undefined)
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => hear(line))
  return {
    id,
    child,
    secret,
    fits: async ({ file, args, cwd, env }) =>
      file === launch.file &&
      cwd === launch.cwd &&
      args.join('\0') === launch.args.join('\0') &&
      sameAtStart(launch.env, env) &&
      (await waits.promise) &&
      child.exitCode === null &&
      child.signalCode === null,
    give: (env, listener) => {
      hear = listener
      for (const line of lines) listener(line)
      child.stdin.end(`${JSON.stringify({ ...env, [familyVariable]: id })}\n`)
    },
    end: () => {
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
