import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '@svc/timing'

/** One call of a round. It is cut, and is an error that names it, when it takes longer than any call should. */
export type Step = <T>(what: string, work: (signal: AbortSignal) => PromiseLike<T>) => Promise<T>

export interface Lanes {
  /** Does one thing again and again until all are asked to stop. A round that fails is kept, and the next one begins. */
  add(name: string, pause_ms: number, round: (number: number, step: Step) => Promise<unknown>): void
  /** Returns once each has ended the round that it is in; one that does not is an error that says at which step it is. */
  stop(): Promise<void>
  /** The same where nothing answers any more: the calls that have begun are cut. */
  abandon(): Promise<void>
}

export interface LaneLimits {
  readonly step_ms: number
  /** From the wish to stop until the last round has ended. */
  readonly stop_ms: number
}

interface Lane {
  readonly name: string
  round: number
  at: { readonly what: string; readonly since: number } | null
  readonly ended: Promise<void>
}

/** The error of a step that is late ends with the words of `context`: requests that are open, for one. */
export function startLanes(wrong: string[], limits: LaneLimits, context = (): string => ''): Lanes {
  const lanes: Lane[] = []
  const stopping = new AbortController()
  const abandoned = new AbortController()
  const { signal } = stopping

  const stepOf = (lane: Pick<Lane, 'at'>): Step => {
    return async (what, work) => {
      const late = new AbortController()
      const refusal = () => new Error(`no end after ${limits.step_ms / 1_000} s; ${context()}`)
      lane.at = { what, since: Date.now() }
      try {
        return await within(
          limits.step_ms,
          Promise.resolve(work(AbortSignal.any([late.signal, abandoned.signal]))),
          refusal,
        )
      } catch (error) {
        throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
      } finally {
        late.abort()
        lane.at = null
      }
    }
  }

  const stop = async () => {
    stopping.abort()
    const left = new Set(lanes)
    const all = Promise.all(lanes.map((lane) => lane.ended.then(() => left.delete(lane))))
    const refusal = () =>
      new Error(
        `Not ended after ${limits.stop_ms / 1_000} s: ${[...left].map(describe).join('; ')}; ${context()}`,
      )
    await within(limits.stop_ms, all, refusal)
  }

  return {
    add(name, pause_ms, work) {
      const lane: Omit<Lane, 'ended'> = { name, round: 0, at: null }
      const step = stepOf(lane)
      const run = async () => {
        while (!signal.aborted) {
          lane.round += 1
          await work(lane.round, step).catch((error: unknown) =>
            wrong.push(`${name} ${lane.round}: ${messageOf(error)}`),
          )
          await sleep(pause_ms, null, { signal }).catch(() => undefined)
        }
      }
      lanes.push(Object.assign(lane, { ended: run() }))
    },
    stop,
    abandon() {
      abandoned.abort()
      return stop()
    },
  }
}

function describe({ name, round, at }: Lane): string {
  const step = at === null ? 'between its steps' : `${at.what}, for ${(Date.now() - at.since) / 1_000} s`
  return `${name} ${round}: ${step}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
