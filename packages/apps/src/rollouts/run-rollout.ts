import { appInstances, appReleases, appRollouts, type AppRolloutRow, apps, withTriedLock } from '@svc/db'
import { appsAreOn } from '../app/apps-are-on.ts'
import { factsOf } from '../releases/create.ts'
import { objectOf } from '../releases/store-files.ts'
import { bringUp } from '../instances/bring-up.ts'
import { moneyRefusal } from '../meter/money.ts'
import { wantInstance } from '../instances/wake.ts'
import { drainShown } from '../releases/switch-to.ts'
import { isRunning, type Working } from '../context.ts'

/** Carries out a move back: the target is looked at first, and nothing changes where it cannot be shown. */
export async function runRollout(
  ctx: Working,
  { rollout_id }: { readonly rollout_id: string },
): Promise<void> {
  await withTriedLock(ctx.locks, `app-rollout:${rollout_id}`, async () => {
    await appRollouts.apply(ctx.db, rollout_id, 'start')
    const rollout = await appRollouts.find(ctx.db, rollout_id)
    if (rollout?.status !== 'starting') return
    const end = (event: 'fail' | 'cancel', error: string) =>
      appRollouts.apply(ctx.db, rollout_id, event, { error, finished_at: ctx.now() })
    const unwanted = await reasonAgainst(ctx, rollout)
    if (unwanted !== null) return void (await end('cancel', unwanted))
    if (ctx.now().getTime() - rollout.created_at.getTime() > giveUpMs)
      return void (await end('fail', 'The platform could not start that release for 15 minutes; try again'))
    const error = await faultOf(ctx, rollout)
    if (error === null) return move(ctx, rollout)
    const meanwhile = await reasonAgainst(ctx, rollout)
    await (meanwhile === null ? end('fail', error) : end('cancel', meanwhile))
  })
}

/** Another move can be asked for once this one is given up: one that meets what does not pass would be in its way for ever. */
const giveUpMs = 15 * 60_000

/** Why the app is not to be moved any more; null while it is. */
async function reasonAgainst(ctx: Working, { app_id }: AppRolloutRow): Promise<string | null> {
  const app = await apps.findById(ctx.db, app_id)
  if (app === undefined || !app.declared) return 'The app is gone from the manifest'
  return (await appsAreOn(ctx.db, app.project_id)) ? null : 'Apps were switched off for this project'
}

/** The reason why the target cannot be shown; null once it can. */
async function faultOf(ctx: Working, rollout: AppRolloutRow): Promise<string | null> {
  const target = await appReleases.find(ctx.db, rollout.to_release_id)
  if (target?.config.run === undefined) {
    const missing = await missingFile(ctx, rollout)
    if (missing === null) return null
    return `The file ${missing} of that release is gone from the object store; make a new release of its commit`
  }
  if (!isRunning(ctx)) return 'This platform runs no programs now; ask the operator'
  const app = await apps.findById(ctx.db, target.app_id)
  const refusal = app && (await moneyRefusal(ctx, app))
  if (refusal) return refusal.message
  const instance = await wantInstance(ctx, target.release_id)
  if (instance === undefined) return 'That release is kept no more'
  const up = await bringUp(ctx, instance.instance_id)
  await ctx.runtime?.onStep?.('rollback ready')
  if (up.kind === 'healthy') return null
  return up.kind === 'failed' ? up.message : 'The app may not run now; look at its state, and ask anew'
}

const atOnce = 16

/** A file of the target whose bytes are not there; null when all are. */
async function missingFile(ctx: Working, { to_release_id }: AppRolloutRow): Promise<string | null> {
  const files = (await appReleases.files(ctx.db, to_release_id)).values()
  let missing: string | null = null
  const worker = async () => {
    for (const { path, sha256 } of files) {
      ctx.signal.throwIfAborted()
      if (missing !== null) return
      if ((await ctx.objects.head(objectOf(sha256))) === null) missing = path
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return missing
}

async function move(ctx: Working, rollout: AppRolloutRow): Promise<void> {
  const { rollout_id, channel_id, to_release_id, expected_release_id, asked_by } = rollout
  await ctx.db.transaction().execute(async (tx) => {
    const channel = await apps.lockChannel(tx, channel_id)
    const app = await apps.findById(tx, rollout.app_id)
    const release = await appReleases.find(tx, to_release_id)
    const at = ctx.now()
    if (channel === undefined || app === undefined || release === undefined) return
    if (channel.current_release_id !== expected_release_id) {
      const error = 'Another release was shown meanwhile; look again, and ask anew'
      await appRollouts.apply(tx, rollout_id, 'fail', { error, finished_at: at })
      return
    }
    // A build that is under way already does not undo this.
    const floor_number = app.last_number
    const runs = release.config.run !== undefined
    // Lost in between: the next look starts another.
    if (runs && (await appInstances.findLive(tx, to_release_id))?.state !== 'healthy') return
    await appRollouts.switchChannel(tx, { channel, release, kind: 'rollback', floor_number, asked_by, at })
    if (to_release_id !== channel.current_release_id) await drainShown(ctx, tx, channel)
    await appRollouts.apply(tx, rollout_id, 'switch', { switched_at: at })
    await appRollouts.apply(tx, rollout_id, 'drain', { finished_at: at })
    await apps.record(
      tx,
      app,
      'app.switched',
      { ...factsOf(release), channel: channel.kind, kind: 'rollback' },
      at,
    )
  })
}
