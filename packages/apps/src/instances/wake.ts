import { appInstances, appReleases, apps, projects } from '@svc/db'
import type { Running } from '../context.ts'
import { bringUp } from './bring-up.ts'

/** Starts the instance that visitors of a release wait for. */
export async function wakeRelease(
  ctx: Running,
  { release_id }: { readonly release_id: string },
): Promise<void> {
  const instance = await appInstances.findLive(ctx.db, release_id)
  if (instance?.state !== 'starting') return
  const release = await appReleases.find(ctx.db, release_id)
  const up = await bringUp(ctx, instance.instance_id)
  const app = await apps.findById(ctx.db, instance.app_id)
  // A release that is made says itself how its start went.
  if (app === undefined || release?.status !== 'ready') return
  const about = { release_id, number: release.number, instance_id: instance.instance_id }
  if (up.kind === 'healthy')
    await ctx.db.transaction().execute((tx) => apps.record(tx, app, 'app.woke', about, ctx.now()))
  if (up.kind === 'failed')
    await ctx.db
      .transaction()
      .execute((tx) => apps.record(tx, app, 'app.crashed', { ...about, reason: up.message }, ctx.now()))
}

/** A live instance of a release that may run: the one that it has, or a new one. */
export async function wantInstance(ctx: Pick<Running, 'db' | 'now' | 'newId'>, release_id: string) {
  const release = await appReleases.find(ctx.db, release_id)
  const project = release && (await projects.find(ctx.db, release.project_id))
  if (release === undefined || project === undefined) return undefined
  return ctx.db.transaction().execute((tx) =>
    appInstances.want(tx, {
      ...{ instance_id: ctx.newId(), release, account_id: project.account_id, now: ctx.now() },
    }),
  )
}
