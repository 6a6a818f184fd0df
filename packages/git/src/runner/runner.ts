import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { type SimpleGit, simpleGit } from 'simple-git'
import { collect } from './collect.ts'
import { configEnvironment, type GitEnvironment } from './environment.ts'
import { type Guard, guardChild } from './guard.ts'
import { createLimiter, type Limiter } from './limiter.ts'

export interface RunOptions {
  readonly git_dir?: string
  readonly config?: readonly (readonly [key: string, value: string])[]
  readonly env?: GitEnvironment
  readonly input?: string | Uint8Array
  readonly signal?: AbortSignal | undefined
  /** Output is cut here and git is stopped. */
  readonly max_output?: number
  /** Commands that wait for a network do not take a place among the local ones. */
  readonly unlimited?: boolean
  readonly timeout_ms?: number
}

export interface RunResult {
  readonly exit_code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  /** The output was longer than `max_output`; `stdout` is its beginning. */
  readonly cut: boolean
}

export interface RunnerOptions {
  readonly environment: GitEnvironment
  readonly directory: string
  readonly concurrency: number
}

export interface GuardedChild {
  readonly child: ChildProcessWithoutNullStreams
  readonly guard: Guard
}

const defaultMaxOutput = 64 * 1024 * 1024

/** The one place that starts git. Owns its children: close() ends those that still run. */
export class Runner {
  readonly #options: RunnerOptions
  readonly #limiter: Limiter
  readonly #running = new Map<Guard, Promise<unknown>>()
  #closed = false

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#limiter = createLimiter(options.concurrency)
  }

  /** Spawned directly: bytes in and out, exit codes as values, bounded output, an end by signal. */
  run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const start = () => this.#collect(args, options)
    return options.unlimited ? start() : this.#limiter.run(start, options.signal)
  }

  /** Spawned directly and handed out, for streams that outgrow memory. */
  spawn(args: readonly string[], options: RunOptions = {}): GuardedChild {
    options.signal?.throwIfAborted()
    if (this.#closed) throw new Error('the repositories are closed')
    const child = spawn('git', args, {
      cwd: this.#options.directory,
      env: this.#environment(options),
      detached: true,
      stdio: 'pipe',
    })
    const guard = guardChild(child, options)
    const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    this.#running.set(
      guard,
      ended.then(() => this.#running.delete(guard)),
    )
    return { child, guard }
  }

  /** Housekeeping whose answer is short text and whose failure is an exception goes through simple-git. */
  simple(git_dir: string, signal?: AbortSignal): SimpleGit {
    const environment = this.#environment({ git_dir })
    return simpleGit({
      baseDir: this.#options.directory,
      unsafe: { allowUnsafeConfigPaths: true },
      allowEnvironment: Object.keys(environment),
      ...(signal === undefined ? {} : { abort: signal }),
    }).env(environment)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const guard of this.#running.keys()) guard.stop(new Error('the repositories are closed'))
    await Promise.all(this.#running.values())
  }

  async #collect(args: readonly string[], options: RunOptions): Promise<RunResult> {
    const { child, guard } = this.spawn(args, options)
    const result = await collect(child, options.input, options.max_output ?? defaultMaxOutput)
    const reason = guard.reason()
    // A child that succeeded just before it was told to end has still done its work.
    if (reason !== undefined && result.exit_code !== 0) throw reason
    return result
  }

  #environment(options: RunOptions): GitEnvironment {
    return {
      ...this.#options.environment,
      ...(options.git_dir === undefined ? {} : { GIT_DIR: options.git_dir }),
      ...(options.config === undefined ? {} : configEnvironment(options.config)),
      ...options.env,
    }
  }
}
