import type { JobContext } from '@svc/context'
import { type Claim, type Db, StaleClaim, withClaim } from '@svc/db'

/** The right to write for a sandbox, as long as no other worker has taken it over. */
export interface SandboxClaim {
  /** A transaction that fails, with nothing written, once another worker has the claim. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Throws when another worker has the claim. Called before each step that cannot be undone. */
  check(): Promise<void>
}

type ClaimContext = Pick<JobContext, 'db' | 'locks' | 'log' | 'metrics'>

/**
 * Runs `work` as the one worker that drives this session's sandbox. A worker that gets no turn leaves it to the sweep.
 */
export async function claimSandbox(
  ctx: ClaimContext,
  session_id: string,
  work: (claim: SandboxClaim) => Promise<void>,
): Promise<void> {
  try {
    await withClaim(
      ctx.locks,
      { session_id, work: 'sandbox' },
      (claim) => work(sandboxClaim(ctx.db, claim)),
      undefined,
      () => ctx.metrics.count('svc_claims_taken_over_total', { work: 'sandbox' }),
    )
  } catch (error) {
    if (!(error instanceof StaleClaim)) throw error
    ctx.log.warn({ session_id }, 'another worker has taken over; what this one found is dropped')
  }
}

function sandboxClaim(db: Db, claim: Claim): SandboxClaim {
  const write: SandboxClaim['write'] = (work) =>
    db.transaction().execute(async (tx) => {
      await claim.hold(tx)
      return work(tx)
    })
  return { write, check: () => write(async () => undefined) }
}
