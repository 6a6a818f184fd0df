import {
  type AppChannelRow,
  appInstances,
  appReleases,
  type AppReleaseRow,
  appRollouts,
  type AppRow,
  apps,
  type Db,
  owedApps,
} from '@svc/db'
import { appsAreOn } from '../app/apps-are-on.ts'
import type { Working } from '../context.ts'
import { factsOf } from './create.ts'

/**
 * Makes a release ready and its channel show it, in one transaction. One whose channel shows a later release by now is
 * ready and never takes traffic. One that runs has an instance that answers; what was shown before begins to end.
 */
export async function switchTo(
  ctx: Working,
  app: AppRow,
  release: AppReleaseRow,
): Promise<'ready' | 'not running' | 'over'> {
  return ctx.db.transaction().execute(async (tx) => {
    const channel = await apps.lockChannel(tx, release.channel_id)
    const current = await apps.findById(tx, app.app_id)
    const shown = channel !== undefined && channel.closed_at === null
    const on = await appsAreOn(tx, app.project_id)
    if (channel === undefined || current === undefined || !on || !shown || !stillWanted(current, channel)) {
      await cancel(ctx, tx, app, release)
      return 'over'
    }
    const runs = release.config.run !== undefined
    if (runs && (await appInstances.findLive(tx, release.release_id))?.state !== 'healthy')
      return 'not running'
    const late = release.number <= channel.floor_number
    const superseded_by = late ? await currentNumber(tx, channel) : null
    const now = ctx.now()
    const ready = await appReleases.apply(tx, release.release_id, 'finish', now, {
      finished_at: now,
      superseded_by,
    })
    if (ready === undefined) return 'over'
    await apps.record(tx, app, 'app.release.ready', { ...factsOf(ready), superseded_by }, now)
    if (late) return 'ready'
    const asked_by = ready.created_by
    await appRollouts.insertDone(tx, {
      ...{ rollout_id: ctx.newId(), app_id: app.app_id, channel_id: channel.channel_id, kind: 'release' },
      ...{ to_release_id: ready.release_id, expected_release_id: channel.current_release_id },
      ...{ asked_by, created_at: now },
    })
    const move = {
      channel,
      release: ready,
      kind: 'release',
      floor_number: ready.number,
      asked_by,
      at: now,
    } as const
    await appRollouts.switchChannel(tx, move)
    await drainShown(ctx, tx, channel)
    await apps.record(
      tx,
      app,
      'app.switched',
      { ...factsOf(ready), channel: channel.kind, kind: 'release' },
      now,
    )
    await ctx.runtime?.onStep?.('inside the switch')
    return 'ready'
  })
}

/** The instance of what a channel showed takes no new visitor from this transaction on. */
export async function drainShown(
  ctx: Pick<Working, 'now'>,
  tx: Db,
  { current_release_id }: Pick<AppChannelRow, 'current_release_id'>,
): Promise<void> {
  const old = current_release_id === null ? undefined : await appInstances.findLive(tx, current_release_id)
  const now = ctx.now()
  if (old !== undefined)
    await appInstances.apply(tx, old.instance_id, 'drain', now, { draining_at: now, reason: 'replaced' })
}

/** Production follows the default branch; a preview its change request. */
function stillWanted({ declared }: AppRow, { kind }: AppChannelRow): boolean {
  return declared || kind === 'preview'
}

async function currentNumber(tx: Db, { current_release_id, floor_number }: AppChannelRow): Promise<number> {
  const current = current_release_id === null ? undefined : await appReleases.find(tx, current_release_id)
  return current?.number ?? floor_number
}

/**
 * Ends a release that is not wanted any more; nothing happens to one that ended. Where apps were switched off, what the
 * default branch declares is read and made anew once they are on again.
 */
export async function cancel(
  ctx: Pick<Working, 'now'>,
  tx: Db,
  app: AppRow,
  release: AppReleaseRow,
): Promise<void> {
  const now = ctx.now()
  const row = await appReleases.apply(tx, release.release_id, 'cancel', now, { finished_at: now })
  if (row === undefined) return
  await apps.record(tx, app, 'app.release.cancelled', factsOf(row), now)
  if (!(await appsAreOn(tx, app.project_id))) await owedApps.setRead(tx, app.project_id, null)
}
