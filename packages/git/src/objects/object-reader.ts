import { type StoredObject, takeReply } from '../parse/batch-reply.ts'
import type { GuardedChild } from '../runner/runner.ts'

export interface ObjectQuestion {
  readonly command: 'info' | 'contents'
  /** Anything git can name, without NUL and line feeds. */
  readonly name: string
}

/** The reader cannot answer; a git of its own can, or says why not. */
export class ReaderEnded extends Error {
  override readonly name = 'ReaderEnded'
}

interface Waiting {
  readonly with_content: boolean
  resolve(object: StoredObject | null): void
  reject(error: Error): void
}

const timeoutMs = 10_000
/** Contents larger than this need a process of their own, so that no other caller waits behind them. */
export const maxSharedBytes = 1024 * 1024
const maxUnread = maxSharedBytes + 1024

/** A `git cat-file --batch-command -z` that answers one question after another without a new process for each. */
export class ObjectReader {
  readonly #process: GuardedChild
  readonly #on_end: () => void
  readonly #waiting: Waiting[] = []
  #output: Buffer = Buffer.alloc(0)
  #ended = false
  #timer: NodeJS.Timeout | undefined

  constructor(process: GuardedChild, on_end: () => void) {
    this.#process = process
    this.#on_end = on_end
    const { child } = process
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    child.stderr.resume()
    child.stdin.on('error', () => {})
    child.once('error', () => this.#end())
    child.once('close', () => this.#end())
  }

  get ended(): boolean {
    return this.#ended
  }

  get idle(): boolean {
    return this.#waiting.length === 0
  }

  /** The objects in the order of the questions; null where a name means nothing. */
  ask(questions: readonly ObjectQuestion[]): Promise<(StoredObject | null)[]> {
    if (this.#ended) return Promise.reject(new ReaderEnded())
    if (this.#waiting.length === 0) this.#wait()
    const answers = questions.map(
      ({ command }) =>
        new Promise<StoredObject | null>((resolve, reject) => {
          this.#waiting.push({ with_content: command === 'contents', resolve, reject })
        }),
    )
    this.#process.child.stdin.write(questions.map(({ command, name }) => `${command} ${name}\0`).join(''))
    return Promise.all(answers)
  }

  close(): void {
    this.#process.guard.stop(new ReaderEnded())
    this.#end()
  }

  #take(chunk: Buffer): void {
    this.#output = this.#output.length === 0 ? chunk : Buffer.concat([this.#output, chunk])
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const reply = takeReply(this.#output, next.with_content)
      if (reply === null) break
      this.#waiting.shift()
      this.#output = reply.rest
      next.resolve(reply.object)
    }
    if (this.#output.length > maxUnread) this.close()
    else this.#wait()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.close(), timeoutMs)
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#on_end()
    clearTimeout(this.#timer)
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new ReaderEnded())
  }
}
