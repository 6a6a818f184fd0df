import { setTimeout as sleep } from 'node:timers/promises'
import type { Program, ProgramExit, ProgramPhase } from '@svc/sandbox/guest'
import type { Lines } from '../lines/lines.ts'
import { choosePort } from './choose-port.ts'
import { programEnvironment } from './program-environment.ts'
import { awaitReady } from './readiness.ts'
import { createRestarts, maxEnds, windowMinutes } from './restarts.ts'
import { type Run, startRun } from './run.ts'

const tailCharacters = 2_000
/** Time that a program has to end where it is ended for what it did not do. */
const lateGraceMs = 2_000

export interface SupervisorParts {
  readonly lines: Lines
  readonly inherited: Readonly<Record<string, string>>
  /** True where ports belong to all programs of the machine. */
  readonly shared: boolean
  /** The command of the image; empty where there is none. */
  readonly image_command: readonly string[]
  /** The folder that a program starts in; throws for one that is not there. */
  readonly folderOf: (folder: string | null) => Promise<string>
}

export interface SupervisorFacts {
  readonly phase: ProgramPhase
  readonly port: number | null
  readonly exits: number
  readonly last_exit: ProgramExit | null
  readonly reason: string | null
}

/** The life of the one program of this sandbox. */
export interface Supervisor {
  /** Does nothing for a program that was started or drained before. */
  start(program: Program): Promise<void>
  facts(): SupervisorFacts
  drain(graceMs: number): Promise<void>
}

export function createSupervisor(parts: SupervisorParts): Supervisor {
  const { lines } = parts
  const stopping = new AbortController()
  let facts: SupervisorFacts = { phase: 'empty', port: null, exits: 0, last_exit: null, reason: null }
  let run: Run | null = null
  let life: Promise<void> | null = null
  const is = (changes: Partial<SupervisorFacts>): void => void (facts = { ...facts, ...changes })
  const fail = (reason: string): void => is({ phase: 'failed', reason: withTail(reason, lines) })

  const lead = async (program: Program, port: number | null): Promise<void> => {
    const restarts = createRestarts()
    const command = program.command ?? parts.image_command
    const { inherited, shared } = parts
    const environment = programEnvironment({ inherited, program, port, shared })
    const folder = await parts.folderOf(program.folder)
    for (;;) {
      is({ phase: 'starting' })
      run = await startRun({ command, folder, environment, lines })
      if (stopping.signal.aborted) void run.end(0)
      const late = await watch(program, port, run, () => is({ phase: 'ready' }))
      const exit = await run.ended
      run = null
      is({ last_exit: exit })
      if (late !== null && !stopping.signal.aborted) return fail(late)
      if (stopping.signal.aborted || program.kind === 'once') return is({ phase: 'ended' })
      is({ exits: facts.exits + 1 })
      const pause = restarts.afterEnd(Date.now())
      if (pause === null)
        return fail(
          `It ended ${maxEnds} times in ${windowMinutes} minutes, and is not started again. It last ${exitWords(exit)}.`,
        )
      is({ phase: 'waiting' })
      lines.say(`the program ${exitWords(exit)}, and is started again in ${pause / 1000} s`)
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return is({ phase: 'ended' })
    }
  }

  return {
    start: async (program) => {
      if (life !== null || stopping.signal.aborted) return
      const command = program.command ?? parts.image_command
      lines.mask(program.masked)
      life = (async () => {
        const port = await portOf(program, parts.shared)
        is({ phase: 'starting', port })
        if (port !== program.port && program.port !== null && program.kind === 'serve')
          lines.say(
            `all programs of this machine share one network, so port ${program.port} is not kept for this one: it is to listen on PORT, which is ${port}`,
          )
        await lead(program, port).catch((error: unknown) => fail(startWords(command, error)))
      })()
      // Its first state is that of a program that was started.
      is({ phase: 'starting' })
    },
    facts: () => facts,
    drain: async (graceMs) => {
      stopping.abort()
      await run?.end(graceMs)
      await life
      if (facts.phase === 'empty') is({ phase: 'ended' })
    },
  }
}

/** The reason that a program is ended for what it did not do in time; null where it ended by itself. */
async function watch(
  program: Program,
  port: number | null,
  run: Run,
  onReady: () => void,
): Promise<string | null> {
  const over = new AbortController()
  let late: string | null = null
  const timer = setTimeout(() => {
    const seconds = `${Math.round(program.timeout_ms / 100) / 10} s`
    late =
      program.kind === 'once'
        ? `It did not end within ${seconds}.`
        : `It was not ready within ${seconds}: ${wantedWords(program, port)}.`
    over.abort()
    void run.end(lateGraceMs)
  }, program.timeout_ms)
  const ended = run.ended.then(() => over.abort())
  if (program.kind === 'serve' && port !== null) {
    const ready = await awaitReady({ port, path: program.readiness_path, signal: over.signal })
    if (ready) {
      clearTimeout(timer)
      onReady()
    }
  }
  await ended
  clearTimeout(timer)
  return late
}

async function portOf({ kind, port }: Program, shared: boolean): Promise<number | null> {
  if (kind === 'once') return null
  return shared || port === null ? choosePort() : port
}

function wantedWords({ readiness_path }: Program, port: number | null): string {
  return readiness_path === null
    ? `nothing listens on port ${port} (PORT)`
    : `GET ${readiness_path} at port ${port} (PORT) does not answer with 2xx or 3xx`
}

function exitWords({ code, signal }: ProgramExit): string {
  return signal === null ? `exited with code ${code}` : `was killed by ${signal}`
}

function startWords([file = '']: readonly string[], error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  if (file === '') return 'It has no command.'
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return isMissing ? `The command ${file} is not in this sandbox.` : `${file} could not be started: ${text}`
}

function withTail(reason: string, lines: Lines): string {
  const tail = lines.tail(tailCharacters)
  return tail === '' ? reason : `${reason}\n${tail}`
}
