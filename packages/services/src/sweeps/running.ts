import { machines, runningSandboxes } from '@svc/db'
import { sessionLimits } from '@svc/session'
import type { SandboxContext } from '../context.ts'

const batch = 500
/** Of a provider that is asked of one at a time, each sandbox is looked at again after this. */
const lookAgainMs = 10_000

/**
 * Asks for a look at the sandboxes that should run and do not, and at the silent ones. One question to the provider
 * stands for all of its sandboxes; where it answers of one at a time, the longest unseen are looked at first.
 */
export async function sweepRunning(ctx: Looker & Pick<SandboxContext, 'enqueue'>): Promise<number> {
  const look = new Set([...(await findSilent(ctx)), ...(await findEnded(ctx))])
  for (const session_id of look) await ctx.enqueue('session', 'sandbox.check', { session_id })
  return look.size
}

type Looker = Pick<SandboxContext, 'db' | 'now' | 'provider' | 'machine' | 'door'>

async function findEnded({ db, now, provider, machine, door }: Looker): Promise<readonly string[]> {
  const others = machine === undefined ? [] : await machines.listOthers(db, { machine, door }, now())
  const watched = { providers: [provider.name, ...(provider.members ?? [])], others }
  if (provider.running) {
    const expected = await runningSandboxes.list(db, watched)
    if (expected.length === 0) return []
    const running = await provider.running(expected.map(({ external_id }) => external_id))
    return expected.filter(({ external_id }) => !running.has(external_id)).map(({ session_id }) => session_id)
  }
  const before = new Date(now().getTime() - lookAgainMs)
  const unseen: string[] = []
  for (;;) {
    const query = { ...watched, before, now: now(), limit: batch }
    const taken = await runningSandboxes.takeUnchecked(db, query)
    unseen.push(...taken)
    if (taken.length < batch) return unseen
  }
}

/** These run as far as their provider knows: their own daemons have to answer. */
async function findSilent({ db, now }: Looker): Promise<readonly string[]> {
  const at = now().getTime()
  const silence = {
    lease_before: new Date(at - sessionLimits.leaseGraceMs),
    unreachable_before: new Date(at - sessionLimits.unreachableMs),
  }
  return runningSandboxes.listSilent(db, silence, batch)
}
