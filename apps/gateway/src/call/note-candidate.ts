import { gatewayBreakers, gatewayProviders } from '@svc/db'
import type { GatewayCore } from '../gateway-core.ts'
import type { Failed } from './attempt.ts'
import { breakerOf, type Candidate, needsProbe } from './candidates.ts'
import type { Asked } from './asked.ts'

type Noting = Pick<GatewayCore, 'db' | 'log' | 'now'>

/** A rate limit cools its key; trouble of the provider is counted. */
export async function noteFailure(core: Noting, candidate: Candidate, failed: Failed): Promise<void> {
  const { db, log } = core
  const now = core.now()
  const notes: Promise<unknown>[] = []
  if (failed.counts) notes.push(gatewayBreakers.fail(db, breakerOf(candidate), now))
  if (candidate.key?.row != null) {
    const cooling =
      failed.http_status === 429
        ? { cooling_until: new Date(now.getTime() + coolingMs(failed.retry_after)) }
        : {}
    const said = failed.http_status === null ? '' : ` (${failed.http_status})`
    const last_error = `${failed.refusal.refusal.code}${said}`
    notes.push(gatewayProviders.noteKey(db, candidate.key.key_id, { now, last_error, ...cooling }))
  }
  await Promise.all(notes).catch((err: unknown) =>
    log.debug({ err }, 'the trouble of a provider could not be noted'),
  )
}

/** Closes a breaker whose probe went well, and notes the use of a key once a minute. No call waits for it. */
export function noteSuccess(core: Noting, candidate: Candidate, { caller }: Pick<Asked, 'caller'>): void {
  const { db, log } = core
  const now = core.now()
  const notes: Promise<unknown>[] = []
  if (needsProbe(candidate, caller)) notes.push(gatewayBreakers.close(db, breakerOf(candidate)))
  const used = candidate.key?.row?.last_used_at ?? null
  if (candidate.key?.row != null && (used === null || now.getTime() - used.getTime() > 60_000))
    notes.push(gatewayProviders.noteKey(db, candidate.key.key_id, { now }))
  void Promise.all(notes).catch((err: unknown) =>
    log.debug({ err }, 'the use of a provider could not be noted'),
  )
}

const maxCoolingMs = 60_000

function coolingMs(retry_after: string | null): number {
  const seconds = Number(retry_after ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, maxCoolingMs) : maxCoolingMs
}
