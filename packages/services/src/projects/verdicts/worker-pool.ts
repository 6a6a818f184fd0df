import type { Worker } from 'node:worker_threads'
import { ServiceError } from '@svc/errors'

export interface PoolOptions {
  /** Max threads; each is started when it is needed. */
  readonly threads: number
  /** Questions that wait for a thread; more are refused. */
  readonly max_waiting: number
  readonly time_limit_ms: number
  /** A thread that was asked nothing for so long ends. */
  readonly idle_ms: number
  readonly start: () => Worker
}

/** The answer took longer than it may: a caller who asks again waits as long again. */
export class TooLongError extends ServiceError {
  constructor(time_limit_ms: number) {
    super(
      'temporarily_unavailable',
      `The manifest takes too long to check (more than ${time_limit_ms / 1000} s); make it smaller or simpler`,
    )
  }
}

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

interface Seat<Question, Answer> {
  readonly worker: Worker
  current: Waiting<Question, Answer> | null
  timer: NodeJS.Timeout | undefined
}

/** Threads that answer questions one by one. A thread that fails takes only its own question along. */
export class WorkerPool<Question, Answer> {
  readonly #options: PoolOptions
  readonly #seats = new Set<Seat<Question, Answer>>()
  readonly #waiting: Waiting<Question, Answer>[] = []

  constructor(options: PoolOptions) {
    this.#options = options
  }

  ask(question: Question): Promise<Answer> {
    if (this.#waiting.length >= this.#options.max_waiting) {
      const message = 'Too many manifests are being checked; try again in 1 s'
      return Promise.reject(new ServiceError('temporarily_unavailable', message, { retry_after: 1 }))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      this.#next()
    })
  }

  /** Ends every thread. Open questions are refused; later ones get new threads. */
  async close(): Promise<void> {
    const seats = [...this.#seats]
    for (const one of this.#waiting.splice(0)) one.reject(stopped())
    for (const seat of seats) this.#leave(seat, stopped)
    await Promise.all(seats.map(({ worker }) => worker.terminate()))
  }

  #next(): void {
    const { threads } = this.#options
    while (this.#waiting.length > 0) {
      const free = [...this.#seats].find((seat) => seat.current === null)
      if (free === undefined && this.#seats.size >= threads) return
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#hand(free ?? this.#open(), next)
    }
  }

  #open(): Seat<Question, Answer> {
    const worker = this.#options.start()
    const seat: Seat<Question, Answer> = { worker, current: null, timer: undefined }
    this.#seats.add(seat)
    worker.on('message', (answer: Answer) => {
      const asked = seat.current
      this.#rest(seat)
      asked?.resolve(answer)
      this.#next()
    })
    worker.on('error', (cause) => this.#leave(seat, () => died(cause)))
    worker.on('exit', () => this.#leave(seat, () => died(undefined)))
    return seat
  }

  #hand(seat: Seat<Question, Answer>, asked: Waiting<Question, Answer>): void {
    const { time_limit_ms } = this.#options
    clearTimeout(seat.timer)
    seat.current = asked
    seat.worker.ref()
    seat.timer = setTimeout(() => this.#end(seat, () => new TooLongError(time_limit_ms)), time_limit_ms)
    seat.worker.postMessage(asked.question)
  }

  /** An idle thread keeps no process alive. */
  #rest(seat: Seat<Question, Answer>): void {
    clearTimeout(seat.timer)
    seat.current = null
    seat.worker.unref()
    seat.timer = setTimeout(() => this.#end(seat, stopped), this.#options.idle_ms)
    seat.timer.unref()
  }

  #end(seat: Seat<Question, Answer>, why: () => Error): void {
    this.#leave(seat, why)
    void seat.worker.terminate()
  }

  #leave(seat: Seat<Question, Answer>, why: () => Error): void {
    if (!this.#seats.delete(seat)) return
    clearTimeout(seat.timer)
    seat.current?.reject(why())
    seat.current = null
    this.#next()
  }
}

function stopped(): Error {
  return new ServiceError('temporarily_unavailable', 'The platform is being stopped; try again in a moment', {
    retry_after: 1,
  })
}

function died(cause: unknown): Error {
  const message = 'The manifest could not be checked: its check ended early; try again'
  return new ServiceError('temporarily_unavailable', message, { retry_after: 1 }, { cause })
}
