import { type CallAttempt, gatewayBreakers } from '@svc/db'
import { clampedOutput, floorMicros } from '@svc/models'
import { GatewayRefusal, type Refusal, refusalOf } from '../door/refusal.ts'
import type { GatewayCore } from '../gateway-core.ts'
import { CallAdmission, type PreparedCall } from './admission.ts'
import { answerHeaders, upstreamRequestId } from './answer-headers.ts'
import type { Asked } from './asked.ts'
import { attempt, type Began, Failed, troubleOf } from './attempt.ts'
import { attemptOf, breakerOf, type Candidate, needsProbe } from './candidates.ts'
import { firstPiece } from './first-piece.ts'
import { Fenced, type MeteredCall, Stopping } from './metered-call.ts'
import { noCandidate } from './no-candidate.ts'
import { noteFailure, noteSuccess } from './note-candidate.ts'
import { passStream } from './pass-stream.ts'
import { readWhole, settleWhole } from './pass-whole.ts'

/** One call from its admission to the last byte of its answer. */
export class CallRun {
  readonly #core: GatewayCore
  readonly #asked: Asked
  readonly #prepared: PreparedCall
  readonly #admission: CallAdmission

  constructor(core: GatewayCore, asked: Asked, prepared: PreparedCall) {
    this.#core = core
    this.#asked = asked
    this.#prepared = prepared
    this.#admission = new CallAdmission(core, asked, prepared)
  }

  async answer(usable: readonly Candidate[]): Promise<Response> {
    const { signal } = this.#asked
    let call: MeteredCall | null = null
    let last: GatewayRefusal | null = null
    for (const candidate of usable) {
      if (!(await this.#mayTry(candidate))) continue
      const card = this.#admission.bounds(candidate)?.card ?? null
      if (call === null || !call.holdsFor(candidate, card)) {
        // Another place pays, or nothing was set aside yet: what the first one held is let go, and budgets are asked anew.
        if (call !== null)
          await call.settle({
            event: 'fail',
            http_status: 502,
            code: last?.refusal.code ?? null,
            usage: null,
            goes_on: true,
          })
        call = await this.#admission.admit(candidate)
        call.endsWith([signal, this.#core.stopping])
      }
      try {
        return await this.#try(candidate, call)
      } catch (error) {
        const failed = error instanceof Failed ? error : null
        if (failed !== null) {
          last = failed.refusal
          await noteFailure(this.#core, candidate, failed)
          if (!signal.aborted) continue
        }
        const refusal = this.#refusal(failed?.refusal ?? error)
        await call.settle({
          event: 'fail',
          http_status: refusal.status,
          code: refusal.code,
          usage: null,
          ...(signal.aborted ? { left: true } : {}),
        })
        throw failed?.refusal ?? error
      }
    }
    if (call !== null && last !== null) {
      const { status, code } = last.refusal
      await call.settle({ event: 'fail', http_status: status, code, usage: null })
    }
    throw last ?? noCandidate(undefined, null, this.#core.now())
  }

  /** A breaker that waits for a probe lets one call through, of all processes. */
  async #mayTry(candidate: Candidate): Promise<boolean> {
    if (!needsProbe(candidate, this.#asked.caller)) return true
    return gatewayBreakers.probe(this.#core.db, breakerOf(candidate), this.#core.now())
  }

  async #try(candidate: Candidate, call: MeteredCall): Promise<Response> {
    const { dialect, headers, search, request_id } = this.#asked
    const { body, request } = this.#prepared
    const bounds = this.#admission.bounds(candidate)
    call.tries(candidate, bounds?.card ?? null)
    const granted = BigInt(call.granted_micros)
    const output_limit = call.bounded && bounds !== null ? clampedOutput(bounds, granted) : null
    if (call.bounded && (output_limit === null || (bounds !== null && floorMicros(bounds) > granted))) {
      call.attempts.push({ ...attemptOf(candidate), skipped: 'no_room' })
      throw new Failed(
        new GatewayRefusal({
          status: 502,
          code: 'model_unavailable',
          message: 'No other model fits what is left',
        }),
        { counts: false },
      )
    }
    const text = dialect.edit(body, {
      model: candidate.name.id,
      output_limit: request.has_output ? output_limit : null,
      output_limit_field: candidate.provider.output_limit_field,
    })
    const began_at = performance.now()
    const duration_ms = () => Math.round(performance.now() - began_at)
    const together = call.end.signal
    let isNoted = false
    const note = (more: Pick<CallAttempt, 'http_status' | 'code'>) => {
      if (!isNoted) call.attempts.push({ ...attemptOf(candidate), ...more, duration_ms: duration_ms() })
      isNoted = true
    }
    try {
      const began = recorded(
        call,
        await attempt({
          candidate,
          dialect,
          body,
          text,
          headers,
          search,
          secret: this.#core.secretOf(candidate.provider, candidate.key),
          output_limit: request.has_output ? output_limit : null,
          id: call.call_id,
          pools: this.#core.pools,
          now: this.#core.now(),
          signal: together,
        }),
      )
      const upstream_request_id = upstreamRequestId(began.answer)
      const answerOptions = { request_id, call_id: call.call_id }
      const isStream = /^text\/event-stream\b/i.test(began.answer.headers.get('content-type') ?? '')
      const response = isStream
        ? await this.#stream(began, { call, together, output_limit, upstream_request_id, answerOptions })
        : await this.#whole(began, {
            ...{ call, together, upstream_request_id, answerOptions },
            // Its row is settled with the answer.
            noted: () => note({ http_status: began.answer.status }),
          })
      note({ http_status: began.answer.status })
      noteSuccess(this.#core, candidate, this.#asked)
      return response
    } catch (error) {
      const failed = error instanceof Failed ? error : null
      const { code } = this.#refusal(failed?.refusal ?? error)
      note({ http_status: failed?.http_status ?? null, code })
      throw error
    }
  }

  async #whole(
    began: Began,
    given: {
      readonly call: MeteredCall
      readonly together: AbortSignal
      readonly upstream_request_id: string | null
      readonly answerOptions: Parameters<typeof answerHeaders>[1]
      readonly noted: () => void
    },
  ): Promise<Response> {
    const { call, upstream_request_id } = given
    const { status } = began.answer
    try {
      const content = await readWhole(began)
      call.firstByte()
      given.noted()
      await settleWhole(content, {
        dialect: this.#asked.dialect,
        call,
        input_estimate: this.#admission.input_estimate,
        status,
        upstream_request_id,
      })
      return new Response(content, { status, headers: answerHeaders(began.answer, given.answerOptions) })
    } catch (error) {
      if (error instanceof GatewayRefusal) throw error
      const trouble = troubleOf(error, began.call.signal, given.together)
      throw trouble instanceof Failed ? trouble.refusal : trouble
    } finally {
      began.clock.stop()
    }
  }

  async #stream(
    began: Began,
    given: {
      readonly call: MeteredCall
      readonly together: AbortSignal
      readonly output_limit: number | null
      readonly upstream_request_id: string | null
      readonly answerOptions: Parameters<typeof answerHeaders>[1]
    },
  ): Promise<Response> {
    const { call, together, output_limit, upstream_request_id } = given
    const { dialect } = this.#asked
    const { request } = this.#prepared
    const { first, pieces } = await firstPiece(began.pieces).catch((error: unknown) => {
      throw troubleOf(error, began.call.signal, together)
    })
    const stream = passStream({
      began: { ...began, pieces },
      first,
      dialect,
      follower: dialect.follow(request),
      call,
      limit: output_limit === null ? null : { output: output_limit, n: request.n },
      upstream_request_id,
      refusalOf: (error) => {
        const trouble = troubleOf(error, began.call.signal, together)
        return this.#refusal(trouble instanceof Failed ? trouble.refusal : trouble)
      },
    })
    return new Response(stream, { status: 200, headers: answerHeaders(began.answer, given.answerOptions) })
  }

  #refusal(error: unknown): Refusal {
    if (error instanceof Fenced)
      return {
        status: 503,
        code: 'call_lost',
        message: 'The platform lost track of this call and ended it; ask again',
      }
    if (error instanceof Stopping)
      return { status: 503, code: 'temporarily_unavailable', message: 'The gateway restarts; ask again' }
    if (this.#asked.signal.aborted) return { status: 499, code: 'client_closed', message: 'The client left' }
    return refusalOf(error) ?? { status: 500, code: 'internal_error', message: 'Something went wrong' }
  }
}

/** The answer, of which a copy goes to what is kept of its call. */
function recorded({ bodies }: MeteredCall, began: Began): Began {
  if (bodies === null) return began
  const next = async () => {
    const piece = await began.pieces.next()
    if (piece.done !== true) bodies.add(piece.value)
    return piece
  }
  return { ...began, pieces: { next } }
}
