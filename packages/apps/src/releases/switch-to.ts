import {
  type AppChannelRow,
  appReleases,
  type AppReleaseRow,
  appRollouts,
  type AppRow,
  apps,
  type Db,
} from '@svc/db'
import type { Working } from '../context.ts'
import { factsOf } from './create.ts'

/**
 * Makes a release ready and its channel show it, in one transaction. One whose channel shows a later release by now is
 * ready and never takes traffic. False when it was cancelled meanwhile.
 */
export async function switchTo(ctx: Working, app: AppRow, release: AppReleaseRow): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const channel = await apps.lockChannel(tx, release.channel_id)
    const current = await apps.findById(tx, app.app_id)
    const shown = channel !== undefined && channel.closed_at === null
    if (channel === undefined || current === undefined || !shown || !stillWanted(current, channel)) {
      await cancel(ctx, tx, app, release)
      return false
    }
    const late = release.number <= channel.floor_number
    const superseded_by = late ? await currentNumber(tx, channel) : null
    const now = ctx.now()
    const ready = await appReleases.apply(tx, release.release_id, 'finish', now, {
      finished_at: now,
      superseded_by,
    })
    if (ready === undefined) return false
    await apps.record(tx, app, 'app.release.ready', { ...factsOf(ready), superseded_by }, now)
    if (late) return true
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
    await apps.record(
      tx,
      app,
      'app.switched',
      { ...factsOf(ready), channel: channel.kind, kind: 'release' },
      now,
    )
    return true
  })
}

/** Production follows the default branch; a preview its change request. */
function stillWanted({ declared }: AppRow, { kind }: AppChannelRow): boolean {
  return declared || kind === 'preview'
}

async function currentNumber(tx: Db, { current_release_id, floor_number }: AppChannelRow): Promise<number> {
  const current = current_release_id === null ? undefined : await appReleases.find(tx, current_release_id)
  return current?.number ?? floor_number
}

/** Ends a release that is not wanted any more; nothing happens to one that ended. */
export async function cancel(
  ctx: Pick<Working, 'now'>,
  tx: Db,
  app: AppRow,
  release: AppReleaseRow,
): Promise<void> {
  const now = ctx.now()
  const row = await appReleases.apply(tx, release.release_id, 'cancel', now, { finished_at: now })
  if (row !== undefined) await apps.record(tx, app, 'app.release.cancelled', factsOf(row), now)
}
