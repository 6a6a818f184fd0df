import type { BaseContext } from '@svc/context'
import { againIfPassing, type CallAdmission, calls, gatewayAccess } from '@svc/db'
import type { ServiceError } from '@svc/errors'
import { askedCall, type CallToAdmit } from './asked-call.ts'
import { keepCard } from './keep-card.ts'
import { refusalOf } from './refusal.ts'

export interface AdmittedCall {
  readonly outcome: 'granted'
  readonly call_id: string
  /** Set aside for it in each of its budgets: its output is clamped to what this pays for. */
  readonly granted_micros: number
  /** A blocking budget or credit pays: what it costs above is charged to none. */
  readonly bounded: boolean
  /** When it was asked for, by the clock of `performance`: its lease is counted from there. */
  readonly asked_ms: number
}

export interface RefusedCall {
  readonly outcome: 'refused'
  /** The refusal with the fields of its body: 402, 422, 429 or 400. */
  readonly error: ServiceError
}

/** A caller as it was known from an earlier call. */
export type KnownCaller = Parameters<typeof gatewayAccess.admit>[1]

type Admitting = Pick<BaseContext, 'db' | 'now'>

/**
 * Sets aside what the call may cost and writes its row, or refuses it; nothing is held then. One statement; a second one
 * where only the provider's own count of the input can tell whether the call fits.
 */
export async function admitCall(ctx: Admitting, call: CallToAdmit): Promise<AdmittedCall | RefusedCall> {
  const asked_ms = await ready(ctx, call)
  const asked = askedCall(call)
  return judged(ctx, call, await againIfPassing(() => calls.admit(ctx.db, asked)), asked_ms)
}

/** The same in one statement with the check of the caller's key; null where the caller is not as it was known. */
export async function admitKnownCall(
  ctx: Admitting,
  known: KnownCaller,
  call: CallToAdmit,
): Promise<AdmittedCall | RefusedCall | null> {
  const asked_ms = await ready(ctx, call)
  const asked = askedCall(call)
  const admission = await againIfPassing(() => gatewayAccess.admit(ctx.db, known, asked))
  return admission && judged(ctx, call, admission, asked_ms)
}

/** From this moment on a lease of the call may run. */
async function ready(ctx: Admitting, { bounds }: CallToAdmit): Promise<number> {
  if (bounds !== null) await keepCard(ctx, bounds.card)
  return performance.now()
}

async function judged(
  ctx: Admitting,
  call: CallToAdmit,
  admission: CallAdmission,
  asked_ms: number,
): Promise<AdmittedCall | RefusedCall> {
  if (admission.outcome === 'refused' && admission.countable === true) {
    const counted = (await call.countInput?.()) ?? call.bounds
    return admitCall(ctx, { ...call, bounds: counted, countInput: null })
  }
  if (admission.outcome === 'refused')
    return { outcome: 'refused', error: refusalOf(admission, call, ctx.now()) }
  const { granted_micros, bounded } = admission
  return { outcome: 'granted', call_id: call.call_id, granted_micros, bounded, asked_ms }
}
