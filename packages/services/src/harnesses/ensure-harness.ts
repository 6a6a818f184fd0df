import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { type Db, harnessInstalls, type HarnessInstallRow, type InstallKey } from '@svc/db'
import type { SandboxContext } from '../context.ts'
import { harnessLabel } from './measure-harness.ts'
import { HarnessInstallError, type HarnessInstaller, type HarnessWish } from './installer.ts'

/** A worker that gave no sign for this long has lost its install to the next one. */
const holdMs = 20_000
const beatMs = 1_000
const lookMs = 500
/** The longest time that a session waits for an install. */
const maxMs = 10 * 60_000
const retriesMs = [5_000, 30_000, 2 * 60_000]

/** The parts of a worker that work on its store. */
export type InstallContext = Pick<SandboxContext, 'db' | 'now' | 'newId' | 'signal' | 'log' | 'metrics'> & {
  readonly harnesses: HarnessInstaller
}

/** The progress of an install, for those who wait for it. */
export interface InstallProgress {
  readonly bytes_done: number
  readonly bytes: number | null
}

/**
 * The folder of a harness in this worker's store, installed where it is not there. Several that need it wait for one
 * install; one whose worker died is taken over.
 */
export async function ensureHarness(
  ctx: InstallContext,
  wish: HarnessWish,
  onProgress: (progress: InstallProgress) => Promise<void> = async () => undefined,
): Promise<string> {
  const key = keyOf(ctx.harnesses, wish)
  const until = ctx.now().getTime() + maxMs
  let row = await harnessInstalls.want(ctx.db, key, ctx.now())
  for (;;) {
    ctx.signal.throwIfAborted()
    const folder = await ready(ctx, wish, row)
    if (folder !== null) return folder
    if (row.state === 'failed' && row.next_attempt_at === null) throw failed(wish, row.error ?? 'it failed')
    if (ctx.now().getTime() > until) throw failed(wish, 'it took longer than 10 minutes')
    await harnessInstalls.reclaim(ctx.db, key.store, ctx.now())
    await installWanted(ctx, wish)
    row = (await harnessInstalls.find(ctx.db, key)) ?? row
    if (row.state === 'removed') row = await harnessInstalls.want(ctx.db, key, ctx.now())
    await onProgress({ bytes_done: row.bytes_done, bytes: row.bytes })
    if (row.state !== 'ready') await setTimeout(lookMs, undefined, { signal: ctx.signal })
  }
}

/** True where this worker's store holds it. */
export async function isInstalled(db: Db, installer: HarnessInstaller, wish: HarnessWish): Promise<boolean> {
  return (await harnessInstalls.find(db, keyOf(installer, wish)))?.state === 'ready'
}

function keyOf({ store, target }: HarnessInstaller, { harness, version }: HarnessWish): InstallKey {
  return { store, harness, version, target }
}

async function ready(ctx: InstallContext, wish: HarnessWish, row: HarnessInstallRow): Promise<string | null> {
  if (row.state !== 'ready' || row.digest === null) return null
  const folder = await ctx.harnesses.folder(wish, row.digest)
  if (folder === null) await harnessInstalls.damaged(ctx.db, keyOf(ctx.harnesses, wish), ctx.now())
  return folder
}

function failed({ harness, version }: HarnessWish, why: string): HarnessInstallError {
  const message = `${harness} ${version} could not be installed: ${why}. An operator sees it with: svc harnesses show ${harness}`
  return new HarnessInstallError(message, true)
}

/** Installs one that is wanted, unless another worker of this store does. */
export async function installWanted(ctx: InstallContext, wish: HarnessWish): Promise<void> {
  const { db, harnesses: installer } = ctx
  const key = keyOf(installer, wish)
  const until = () => new Date(ctx.now().getTime() + holdMs)
  const holder = `${hostname()}/${process.pid}`
  const fence = await harnessInstalls.begin(db, key, { holder, until: until(), now: ctx.now() })
  if (fence === null) return
  const lost = new AbortController()
  let bytes_done = 0
  const beat = setInterval(() => {
    harnessInstalls.beat(db, key, { fence, bytes_done, until: until() }).then(
      (isHeld) => isHeld || lost.abort(),
      (error: unknown) => ctx.log.warn({ err: error, ...wish }, 'an install was not kept alive'),
    )
  }, beatMs)
  try {
    const signal = AbortSignal.any([ctx.signal, lost.signal])
    const made = await installer.install(wish, { signal, progress: (bytes) => (bytes_done = bytes) })
    const isDone = await harnessInstalls.done(db, key, { fence, ...made, now: ctx.now() })
    count(ctx, wish, isDone ? 'installed' : 'lost')
  } catch (error) {
    if (lost.signal.aborted || ctx.signal.aborted) return count(ctx, wish, 'lost')
    count(ctx, wish, 'failed')
    const row = await harnessInstalls.find(db, key)
    const wait = retriesMs[(row?.attempts ?? 1) - 1]
    const isFinal = (error instanceof HarnessInstallError && error.is_final) || wait === undefined
    ctx.log.warn({ err: error, ...wish }, 'a harness was not installed')
    await harnessInstalls.fail(db, key, {
      ...{ fence, error: error instanceof Error ? error.message : String(error), now: ctx.now() },
      next_attempt_at: isFinal ? null : new Date(ctx.now().getTime() + wait),
    })
  } finally {
    clearInterval(beat)
  }
}

/** An attempt that another worker goes on with is lost. */
function count(
  { metrics }: Pick<InstallContext, 'metrics'>,
  { harness }: HarnessWish,
  outcome: 'installed' | 'failed' | 'lost',
): void {
  metrics.count('svc_harness_installs_total', { harness: harnessLabel(harness), outcome })
}
