import { z } from 'zod'
import { GatewayRefusal } from '../door/refusal.ts'

/** Time that a provider may take: to be reached, to begin its answer, between two pieces of it, and for all of it. */
export interface Deadlines {
  readonly connect_ms: number
  readonly first_byte_ms: number
  readonly idle_ms: number
  readonly total_ms: number
}

type Deadline = 'connect' | 'first_byte' | 'idle' | 'total'

export const defaultDeadlines: Deadlines = {
  connect_ms: 10_000,
  first_byte_ms: 120_000,
  idle_ms: 60_000,
  total_ms: 1_800_000,
}

const seconds = (ms: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(ms / 1_000)

export const deadlineEnv = {
  SVC_MODEL_CONNECT_SECONDS: seconds(defaultDeadlines.connect_ms).describe(
    'how long reaching the model provider may take',
  ),
  SVC_MODEL_FIRST_BYTE_SECONDS: seconds(defaultDeadlines.first_byte_ms).describe(
    'how long the model may take to begin its answer',
  ),
  SVC_MODEL_IDLE_SECONDS: seconds(defaultDeadlines.idle_ms).describe(
    'how long the model may pause within its answer',
  ),
  SVC_MODEL_TOTAL_SECONDS: seconds(defaultDeadlines.total_ms).describe(
    'how long an answer of the model may take in all',
  ),
}

export type DeadlineEnv = Readonly<Record<keyof typeof deadlineEnv, number>>

export function deadlinesOf(env: DeadlineEnv): Deadlines {
  return {
    connect_ms: env.SVC_MODEL_CONNECT_SECONDS * 1000,
    first_byte_ms: env.SVC_MODEL_FIRST_BYTE_SECONDS * 1000,
    idle_ms: env.SVC_MODEL_IDLE_SECONDS * 1000,
    total_ms: env.SVC_MODEL_TOTAL_SECONDS * 1000,
  }
}

/** The reason with which a call is aborted that reached one of its deadlines. */
export class DeadlineReached extends Error {
  override readonly name = 'DeadlineReached'
  readonly deadline: Deadline

  constructor(deadline: Deadline) {
    super(`the ${deadline} deadline was reached`)
    this.deadline = deadline
  }
}

/** The clock of one request to a provider: it aborts the request with what was reached. */
export class DeadlineClock {
  readonly #deadlines: Deadlines
  readonly #call: AbortController
  readonly #total: NodeJS.Timeout
  #pause: NodeJS.Timeout

  constructor(deadlines: Deadlines, call: AbortController) {
    this.#deadlines = deadlines
    this.#call = call
    this.#total = setTimeout(() => call.abort(new DeadlineReached('total')), deadlines.total_ms)
    this.#pause = this.#after('first_byte', deadlines.first_byte_ms)
  }

  /** A piece of the answer is there: the next one has the time of a pause. */
  restart(): void {
    clearTimeout(this.#pause)
    this.#pause = this.#after('idle', this.#deadlines.idle_ms)
  }

  stop(): void {
    clearTimeout(this.#total)
    clearTimeout(this.#pause)
  }

  #after(deadline: Deadline, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#call.abort(new DeadlineReached(deadline)), ms)
  }
}

const words: Readonly<Record<Deadline, string>> = {
  connect: 'The model provider could not be reached in time',
  first_byte: 'The model did not begin its answer in time',
  idle: 'The model stopped in the middle of its answer',
  total: 'The answer of the model took too long',
}

/** The refusal for a call that one of its deadlines ended; null when something else did. */
export function deadlineReached(error: unknown): GatewayRefusal | null {
  const deadline = deadlineOf(error)
  if (deadline === null) return null
  const message = `${words[deadline]}; ask again, or ask for less at a time`
  const refusal = { status: 504, code: 'model_deadline', message, details: { deadline } }
  return new GatewayRefusal(refusal, { cause: error })
}

function deadlineOf(error: unknown): Deadline | null {
  if (error instanceof DeadlineReached) return error.deadline
  if (!(error instanceof Error)) return null
  if ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') return 'connect'
  return deadlineOf(error.cause)
}
