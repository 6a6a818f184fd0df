import { Agent } from 'undici'
import { z } from 'zod'
import { GatewayRefusal } from './refusal.ts'

/** Time that a provider may take: to be reached, to begin its answer, between two pieces of it, and for all of it. */
export interface Deadlines {
  readonly connect_ms: number
  readonly first_byte_ms: number
  readonly idle_ms: number
  readonly total_ms: number
}

type Deadline = 'connect' | 'first_byte' | 'idle' | 'total'

const seconds = (defaultSeconds: number) => z.coerce.number().int().min(1).max(3_600).default(defaultSeconds)

export const deadlineEnv = {
  SVC_MODEL_CONNECT_SECONDS: seconds(10).describe('how long reaching the model provider may take'),
  SVC_MODEL_FIRST_BYTE_SECONDS: seconds(120).describe('how long the model may take to begin its answer'),
  SVC_MODEL_IDLE_SECONDS: seconds(60).describe('how long the model may pause within its answer'),
  SVC_MODEL_TOTAL_SECONDS: seconds(1_800).describe('how long an answer of the model may take in all'),
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

/** Connections that keep to the deadlines but the total one, which is each call's. */
export function connectionsWithin({ connect_ms, first_byte_ms, idle_ms }: Deadlines): Agent {
  return new Agent({
    connect: { timeout: connect_ms },
    headersTimeout: first_byte_ms,
    bodyTimeout: idle_ms,
  })
}

/** The reason with which a call is aborted that took too long in all. */
export class TotalReached extends Error {
  override readonly name = 'TotalReached'
}

const reached: Readonly<Record<string, Deadline>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'first_byte',
  UND_ERR_BODY_TIMEOUT: 'idle',
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
  if (error instanceof TotalReached) return 'total'
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? error.code : undefined
  return (typeof code === 'string' ? reached[code] : undefined) ?? deadlineOf(error.cause)
}
