import type { CallAttempt } from '@svc/db'
import {
  costMicros,
  isFree,
  modelText,
  noUsage,
  type OutputCounter,
  outputCounter,
  type PriceCard,
  type Usage,
  usageOf,
} from '@svc/models'
import { beatMs, type CallToAdmit, type CallToSettle } from '@svc/spend'
import type { CallBodies } from './call-bodies.ts'
import type { CallMeasure } from './measure-call.ts'
import type { Meter } from './meter.ts'
import type { Candidate } from './candidates.ts'

export interface Outcome {
  readonly event: 'finish' | 'fail' | 'cut'
  readonly http_status: number
  readonly code?: string | null
  readonly finish?: string | null
  readonly usage: Usage | null
  readonly upstream_request_id?: string | null
  /** The caller left before the answer ended. */
  readonly left?: boolean
  /** Another place pays for what follows: the request of the caller has not ended. */
  readonly goes_on?: boolean
}

/** One admitted call: its tokens as they come, its beats, and its one end. */
export class MeteredCall {
  readonly call_id: string
  readonly granted_micros: number
  readonly bounded: boolean
  readonly counter: OutputCounter = outputCounter()
  readonly attempts: CallAttempt[] = []
  /** Ends the request to the provider: the caller left, the lease of this call was lost, or the gateway stops. */
  readonly end = new AbortController()
  /** Kept beside its row; null where nothing is. */
  readonly bodies: CallBodies | null
  readonly #meter: Meter
  readonly #asked: CallToAdmit
  readonly #measure: CallMeasure
  readonly #began = performance.now()
  #candidate: Candidate | null = null
  #card: PriceCard | null
  #first_byte_ms: number | null = null
  #settled: Promise<void> | null = null
  readonly #ending: (readonly [AbortSignal, () => void])[] = []

  constructor(
    meter: Meter,
    asked: CallToAdmit,
    granted: { readonly granted_micros: number; readonly bounded: boolean; readonly asked_ms: number },
    measure: CallMeasure,
    bodies: CallBodies | null = null,
  ) {
    this.bodies = bodies
    this.#meter = meter
    this.#asked = asked
    this.#measure = measure
    this.#card = asked.bounds?.card ?? null
    this.call_id = asked.call_id
    this.granted_micros = granted.granted_micros
    this.bounded = granted.bounded
    measure.held(granted.granted_micros)
    meter.beats().add({
      call_id: asked.call_id,
      asked_ms: granted.asked_ms,
      beat: () => this.#beat(),
      fence: () => this.end.abort(new Fenced()),
    })
  }

  /**
   * Ends with each of these, for as long as it runs. `AbortSignal.any` takes 20 to 50 microseconds of each call, and has a
   * signal that lives as long as the process keep track of what came of it.
   */
  endsWith(signals: readonly AbortSignal[]): void {
    for (const signal of signals) {
      const leave = () => this.end.abort(signal.reason)
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      this.#ending.push([signal, leave])
    }
  }

  /** Whether what was set aside holds for a candidate: one of the same place, and none that costs after a free one. */
  holdsFor({ provider }: Candidate, card: PriceCard | null): boolean {
    const { provider_scope, bounds } = this.#asked
    const setNothingAside = bounds !== null && isFree(bounds.card)
    return provider.scope === provider_scope && (!setNothingAside || (card !== null && isFree(card)))
  }

  /** The candidate that is tried now, and what its tokens cost. */
  tries(candidate: Candidate, card: PriceCard | null): void {
    this.bodies?.restart()
    this.#candidate = candidate
    this.#card = card
    this.#measure.asked()
  }

  firstByte(): void {
    this.#first_byte_ms ??= Math.round(performance.now() - this.#began)
    this.#measure.firstByte()
  }

  /** The usage of what came so far, where the provider's own is not the last word. */
  soFar(said: Usage | null): Usage {
    const output_tokens = Math.max(said?.output_tokens ?? 0, this.counter.tokens())
    return usageOf({ ...(said ?? { input_tokens: this.#asked.input_estimate }), output_tokens })
  }

  /** Ends the call, once; the first end is the one that counts. */
  async settle(outcome: Outcome): Promise<void> {
    this.#settled ??= this.#settle(outcome)
    return this.#settled
  }

  async #settle({ usage: said, left = false, goes_on = false, ...outcome }: Outcome): Promise<void> {
    this.#meter.beats().remove(this.call_id)
    for (const [signal, leave] of this.#ending) signal.removeEventListener('abort', leave)
    this.#measure.held(-this.granted_micros)
    const began = this.#first_byte_ms !== null
    const nothing = outcome.event === 'fail' && !began
    const usage = nothing ? noUsage : (said ?? this.soFar(null))
    const candidate = this.#candidate
    const { code = null, finish = null, upstream_request_id = null } = outcome
    const settlement: CallToSettle = {
      call_id: this.call_id,
      event: outcome.event,
      http_status: outcome.http_status,
      code,
      finish,
      upstream_request_id,
      usage,
      card: this.#card,
      estimated: !nothing && said === null,
      attempts: this.attempts,
      first_byte_ms: this.#first_byte_ms,
      duration_ms: Math.round(performance.now() - this.#began),
      ...(candidate === null
        ? {}
        : {
            model: modelText(candidate.name),
            provider: candidate.provider.slug,
            provider_scope: candidate.provider.scope,
          }),
      ...(outcome.event === 'cut' && code === 'budget_exceeded' ? { used_up: this.granted_micros } : {}),
    }
    if (!goes_on) this.#measure.end(left ? 'left' : outcome.event === 'fail' ? 'failed' : 'done', usage)
    const settled = await this.#meter.settle(settlement)
    this.bodies?.keep(this.call_id)
    if (settled.outcome !== 'settled') return
    const { charged_micros, overrun_micros } = settled
    this.#measure.charged({ cost_micros: (charged_micros ?? 0) + overrun_micros, overrun_micros })
  }

  #beat() {
    const { input_estimate } = this.#asked
    const output = this.counter.tokens()
    const seconds = Math.max(1, (performance.now() - this.#began) / 1_000)
    // One beat more at its own rate: what may have come since.
    const ahead = Math.ceil((output / seconds) * (beatMs / 1_000))
    const lost =
      this.#card === null
        ? null
        : costMicros(usageOf({ input_tokens: input_estimate, output_tokens: output + ahead }), this.#card)
    return {
      first_byte_ms: this.#first_byte_ms,
      input_tokens: input_estimate,
      output_tokens: output,
      lost_micros: lost === null ? null : Number(lost),
    }
  }
}

/** The lease of the call was lost: another process may have charged it. */
export class Fenced extends Error {
  override readonly name = 'Fenced'
}

/** The gateway stops, and the call outlived its drain. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}
