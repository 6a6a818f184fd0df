import { harnessEvictions, harnessInstalls, type InstallKey, sessionRuntimes } from '@svc/db'
import { knownHarness, pinnedVersion } from '@svc/harness'
import { nodeMajor } from '../projects/runs-on.ts'
import { type InstallContext, installWanted } from './ensure-harness.ts'

/** An install that no session has asked for in this time has to make room. */
const unusedMs = 30 * 24 * 60 * 60_000

/**
 * Keeps the store of a worker's machine: gives up installs that are not used, removes the files of those that were given
 * up, and scratch that is left of work that died. Each step begins at what is there, so one that is cut off is ended by
 * the next sweep.
 */
export async function sweepHarnesses(ctx: InstallContext): Promise<void> {
  await evictUnused(ctx)
  await removeGivenUp(ctx)
  await ctx.harnesses.sweepScratch(ctx.now())
}

async function evictUnused(ctx: InstallContext): Promise<void> {
  const { db, harnesses } = ctx
  const before = new Date(ctx.now().getTime() - unusedMs)
  for (const key of await harnessEvictions.listUnused(db, harnesses.store, before)) {
    if (isNewest(key, harnesses.target)) continue
    await db.transaction().execute(async (tx) => {
      if (!(await harnessEvictions.lockUnused(tx, key, before))) return
      // A session has its row before its start asks for the install, which waits for this transaction.
      if ((await sessionRuntimes.liveOf(tx, key.harness, key.version)).length > 0) return
      await harnessEvictions.evictOne(tx, key, ctx.now())
      ctx.log.info(key, 'a harness that was not used was given up')
    })
  }
}

/** True for the version that new sessions of this machine get. */
function isNewest({ harness, version, target }: InstallKey, own_target: string): boolean {
  const known = knownHarness(harness)
  return known !== undefined && target === own_target && pinnedVersion(known, nodeMajor) === version
}

/** Under the lock of its row the files only leave their place: no start finds half of them, and none waits long. */
async function removeGivenUp(ctx: InstallContext): Promise<void> {
  const { db, harnesses } = ctx
  for (const key of await harnessEvictions.listRemoved(db, harnesses.store)) {
    ctx.signal.throwIfAborted()
    const clear = await db
      .transaction()
      .execute(async (tx) =>
        (await harnessEvictions.lockRemoved(tx, key)) ? await harnesses.remove(key, key.target) : null,
      )
    await clear?.()
  }
}

/**
 * Installs whose worker died, or whose next try is due, and which no session waits for. It is as long as npm is, so that no
 * removal waits for it.
 */
export async function installOwed(ctx: InstallContext): Promise<void> {
  const { store, target } = ctx.harnesses
  for (const key of await harnessInstalls.reclaim(ctx.db, store, ctx.now())) {
    ctx.signal.throwIfAborted()
    if (key.target === target) await installWanted(ctx, key)
  }
}
