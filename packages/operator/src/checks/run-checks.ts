import type { Finding } from '@svc/facts'
import type { Check, CheckContext, CheckScope, Found } from './check.ts'

export interface CheckOutcome {
  readonly findings: readonly Finding[]
  /** Each check could be made. */
  readonly complete: boolean
}

/** Makes checks one after the other, and puts right what can safely be where `repair` says so. */
export async function runChecks(
  ctx: CheckContext,
  wanted: readonly Check[],
  { repair, ...scope }: CheckScope & { readonly repair: boolean },
): Promise<CheckOutcome> {
  const findings: Finding[] = []
  let complete = true
  for (const check of wanted) {
    ctx.signal.throwIfAborted()
    const { name } = check
    try {
      for (const found of await check.run(ctx, scope)) findings.push(await settle(ctx, check, found, repair))
    } catch (error) {
      ctx.signal.throwIfAborted()
      complete = false
      ctx.log.error({ err: error, check: name }, 'A check could not be made')
      const message = 'The check could not be made; the log of its worker says why'
      const subject = `checks/${name}`
      findings.push({
        ...{ check: name, severity: 'error', project_id: scope.project_id, subject, message },
        ...{ repairable: false, repaired: false },
      })
    }
  }
  return { findings, complete }
}

async function settle(
  { log }: CheckContext,
  { name }: Check,
  { repair: act, ...found }: Found,
  repair: boolean,
): Promise<Finding> {
  const repaired = repair && act !== undefined && (await act().catch(refused))
  return { check: name, ...found, repairable: act !== undefined, repaired }

  function refused(error: unknown): false {
    log.warn({ err: error, check: name, subject: found.subject }, 'A difference could not be put right')
    return false
  }
}
