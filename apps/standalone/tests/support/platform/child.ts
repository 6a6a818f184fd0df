import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitFor } from '../wait-for.ts'

/** A long-running process of a journey, with everything it printed. */
export class Child {
  readonly process: ChildProcess
  #stdout = ''
  #stderr = ''
  #closed: Promise<unknown>

  constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.process = spawn(program, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.process.stdout?.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString('utf8')))
    this.process.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString('utf8')))
    this.#closed = once(this.process, 'close')
  }

  get pid(): number {
    return this.process.pid ?? 0
  }

  get stdout(): string {
    return this.#stdout
  }

  get stderr(): string {
    return this.#stderr
  }

  get ended(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null
  }

  /** Returns once it printed the text; an early end is an error with its words. */
  async printed(text: string): Promise<void> {
    await waitFor(`the process prints ${text}`, () => this.ended || this.stdout.includes(text), {
      every_ms: 20,
    })
    if (!this.stdout.includes(text))
      throw new Error(`It ended before it printed ${text}: ${this.stderr}${this.stdout}`)
  }

  /** The exit code once it has ended and everything it printed was read; null when a signal ended it. */
  async exit(): Promise<number | null> {
    await this.#closed
    return this.process.exitCode
  }

  end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal)
    return this.exit()
  }
}
