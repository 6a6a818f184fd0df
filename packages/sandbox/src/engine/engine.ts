import type Docker from 'dockerode'
import { SandboxError } from '../sandbox-error.ts'
import { isAway, statusCode, toEngineError } from './engine-errors.ts'

export interface EngineFacts {
  readonly version: string
  readonly cpus: number
  readonly runtimes: readonly string[]
}

export interface Engine {
  readonly docker: Docker
  /** One call with a deadline; what the engine refuses is typed. */
  call<T>(operation: string, ask: (signal: AbortSignal) => Promise<T>, deadlineMs?: number): Promise<T>
  /** Like `call`, with null when the engine answers that it has no such thing. */
  find<T>(operation: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T | null>
}

const defaultDeadlineMs = 30_000

export async function openEngine(url: string): Promise<Engine> {
  // Loaded only where it is used: it is large, and most machines have no engine.
  const { default: Client } = await import('dockerode')
  const docker = new Client({ socketPath: socketOf(url) })
  const call: Engine['call'] = async (operation, ask, deadlineMs = defaultDeadlineMs) => {
    const signal = AbortSignal.timeout(deadlineMs)
    try {
      return await ask(signal)
    } catch (error) {
      throw toEngineError(signal.aborted ? signal.reason : error, operation)
    }
  }
  return {
    docker,
    call,
    find: (operation, ask) =>
      call(operation, (signal) =>
        ask(signal).catch((error: unknown) => {
          if (statusCode(error) === 404) return null
          throw error
        }),
      ),
  }
}

/** Reads the engine's own description; refuses where no engine answers. */
export async function engineFacts(engine: Engine, url: string, deadlineMs = 5_000): Promise<EngineFacts> {
  try {
    const info = await engine.call('Looking at the Docker engine', () => engine.docker.info(), deadlineMs)
    return factsOf(info)
  } catch (cause) {
    const why = isAway(cause) ? 'does not answer' : cause instanceof Error ? cause.message : String(cause)
    throw new SandboxError('network', `The Docker engine at ${url} ${why}.`, { cause })
  }
}

/** Named boundary: the client does not type this answer. */
function factsOf(info: unknown): EngineFacts {
  const { ServerVersion, NCPU, Runtimes } = info as {
    ServerVersion?: string
    NCPU?: number
    Runtimes?: Record<string, unknown>
  }
  return { version: ServerVersion ?? 'unknown', cpus: NCPU ?? 1, runtimes: Object.keys(Runtimes ?? {}) }
}

/** The path of a `unix:///path`. */
export function socketOf(url: string): string {
  if (url.startsWith('unix:///')) return url.slice('unix://'.length)
  throw new SandboxError(
    'internal',
    `The Docker engine must be at unix:///path on this machine, not at ${url}.`,
  )
}
