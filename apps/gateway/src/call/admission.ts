import type { CallAttempt } from '@svc/db'
import { type Body, type CallBounds, type CallRequest, type ModelName, modelText } from '@svc/models'
import type { AdmittedCall, CallToAdmit, RefusedCall } from '@svc/spend'
import type { GatewayConfig } from '../config/config.ts'
import type { GatewayCore } from '../gateway-core.ts'
import { CallerChanged } from '../door/known-callers.ts'
import { countAtProvider, mayCount } from '../upstream/count-input.ts'
import type { Asked } from './asked.ts'
import { callBodies } from './call-bodies.ts'
import { callBounds } from './call-bounds.ts'
import { attemptOf, type Candidate } from './candidates.ts'
import type { CallMeasure } from './measure-call.ts'
import { MeteredCall } from './metered-call.ts'

/** A call that was read and named. */
export interface PreparedCall {
  readonly body: Body
  readonly request: CallRequest
  readonly config: GatewayConfig
  readonly name: ModelName
  readonly measure: CallMeasure
  /** Candidates that are not tried, and why. */
  readonly skipped: readonly CallAttempt[]
}

/** The admissions of one call: its first candidate's, and one more for each place that pays after that. */
export class CallAdmission {
  readonly #core: GatewayCore
  readonly #asked: Asked
  readonly #prepared: PreparedCall
  #counted: { readonly model: string; readonly input_tokens: number } | null = null

  constructor(core: GatewayCore, asked: Asked, prepared: PreparedCall) {
    this.#core = core
    this.#asked = asked
    this.#prepared = prepared
  }

  bounds(candidate: Candidate): CallBounds | null {
    const counted = this.#counted?.model === modelText(candidate.name) ? this.#counted.input_tokens : null
    return callBounds(this.#prepared, candidate, { now: this.#core.now(), counted })
  }

  get input_estimate(): number {
    return Math.ceil(this.#prepared.request.size.text_bytes / 4)
  }

  /** Throws the refusal of a call that its budgets, its plan or its key's limits do not let through. */
  async admit(candidate: Candidate): Promise<MeteredCall> {
    const { caller, dialect, request_id } = this.#asked
    const { request, measure, skipped } = this.#prepared
    const { account_id, project_id, session_id, prompt_id, trigger_slug, agent_name, token_id } = caller
    const bounds = this.bounds(candidate)
    const asked = {
      ...{ account_id, project_id, session_id, prompt_id, trigger_slug, agent_name, token_id },
      call_id: this.#core.newId(),
      dialect: dialect.name,
      model_asked: request.model,
      model: modelText(candidate.name),
      provider: candidate.provider.slug,
      provider_scope: candidate.provider.scope,
      streamed: request.stream,
      attempts: [attemptOf(candidate)],
      request_id,
      bounds,
      input_estimate: this.input_estimate,
      unbounded: request.unbounded[0] ?? null,
      countInput: bounds !== null && mayCount(candidate, bounds) ? () => this.#countInput(candidate) : null,
    }
    const admitted = await this.#verdict(asked)
    if (admitted.outcome === 'refused') throw admitted.error
    const call = new MeteredCall(
      this.#core.meter,
      asked,
      admitted,
      measure,
      callBodies(this.#core, this.#asked, this.#prepared.config),
    )
    call.attempts.push(...skipped)
    return call
  }

  /** The first admission of a call checks the key of a presumed caller as well. */
  async #verdict(asked: CallToAdmit): Promise<AdmittedCall | RefusedCall> {
    const { presumed } = this.#asked
    const { meter, now } = this.#core
    if (presumed === null || presumed.isConfirmed) return meter.admit(asked)
    const admitted = await meter.admitKnown(presumed.known(now()), asked)
    if (admitted === null) throw new CallerChanged()
    presumed.confirm()
    return admitted
  }

  /** The bounds with the provider's own count of the input; null where it does not count. */
  async #countInput(candidate: Candidate): Promise<CallBounds | null> {
    const { dialect, headers, search, signal } = this.#asked
    const { body } = this.#prepared
    const asked = { candidate, dialect, body, headers, search, signal }
    const input_tokens = await countAtProvider(this.#core, asked)
    if (input_tokens === null) return null
    this.#counted = { model: modelText(candidate.name), input_tokens }
    return this.bounds(candidate)
  }
}
